import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../model.ts";
import { strictSchema } from "./strict-schema.ts";

const text = { type: "string" };
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const nested = (depth: number): JsonSchema => (depth === 1 ? object({ a: text }) : object({ a: nested(depth - 1) }));
const many = (count: number, one: (at: number) => JsonSchema) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, one(at)]));

describe("taken as they are", () => {
  test.each<[string, JsonSchema]>([
    ["fields of all types", object({ a: text, b: { type: "integer", minimum: 1 }, c: { type: ["boolean", "null"] } })],
    ["no fields", object({})],
    ["lists of objects", object({ a: { type: "array", items: object({ b: text }), minItems: 1 } })],
    ["choices", object({ a: { anyOf: [text, { type: "null" }] }, b: { type: "string", enum: ["x", "y"] } })],
    ["a constant", object({ a: { type: "string", const: "x", description: "Always x." } })],
    ["known formats and plain patterns", object({ a: { type: "string", format: "date", pattern: "^\\d+$" } })],
    [
      "definitions",
      object({ a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } }, { $defs: { A: object({ x: text }) } }),
    ],
    ["a field called as a keyword", object({ default: text, $ref: text, __proto__x: text })],
    ["five levels", nested(5)],
    ["a hundred properties", object(many(100, () => text))],
  ])("%s", (_, schema) => {
    expect(strictSchema(schema)).toEqual(schema);
  });
});

describe("closed", () => {
  test("what says nothing about further properties, at every depth", () => {
    const open = { type: "object", properties: { a: text }, required: ["a"] };
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { one: open, all: { type: "array", items: open }, any: { anyOf: [open, { $ref: "#/$defs/O" }] } },
      required: ["one", "all", "any"],
      $defs: { O: open },
    };
    const closed = { ...open, additionalProperties: false };
    expect(strictSchema(schema)).toEqual({
      type: "object",
      properties: {
        one: closed,
        all: { type: "array", items: closed },
        any: { anyOf: [closed, { $ref: "#/$defs/O" }] },
      },
      required: ["one", "all", "any"],
      additionalProperties: false,
      $defs: { O: closed },
    });
  });

  test("a usual schema of a library", () => {
    const schema = z.object({
      name: z.string(),
      age: z.number().int(),
      kind: z.enum(["a", "b"]),
      nick: z.string().nullable(),
      tags: z.array(z.object({ tag: z.string().describe("One word.") })),
    });
    const said = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
    expect(strictSchema(said)).toMatchObject({ type: "object", additionalProperties: false });
  });
});

describe("refused", () => {
  const refuses: readonly [string, JsonSchema][] = [
    ["a list", { type: "array", items: text }],
    ["a choice at the root", { anyOf: [object({}), object({ a: text })] }],
    ["a choice of types at the root", { ...object({}), type: ["object", "null"] }],
    ["a reference at the root", { $ref: "#/$defs/A", $defs: { A: object({}) } }],
    ["an optional field", object({ a: text }, { required: [] })],
    ["a required field that is not said", object({ a: text }, { required: ["a", "b"] })],
    ["a field that is required twice", object({ a: text, b: text }, { required: ["a", "a"] })],
    ["an open object", object({ a: text }, { additionalProperties: true })],
    ["a map", object({ a: { type: "object", additionalProperties: text } })],
    ["an object without properties", object({ a: { type: "object" } })],
    ["patterns of names", object({}, { patternProperties: { "^a": text } })],
    ["anything", object({ a: {} })],
    ["a boolean schema", object({ a: true as never })],
    ["an unknown type", object({ a: { type: "date" } })],
    ["a list of anything", object({ a: { type: "array" } })],
    ["a tuple", object({ a: { type: "array", prefixItems: [text], items: text } })],
    ["oneOf", object({ a: { oneOf: [text] } })],
    ["allOf", object({ a: { allOf: [text] } })],
    ["not", object({ a: { ...text, not: { const: "" } } })],
    ["if", object({ a: text }, { if: {} })],
    ["a default", object({ a: { ...text, default: "x" } })],
    ["a length", object({ a: { ...text, minLength: 1 } })],
    ["an unknown format", object({ a: { ...text, format: "uri" } })],
    ["a pattern that looks ahead", object({ a: { ...text, pattern: "^(?!x)" } })],
    ["a bound of an old draft", object({ a: { type: "number", minimum: 1, exclusiveMinimum: true } })],
    ["enum without a type", object({ a: { enum: ["x", 1] } })],
    ["a recursion", object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: object({ a: { $ref: "#/$defs/A" } }) } })],
    ["a recursion to the root", object({ a: { $ref: "#" } })],
    ["a reference to nothing", object({ a: { $ref: "#/$defs/toString" } }, { $defs: {} })],
    ["a reference elsewhere", object({ a: { $ref: "https://a.example/b.json" } })],
    ["words beside a reference", object({ a: { $ref: "#/$defs/A", description: "A." } }, { $defs: { A: text } })],
    ["a definition that is open", object({}, { $defs: { A: { type: "object" } } })],
    ["six levels", nested(6)],
    ["too many properties", object(many(101, () => text))],
    ["too many values", object({ a: { type: "integer", enum: Array.from({ length: 501 }, (_, at) => at) } })],
  ];
  test.each(refuses)("%s", (_, schema) => {
    expect(strictSchema(schema)).toBe(undefined);
  });

  test("references that double at every step, quickly", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = at === 59 ? text : { $ref: `#/$defs/D${at + 1}` };
        return [`D${at}`, { anyOf: [next, next] }];
      }),
    );
    expect(strictSchema(object({ a: { $ref: "#/$defs/D0" } }, { $defs }))).toBe(undefined);
  });
});
