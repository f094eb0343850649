import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import { acceptedSchema } from "./accepted.ts";
import { type Dialect, dialects } from "./dialect.ts";

const { openai, anthropic, gemini, bedrock, compatible, ollama } = dialects;
const all = Object.values(dialects);

/** What a field of this schema is shown as. */
function field(schema: unknown, dialect: Dialect, more: object = {}): JsonObject {
  const accepted = acceptedSchema({ type: "object", properties: { x: schema }, ...more }, dialect);
  if (!("schema" in accepted)) throw new Error(JSON.stringify(accepted));
  return (accepted.schema.properties as { x: JsonObject }).x;
}

/** The arguments as a dialect is shown them. */
function shown(schema: unknown, dialect: Dialect): JsonObject {
  const accepted = acceptedSchema(schema, dialect);
  if (!("schema" in accepted)) throw new Error(JSON.stringify(accepted));
  return accepted.schema;
}

const refusal = (schema: unknown, dialect: Dialect = openai) => {
  const accepted = acceptedSchema(schema, dialect);
  return "refused" in accepted ? accepted.refused : accepted;
};

describe("drafts", () => {
  const old = (keywords: object) => ({ $schema: "http://json-schema.org/draft-04/schema#", ...keywords });

  test("draft 4: a bound that is out itself, definitions, ids", () => {
    const schema = old({
      id: "https://example.test/root",
      type: "object",
      properties: {
        n: { minimum: 0, exclusiveMinimum: true, type: "number" },
        s: { $ref: "#/definitions/s", description: "S." },
      },
      definitions: { s: { type: "string", maxLength: 3 } },
    });
    expect(shown(schema, anthropic)).toEqual({
      type: "object",
      properties: {
        n: { type: "number", exclusiveMinimum: 0 },
        s: { type: "string", maxLength: 3, description: "S." },
      },
    });
  });

  test("up to draft 7 nothing counts beside a reference; later everything does", () => {
    const properties = { x: { $ref: "#/definitions/s", maxLength: 3 } };
    const definitions = { s: { type: "string", maxLength: 5 } };
    const in7 = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties, definitions };
    expect(shown(in7, anthropic).properties).toEqual({ x: { type: "string", maxLength: 5 } });
    expect(shown({ type: "object", properties, definitions }, anthropic).properties).toEqual({
      x: { type: "string", maxLength: 3 },
    });
  });

  test("lists of items, dependencies, nullable, what 2020-12 calls otherwise", () => {
    const tuple = { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false };
    expect(field(tuple, anthropic)).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      maxItems: 2,
    });
    expect(field(tuple, openai)).toMatchObject({
      items: { anyOf: [{ type: "string" }, { type: "integer" }] },
      maxItems: 2,
    });
    const both = {
      type: "array",
      prefixItems: [{ type: "string" }],
      items: [{}, { type: "null" }],
      additionalItems: false,
    };
    expect(field(both, anthropic)).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }, { type: "null" }],
      maxItems: 2,
    });
    const depends = { type: "object", dependencies: { a: ["b"], c: { required: ["d"] } } };
    expect(field(depends, anthropic)).toEqual({
      type: "object",
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] } },
    });
  });

  test("anchors and ids are found, nothing is fetched", () => {
    const schema = {
      $id: "https://example.test/root.json",
      type: "object",
      properties: { a: { $ref: "#here" }, b: { $ref: "other.json" } },
      $defs: { h: { $anchor: "here", type: "string" }, o: { $id: "other.json", type: "integer" } },
    };
    expect(shown(schema, gemini).properties).toEqual({ a: { type: "string" }, b: { type: "integer" } });
  });
});

describe("what is put in other words", () => {
  test("constants and lists of values", () => {
    expect(field({ const: "a" }, gemini)).toEqual({ type: "string", enum: ["a"] });
    expect(field({ const: "a" }, openai)).toEqual({ type: "string", const: "a" });
    expect(field({ enum: [1, 5, 3] }, gemini)).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 5,
      description: "One of 1, 5, 3.",
    });
    expect(field({ enum: ["a", 1, null] }, gemini)).toEqual({
      anyOf: [
        { type: "string", enum: ["a"] },
        { type: "integer", minimum: 1, maximum: 1, description: "Always 1." },
        { type: "null" },
      ],
    });
    expect(field({ const: true, description: "Must." }, gemini)).toEqual({
      type: "boolean",
      description: "Must. Always true.",
    });
    expect(field({ type: "string", enum: ["", "a"] }, gemini)).toEqual({
      type: "string",
      description: 'One of "", "a".',
    });
    expect(field({ enum: [{ a: 1 }] }, compatible)).toEqual({ type: "object", description: 'Always {"a":1}.' });
    expect(field({ enum: [{ a: 1 }] }, anthropic)).toEqual({ enum: [{ a: 1 }] });
  });

  test("several types", () => {
    const schema = {
      type: ["string", "array", "null"],
      minLength: 1,
      items: { type: "string" },
      description: "Names.",
    };
    expect(field(schema, openai)).toEqual(schema);
    expect(field(schema, bedrock)).toEqual({
      anyOf: [{ type: "string", minLength: 1 }, { type: "array", items: { type: "string" } }, { type: "null" }],
      description: "Names.",
    });
  });

  test("bounds", () => {
    expect(field({ type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 9.5 }, gemini)).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 9,
    });
    expect(field({ type: "number", exclusiveMinimum: 0 }, gemini)).toEqual({
      type: "number",
      minimum: 0,
      description: "More than 0.",
    });
    expect(field({ type: "string", maxLength: 5_000, minLength: 2 }, compatible)).toEqual({
      type: "string",
      minLength: 2,
      description: "At most 5000 characters.",
    });
  });

  test("patterns and formats that a provider does not take", () => {
    expect(field({ type: "string", pattern: "^(?!a)b$", format: "uri" }, openai)).toEqual({
      type: "string",
      description: "Matches the pattern ^(?!a)b$ . Format: uri.",
    });
    expect(field({ type: "string", pattern: "^a$", format: "date" }, openai)).toEqual({
      type: "string",
      pattern: "^a$",
      format: "date",
    });
    expect(field({ type: "string", pattern: "a" }, compatible)).toEqual({
      type: "string",
      description: "Matches the pattern a .",
    });
  });

  test("unions: none of several, beside nothing where that is refused", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(field(schema, anthropic)).toEqual(schema);
    expect(field(schema, openai)).toEqual({
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { a: { type: "string" }, b: expect.anything() }, required: ["b"] },
      ],
    });
  });

  test("what is said together is merged", () => {
    const schema = {
      allOf: [
        { type: "object", properties: { a: { type: "string", minLength: 1, maxLength: 9 } }, required: ["a"] },
        { properties: { a: { minLength: 2, maxLength: 3 }, b: { type: ["integer", "null"] } }, required: ["b"] },
        { properties: { b: { type: "number" } } },
      ],
      unevaluatedProperties: false,
    };
    expect(field(schema, openai)).toEqual({
      type: "object",
      properties: { a: { type: "string", minLength: 2, maxLength: 3 }, b: { type: "integer" } },
      required: ["a", "b"],
      additionalProperties: false,
    });
  });

  test("patterns of names open what would be closed", () => {
    const schema = { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false };
    for (const dialect of [openai, anthropic]) {
      expect(field(schema, dialect)).toEqual({
        type: "object",
        additionalProperties: { type: "string" },
        description: "Field names may match ^x- .",
      });
    }
  });

  test("rules that a provider has no word for are told", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      not: { required: ["b"] },
      minProperties: 1,
    };
    expect(field(schema, anthropic)).toEqual(schema);
    expect(field(schema, gemini)).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      description: 'At least 1 fields. Has to fit {"not":{"required":["b"]}}.',
    });
  });
});

describe("the arguments themselves", () => {
  test.each([undefined, null, {}, { type: "null" }, { type: ["object", "null"] }, { properties: {} }])(
    "none: %j",
    (schema) => {
      for (const dialect of all) expect(shown(schema, dialect)).toEqual({ type: "object", properties: {} });
    },
  );

  test("alternatives become one object that says which they are", () => {
    const branch = (kind: string, more: object) => ({
      type: "object",
      properties: { kind: { const: kind }, ...more },
      required: ["kind", ...Object.keys(more)],
    });
    const schema = { oneOf: [branch("a", { x: { type: "string" } }), branch("b", { x: { type: "integer" } })] };
    expect(shown(schema, openai)).toEqual({
      type: "object",
      description: 'Takes one of these forms: kind "a" with x; kind "b" with x.',
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        x: { anyOf: [{ type: "string" }, { type: "integer" }] },
      },
      required: ["kind", "x"],
    });
    expect(acceptedSchema(schema, bedrock)).toMatchObject({
      note: 'Takes one of these forms: kind "a" with x; kind "b" with x.',
    });
    expect(Object.keys(shown(schema, bedrock))).toEqual(["type", "properties", "required"]);
  });

  test("a name that is required and not declared is declared", () => {
    expect(shown({ type: "object", required: ["a"], additionalProperties: { type: "string" } }, gemini)).toMatchObject({
      properties: { a: { type: "string" } },
      required: ["a"],
    });
  });
});

describe("schemas that hold themselves", () => {
  const node = {
    type: "object",
    properties: { value: { type: "string" }, next: { $ref: "#/$defs/node" } },
    required: ["value"],
  };
  const schema = {
    type: "object",
    properties: { first: { $ref: "#/$defs/node" } },
    $defs: { node, unused: { type: "string" } },
  };

  test("by reference where there are references", () => {
    for (const dialect of [openai, anthropic]) {
      expect(shown(schema, dialect)).toEqual({
        type: "object",
        properties: { first: { $ref: "#/$defs/node" } },
        $defs: { node },
      });
    }
  });

  test("else some levels deep, then open", () => {
    const level = (next: object) => ({ ...node, properties: { value: { type: "string" }, next } });
    for (const dialect of [gemini, bedrock, compatible, ollama]) {
      const open = dialect === gemini ? { type: "object", additionalProperties: true } : { type: "object" };
      expect(shown(schema, dialect).properties).toEqual({ first: level(level(open)) });
    }
  });

  test("a root that is a reference", () => {
    expect(shown({ $ref: "#/$defs/node", $defs: { node } }, openai)).toEqual({ ...node, $defs: { node } });
  });
});

describe("refused, with keyword and place", () => {
  test.each([
    [{ type: "array", items: {} }, "type", "#"],
    [{ type: "object", properties: { a: { $ref: "https://example.test/x.json#/a" } } }, "$ref", "#/properties/a/$ref"],
    [{ type: "object", properties: { a: { items: { $ref: "#/$defs/none" } } } }, "$ref", "#/properties/a/items/$ref"],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, "$ref", "#/$ref"],
    [{ type: "object", properties: { "a/b": "string" } }, "properties", "#/properties/a~1b"],
    [{ type: "object", properties: ["a"] }, "properties", "#/properties"],
    [{ type: "object", properties: { a: false }, required: ["a"] }, "required", "#/properties/a"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "anyOf", "#"],
    ["string", "type", "#"],
  ])("%j", (schema, keyword, path) => {
    for (const dialect of all) expect(refusal(schema, dialect)).toEqual({ keyword, path, reason: expect.any(String) });
  });

  test("objects that no JSON can be made of never throw", () => {
    const cycle: { [key: string]: unknown } = { type: "object" };
    cycle.properties = { self: cycle };
    const thrower = {
      type: "object",
      properties: {
        get a(): never {
          throw new Error("no");
        },
      },
    };
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("never");
        },
      },
    );
    expect(refusal(cycle)).toMatchObject({ keyword: "properties", path: "#/properties/self" });
    expect(refusal(thrower)).toMatchObject({ keyword: "properties", path: "#/properties/a" });
    expect(refusal(hostile)).toMatchObject({ reason: "never" });
  });
});

describe("large ones", () => {
  test("ten thousand levels are shown as deep as is useful", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 10_000; level++) deep = { type: "object", properties: { a: deep } };
    for (const dialect of all) {
      const depth = JSON.stringify(shown(deep, dialect)).split('"properties"').length;
      expect(depth).toBeLessThan(70);
    }
  });

  test("references that multiply do not", () => {
    const $defs: { [name: string]: object } = { d0: { type: "string" } };
    for (let at = 1; at < 40; at++) {
      const ref = { $ref: `#/$defs/d${at - 1}` };
      $defs[`d${at}`] = { type: "object", properties: { a: ref, b: ref, c: ref } };
    }
    for (const dialect of all) {
      const accepted = acceptedSchema({ type: "object", properties: { x: { $ref: "#/$defs/d39" } }, $defs }, dialect);
      expect(JSON.stringify(accepted).length).toBeLessThan(500_000);
    }
  });

  test("five megabytes of fields and values", () => {
    const values = Array.from({ length: 100_000 }, (_, at) => `value number ${at}`);
    const fields = Array.from({ length: 1_500 }, (_, at) => [
      `field_${at}`,
      { type: "string", description: "d".repeat(2_000) },
    ]);
    const schema = { type: "object", properties: { x: { enum: values }, ...Object.fromEntries(fields) } };
    expect(JSON.stringify(schema).length).toBeGreaterThan(5_000_000);
    for (const dialect of all) expect(Object.keys(shown(schema, dialect).properties as object)).toHaveLength(1_501);
  });
});
