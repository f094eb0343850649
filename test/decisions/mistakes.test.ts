import { expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, option, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";

const pay = tool({ name: "pay", execute: () => "paid" });

test.each<[string, unknown, RegExp]>([
  ["text", "REFUND", /"choices" must be an object such as \{ refund: this\.refund, .* or a list/],
  ["a Map", new Map([["a", 1]]), /must be an object such as/],
  ["a Set", new Set(["a"]), /must be an object such as/],
  ["an empty list", [], /"choices" is empty/],
  ["an empty object", {}, /"choices" is empty/],
  ["two of one name", ["a", "a"], /two options have the name "a"/],
  ["an empty name", { " ": 1 }, /an option has an empty name/],
  ["a number that JSON has not", { a: Number.NaN }, /"choices\.a": NaN is no value that JSON has/],
  ["infinity in a list", [1, Number.POSITIVE_INFINITY], /"choices\[1\]": Infinity is no value/],
  ["a plain function", { a: () => 1 }, /"choices\.a" is a plain function.*this\.method/],
  ["a bare schema", { a: z.object({}) }, /"choices\.a" is a schema: write option\.schema/],
  ["undefined", { a: undefined }, /choices\.a.*An option is a method or tool, a text/],
  ["a value without a name", [option.value(1)], /"choices\[0\]" needs a name: option\.value/],
  ["a schema without a name", [option.schema(z.object({}))], /needs a name: option\.schema/],
  ["a schema that is none", { a: option.schema("x" as never) }, /choices\.a/],
  ["a field named decision", { a: option.schema(z.object({ decision: z.string() })) }, /has a field "decision"/],
  ["one tool twice", [pay, pay], /two options have the name "pay"/],
])("%s is a mistake that says so, before any request", async (_, choices, message) => {
  const model = scripted([]);
  const asking = createRuntime({ model }).exec("Which?", { choices: choices as never });
  await expect(asking).rejects.toMatchObject({ code: "invalid_option", message: expect.stringMatching(message) });
  expect(model.requests).toEqual([]);
});
