import { expect, test } from "vitest";
import type { JsonSchema } from "../model.ts";
import { grammarSchema } from "./grammar-schema.ts";

const string = { type: "string" } as const;
const integer = { type: "integer" } as const;

test.each<[string, JsonSchema, object]>([
  ["scalars", { type: "string", minLength: 3, pattern: "^a" }, string],
  ["several types", { type: ["string", "null"] }, { oneOf: [string, { type: "null" }] }],
  ["values", { enum: ["a", 1, null] }, { enum: ["a", 1, null] }],
  ["a constant", { const: true }, { const: true }],
  ["lists", { type: "array", items: integer, maxItems: 9 }, { type: "array", items: integer }],
  ["choices", { anyOf: [string, integer] }, { oneOf: [string, integer] }],
  ["an open object", { type: "object" }, { type: "object", additionalProperties: true }],
  ["a map", { type: "object", additionalProperties: integer }, { type: "object", additionalProperties: integer }],
  ["an empty object", { type: "object", properties: {}, additionalProperties: false }, { type: "object" }],
  [
    "what is required",
    { type: "object", properties: { a: string, b: integer }, required: ["a", "b"], additionalProperties: false },
    { type: "object", properties: { a: string, b: integer } },
  ],
  [
    "what is not required may be left out",
    { type: "object", properties: { a: string, b: integer }, required: ["b"] },
    {
      oneOf: [
        { type: "object", properties: { a: string, b: integer } },
        { type: "object", properties: { b: integer } },
      ],
    },
  ],
  [
    "many that are not required may come by any name",
    {
      type: "object",
      properties: { a: string, b: integer, c: integer, d: integer, e: integer, f: integer },
      required: ["a"],
    },
    { type: "object", properties: { a: string }, additionalProperties: integer },
  ],
  [
    "references",
    { $defs: { node: { type: "array", items: { $ref: "#/$defs/node" } } }, $ref: "#/$defs/node" },
    { $ref: "#/$defs/node", $defs: { node: { type: "array", items: { $ref: "#/$defs/node" } } } },
  ],
])("%s", (_, schema, expected) => expect(grammarSchema(schema)).toEqual(expected));

test.each<JsonSchema>([{}, { allOf: [{ type: "string" }] }, { $ref: "#/nowhere" }, { enum: [{}] }, { type: "odd" }])(
  "%j lets everything through",
  (schema) => expect(grammarSchema(schema)).toMatchObject({ oneOf: expect.any(Array) }),
);
