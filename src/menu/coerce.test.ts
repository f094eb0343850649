import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../model/model.ts";
import { coerce } from "./coerce.ts";
import { compileInput } from "./schema.ts";

const fields = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

/** The value of field `a` after repairs. */
function field(schema: JsonSchema, value: unknown): unknown {
  return (coerce(fields({ a: schema }), { a: value }).value as { a: unknown }).a;
}

describe("all arguments", () => {
  it.each(["", " ", "\n\t", null])("are {} when %j", (value) => {
    expect(coerce(fields({}), value)).toEqual({ value: {}, repairs: 1 });
  });

  it("may be encoded twice", () => {
    expect(coerce(fields({ a: { type: "number" } }), ' {"a": "1"} ')).toEqual({ value: { a: 1 }, repairs: 2 });
  });

  it.each([5, true, ["a"], "hello", "[1]", '{"a":'])("stay what they are when %j", (value) => {
    expect(coerce(fields({}), value)).toEqual({ value, repairs: 0 });
  });
});

describe("a text where something else is wanted", () => {
  it.each([
    [{ type: "integer" }, "42", 42],
    [{ type: "integer" }, " -7 ", -7],
    [{ type: "number" }, "4.25", 4.25],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "number" }, "42", 42],
    [{ type: ["integer", "null"] }, "42", 42],
    [{ anyOf: [{ type: "number" }, { type: "null" }] }, "0.5", 0.5],
    [{ oneOf: [{ type: "boolean" }, { type: "null" }] }, "true", true],
    [{ type: "boolean" }, "False", false],
    [{ enum: [1, 2] }, "2", 2],
    [{ const: true }, "true", true],
    [{ $ref: "#/properties/b" }, "42", "42"],
    [{ allOf: [{ type: "integer" }, { minimum: 1 }] }, "42", 42],
    [{ type: "object" }, '{"x":1}', { x: 1 }],
    [{ type: "array", items: { type: "integer" } }, '["1", 2]', [1, 2]],
    [{ anyOf: [{ type: "object" }, { type: "array" }, { type: "integer" }] }, "[1]", [1]],
    [{ anyOf: [{ type: "object" }, { type: "array" }, { type: "integer" }] }, "1", 1],
  ] as [JsonSchema, string, unknown][])("becomes it: %j, %j", (schema, text, wanted) => {
    expect(field(schema, text)).toEqual(wanted);
  });

  it.each([
    [{ type: "integer" }, "4.5"],
    [{ type: "integer" }, "42.0"],
    [{ type: "integer" }, "042"],
    [{ type: "integer" }, "0x2a"],
    [{ type: "integer" }, "12345678901234567890"],
    [{ type: "integer" }, ""],
    [{ type: "number" }, "0.12345678901234567890"],
    [{ type: "number" }, "1e999"],
    [{ type: "number" }, "1e-999"],
    [{ type: "number" }, "NaN"],
    [{ type: "number" }, "Infinity"],
    [{ type: "boolean" }, "yes"],
    [{ type: "boolean" }, "1"],
    [{ type: "object" }, "[1]"],
    [{ type: "object" }, "{x:1}"],
    [{ type: "array" }, "a,b"],
    [{ type: "null" }, "null"],
    [false, "42"],
  ] as [JsonSchema, string][])("stays where something would be lost or guessed: %j, %j", (schema, text) => {
    expect(field(schema, text)).toBe(text);
  });

  it("never becomes a text: numbers and booleans stay where a text is wanted", () => {
    expect(field({ type: "string" }, 42)).toBe(42);
    expect(field({ type: "string" }, true)).toBe(true);
  });
});

describe("a genuine text (ARGS-05)", () => {
  const schemas: JsonSchema[] = [
    { type: "string" },
    { type: ["string", "null"] },
    { type: ["integer", "string"] },
    { anyOf: [{ type: "object" }, { type: "string" }] },
    { oneOf: [{ type: "integer" }, { type: "string" }] },
    { enum: ["a", 1] },
    { const: "42" },
    {},
    { description: "anything" },
    { $ref: "#/$defs/text" },
    { allOf: [{ type: "string" }] },
    { not: { type: "number" } },
  ];
  it.each(schemas)("stays byte for byte under %j", (schema) => {
    for (const text of ['{"v":1}', '{"a":"1"}', "[1]", "42", " 42 ", "true", "null", "", "  "]) {
      const root = fields({ a: schema, b: { type: "integer" } }, { $defs: { text: { type: "string" } } });
      expect(coerce(root, { a: text, b: "1" })).toEqual({ value: { a: text, b: 1 }, repairs: 1 });
    }
  });

  it("stays in fields that no schema names", () => {
    expect(coerce(fields({ b: { type: "integer" } }), { a: "42", b: "1" }).value).toEqual({ a: "42", b: 1 });
  });
});

describe("null", () => {
  it("is dropped for an optional field, and only there", () => {
    const schema = fields(
      { a: { type: "string" }, b: { type: "string" }, c: { type: ["string", "null"] }, d: {}, e: { const: null } },
      { required: ["b"] },
    );
    const value = { a: null, b: null, c: null, d: null, e: null, f: null };
    expect(coerce(schema, value)).toEqual({ value: { b: null, c: null, d: null, e: null, f: null }, repairs: 1 });
  });

  it("is dropped in nested objects and in objects of arrays", () => {
    const point = fields({ x: { type: "number" }, y: { type: "number" } }, { required: ["x"] });
    const schema = fields({ at: point, all: { type: "array", items: point } });
    expect(coerce(schema, { at: { x: 1, y: null }, all: [{ x: "2", y: null }, null] })).toEqual({
      value: { at: { x: 1 }, all: [{ x: 2 }, null] },
      repairs: 3,
    });
  });
});

describe("the inside of objects and arrays", () => {
  it("is reached through $ref, allOf, tuples, additional and pattern properties", () => {
    const schema: JsonSchema = {
      $defs: { tree: fields({ n: { type: "integer" }, kids: { items: { $ref: "#/$defs/tree" } } }) },
      allOf: [{ $ref: "#/$defs/tree" }, fields({ m: { type: "integer" } })],
      properties: {
        pair: { prefixItems: [{ type: "string" }, { type: "integer" }], items: { type: "boolean" } },
        old: { items: [{ type: "integer" }], additionalItems: { type: "boolean" } },
        map: {
          patternProperties: { "^s_": { type: "string" } },
          additionalProperties: { type: "number" },
        },
      },
    };
    const value = {
      n: "1",
      m: "2",
      kids: [{ n: "3", kids: [{ n: "4" }] }],
      pair: ["5", "6", "true"],
      old: ["7", "false"],
      map: { s_a: "8", b: "9" },
    };
    expect(coerce(schema, value).value).toEqual({
      n: 1,
      m: 2,
      kids: [{ n: 3, kids: [{ n: 4 }] }],
      pair: ["5", 6, true],
      old: [7, false],
      map: { s_a: "8", b: 9 },
    });
  });

  it("of a union follows the one branch that can hold it", () => {
    const move = fields({ kind: { const: "move" }, by: { type: "integer" } });
    const name = fields({ kind: { enum: ["name"] }, by: { type: "string" } });
    const schema = { anyOf: [move, name, { type: "null" }] };
    expect(field(schema, { kind: "move", by: "1" })).toEqual({ kind: "move", by: 1 });
    expect(field(schema, { kind: "name", by: "1" })).toEqual({ kind: "name", by: "1" });
    expect(field({ anyOf: [move, { type: "null" }] }, { by: "1" })).toEqual({ by: 1 });
  });

  it("of a union with several such branches is left alone", () => {
    const schema = { oneOf: [fields({ by: { type: "integer" } }), fields({ by: { type: "string" } })] };
    expect(field(schema, { by: "1" })).toEqual({ by: "1" });
  });
});

describe("safety", () => {
  it("takes __proto__, constructor and toString for fields like any other", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}',
    ) as JsonSchema;
    const given = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}');
    const { value, repairs } = coerce(schema, given);
    expect(repairs).toBe(2);
    expect(JSON.stringify(value)).toBe('{"__proto__":1,"constructor":2,"toString":"3"}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    const dropped = coerce(schema, JSON.parse('{"__proto__":null,"toString":null}'));
    expect(JSON.stringify(dropped.value)).toBe('{"toString":null}');
  });

  it("does not follow endless references or depths", () => {
    const loop: JsonSchema = fields({ a: { $ref: "#/$defs/l" } }, { $defs: { l: { $ref: "#/$defs/l" } } });
    expect(coerce(loop, { a: "42" })).toEqual({ value: { a: "42" }, repairs: 0 });
    let deep: unknown = "1";
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const list = fields({ a: { $ref: "#/$defs/l" } }, { $defs: { l: { items: { $ref: "#/$defs/l" } } } });
    expect(coerce(list, { a: deep }).repairs).toBe(0);
  });

  const leaf = fc.constantFrom<JsonSchema>(
    { type: "string" },
    { type: "integer" },
    { type: ["boolean", "null"] },
    { anyOf: [{ type: "object" }, { type: "string" }] },
    { type: "array", items: { type: "number" } },
    fields({ x: { type: "integer" }, y: { type: "string" } }, { required: ["x"] }),
    {},
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>("42", "true", '{"x":"1","y":null}', '["1"]', null, { x: "1", y: null }, ["1", "a"]),
  );
  const keys = fc.constantFrom("a", "b", "__proto__", "constructor");
  const dictionary = <T>(of: fc.Arbitrary<T>) =>
    fc.array(fc.tuple(keys, of), { maxLength: 4 }).map((pairs) => {
      const made: { [key: string]: T } = {};
      for (const [key, item] of pairs) {
        Object.defineProperty(made, key, { value: item, enumerable: true, configurable: true, writable: true });
      }
      return made;
    });

  it("never changes what it is given, leaves what is valid alone, and is done after one pass", () => {
    fc.assert(
      fc.property(dictionary(leaf), dictionary(value), (properties, given) => {
        const schema = fields(properties as JsonSchema);
        const before = JSON.stringify(given);
        const { value: repaired, repairs } = coerce(schema, given);
        expect(JSON.stringify(given)).toBe(before);
        if (repairs === 0) expect(repaired).toBe(given);
        const check = compileInput(schema).validate(given);
        if (!(check instanceof Promise) && check.issues === undefined) expect(repaired).toBe(given);
        expect(coerce(schema, repaired)).toEqual({ value: repaired, repairs: 0 });
      }),
      { numRuns: 1000 },
    );
  });
});
