import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RondoError } from "../error.ts";
import { compileInput } from "./schema.ts";
import type { ToolInput } from "./tool.ts";

describe("a schema that cannot be used", () => {
  const mistakes: [string, unknown, RegExp][] = [
    ["bare valibot", v.object({ a: v.string() }), /toStandardJsonSchema/],
    [
      "a type that JSON has not",
      z.object({ at: z.date() }),
      /Date cannot be represented.*write input: \{ schema, jsonSchema \}/,
    ],
    ["no object", z.string(), /always an object/],
    ["a raw schema of no object", { type: "string" }, /always an object/],
    ["null", null, /null is no schema/],
    ["a text", "city", /a string is no schema/],
    ["an array", [], /an array is no schema/],
    ["a function", () => ({}), /a function is no schema/],
    ["fields that are schemas", { city: z.string() }, /field "city" is a schema.*z\.object/],
    ["a shorthand", { city: "string" }, /no keyword of JSON Schema/],
    [
      "a wrong type name",
      { type: "object", properties: { a: { type: "str" } } },
      /#\/properties\/a\/type: "str" is none of/,
    ],
    ["required in the field", { type: "object", properties: { a: { required: true } } }, /#\/properties\/a\/required/],
    [
      "a field that is no schema",
      { type: "object", properties: { a: "string" } },
      /#\/properties\/a: must be a schema/,
    ],
    ["properties that are none", { type: "object", properties: [] }, /#\/properties: must be a schema/],
    [
      "a bad pattern",
      { type: "object", properties: { a: { pattern: "(" } } },
      /#\/properties\/a\/pattern: is no regular/,
    ],
    ["a bad key pattern", { type: "object", patternProperties: { "(": {} } }, /patternProperties\/\(: is no regular/],
    [
      "a reference to nothing",
      { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
      /"#\/\$defs\/a" leads nowhere/,
    ],
    ["a reference elsewhere", { type: "object", properties: { a: { $ref: "https://x.test/a" } } }, /leads nowhere/],
    [
      "a reference to itself",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      /leads back to itself/,
    ],
    ["no JSON", { type: "object", default: 1n }, /is not JSON/],
    ["a JSON Schema missing beside it", { schema: v.object({}) }, /JSON Schema object/],
  ];
  it.each(mistakes)("is a caller mistake: %s", (_, input, message) => {
    let thrown: unknown;
    try {
      void compileInput(input as ToolInput).jsonSchema;
    } catch (error) {
      thrown = error;
    }
    expect(RondoError.isInstance(thrown) && thrown.code).toBe("invalid_tool");
    expect((thrown as Error).message).toMatch(message);
  });

  it("is not one if only its converter is missing but the JSON Schema stands beside it", () => {
    const compiled = compileInput({ schema: z.object({ at: z.coerce.date() }), jsonSchema: { type: "object" } });
    expect(compiled.jsonSchema).toEqual({ type: "object" });
    expect(compiled.validate({ at: "2020-01-01" })).toEqual({ value: { at: new Date("2020-01-01") } });
  });
});
