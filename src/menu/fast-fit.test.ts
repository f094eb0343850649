import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../model/model.ts";
import { fastFit } from "./fast-fit.ts";

const scalar = fc.constantFrom<JsonSchema>(
  {},
  { type: "string", description: "a text" },
  { type: "integer", minimum: 1, maximum: 3 },
  { type: ["number", "null"] },
  { type: "boolean", default: true },
  { enum: ["a", 1, null] },
  { const: "a" },
  { anyOf: [{ type: "integer" }, { type: "null" }] },
);
const keys = fc.constantFrom("a", "b", "__proto__", "constructor");

function record<T>(pairs: readonly (readonly [string, T])[]): { [key: string]: T } {
  const made: { [key: string]: T } = {};
  for (const [key, value] of pairs) {
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    scalar,
    tie("object"),
    tie("schema").map((items) => ({ type: "array", items })),
  ),
  object: fc
    .tuple(
      fc.array(fc.tuple(keys, tie("schema")), { maxLength: 3 }),
      fc.uniqueArray(keys, { maxLength: 2 }),
      fc.constantFrom<JsonSchema>({}, { additionalProperties: false }, { additionalProperties: { type: "string" } }),
    )
    .map(([pairs, required, more]): JsonSchema => ({ type: "object", properties: record(pairs), required, ...more })),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>("a", "b", 0, 1, 2.5, 4, true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie("value")), { maxLength: 3 }).map(record),
  ),
}));

describe("fastFit", () => {
  it("says what the full validator says", () => {
    let fitting = 0;
    fc.assert(
      fc.property(schema, value, (aSchema, aValue) => {
        const fit = fastFit(aSchema)?.(aValue);
        const copy = JSON.parse(JSON.stringify(aSchema));
        expect(fit).toBe(new Validator(copy, "2020-12").validate(aValue).valid);
        if (fit) fitting++;
      }),
      { numRuns: 2000 },
    );
    expect(fitting).toBeGreaterThan(100);
  });

  it.each([
    { $ref: "#" },
    { pattern: "a" },
    { format: "date" },
    { minLength: 1 },
    { oneOf: [{}] },
    { not: {} },
    { enum: [{}] },
    { items: [{}] },
    { minimum: 1, exclusiveMinimum: true },
    { properties: { a: { multipleOf: 2 } } },
    { patternProperties: {}, additionalProperties: false },
    { unknown: 1 },
  ])("leaves %j to the full validator", (other) => {
    expect(fastFit(other)).toBe(undefined);
  });
});
