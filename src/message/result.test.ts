import { expect, test } from "vitest";
import { isToolResult, result } from "./result.ts";

const image = { type: "image", data: "aGk=", mediaType: "image/png" } as const;

test("text, one part and several parts all become an array of parts", () => {
  expect(result({ content: "hi" }).content).toEqual([{ type: "text", text: "hi" }]);
  expect(result({ content: image }).content).toEqual([image]);
  expect(result({ content: [image, { type: "json", value: 1 }] }).content).toEqual([image, { type: "json", value: 1 }]);
});

test("is no error and has no details unless it is said", () => {
  const plain = result({ content: "hi" });
  expect(plain.isError).toBe(false);
  expect("details" in plain).toBe(false);
  const full = result({ content: "no", isError: true, details: { status: 404 } });
  expect(full.isError).toBe(true);
  expect(full.details).toEqual({ status: 404 });
});

test("is known by its marker, not by its looks", () => {
  expect(isToolResult(result({ content: "hi" }))).toBe(true);
  expect(isToolResult({ [Symbol.for("rondo.result")]: true, content: [] })).toBe(true);
  for (const value of [{ content: "hi", isError: true }, null, undefined, "hi", 1]) {
    expect(isToolResult(value)).toBe(false);
  }
});
