import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../model/model.ts";
import { compileInput } from "./schema.ts";
import type { ToolInput } from "./tool.ts";

const inputs: [string, ToolInput][] = [
  ["zod", z.object({ city: z.string(), items: z.array(z.object({ name: z.string() })).optional() })],
  ["arktype", type({ city: "string", "items?": type({ name: "string" }).array() })],
  [
    "valibot",
    toStandardJsonSchema(v.object({ city: v.string(), items: v.optional(v.array(v.object({ name: v.string() }))) })),
  ],
  [
    "valibot with its JSON Schema beside it",
    {
      schema: v.object({ city: v.string(), items: v.optional(v.array(v.object({ name: v.string() }))) }),
      jsonSchema: {
        type: "object",
        properties: {
          city: { type: "string" },
          items: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        },
        required: ["city"],
      },
    },
  ],
  ...(["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", undefined] as const).map(
    ($schema): [string, ToolInput] => [
      `raw JSON Schema ${$schema}`,
      {
        ...($schema === undefined ? {} : { $schema }),
        type: "object",
        properties: { city: { type: "string" }, items: { type: "array", items: { $ref: "#/definitions/item" } } },
        required: ["city"],
        definitions: { item: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
      },
    ],
  ),
];

describe.each(inputs)("an input of %s", (_, input) => {
  it("says itself as JSON Schema", () => {
    const { jsonSchema } = compileInput(input);
    expect(jsonSchema).toMatchObject({ type: "object", properties: { city: { type: "string" } }, required: ["city"] });
    expect(compileInput(input).jsonSchema).toBe(jsonSchema);
  });

  it("validates without a promise and says where a value is wrong", () => {
    const compiled = compileInput(input);
    const good = { city: "Rome", items: [{ name: "a" }] };
    expect(compiled.validate(good)).toEqual({ value: good });
    const bad = compiled.validate({ city: 1, items: [{ name: "a" }, { name: "b" }, { name: 3 }] });
    const issues = "issues" in bad ? (bad.issues ?? []) : [];
    expect(issues.map((issue) => issue.path)).toEqual(["city", "items[2].name"]);
    for (const issue of issues) expect(issue.message).toMatch(/string/i);
  });

  it("is compiled once", () => {
    expect(compileInput(input)).toBe(compileInput(input));
  });
});

function issuesOf(schema: JsonSchema, value: unknown): string[] {
  const result = compileInput(schema).validate(value);
  if (result instanceof Promise) throw new Error("a raw schema is synchronous");
  return (result.issues ?? []).map(({ path, message }) => `${path}: ${message}`);
}

describe("what a Standard Schema does", () => {
  it("changes the value: defaults and conversions reach the caller", () => {
    const compiled = compileInput(z.object({ days: z.number().default(3), city: z.string().trim() }));
    expect(compiled.validate({ city: " Rome " })).toEqual({ value: { city: "Rome", days: 3 } });
    expect(compiled.jsonSchema.required).toEqual(["city"]);
  });

  it("may take a promise", async () => {
    const compiled = compileInput(z.object({ id: z.string().refine(async (id) => id === "a", "is unknown") }));
    const result = compiled.validate({ id: "b" });
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toEqual({ issues: [{ path: "id", message: "is unknown" }] });
    expect(await compiled.validate({ id: "a" })).toEqual({ value: { id: "a" } });
  });

  it("may throw, at once or later: an issue, not an exception", async () => {
    const bang = () => {
      throw new Error("bang\nsecond line");
    };
    const issues = [{ path: "", message: "could not be checked (bang)" }];
    const throwing = (validate: () => never | Promise<never>): ToolInput => ({
      schema: { "~standard": { version: 1, vendor: "mine", validate } },
      jsonSchema: {},
    });
    expect(compileInput(throwing(bang)).validate({})).toEqual({ issues });
    expect(await compileInput(throwing(async () => bang())).validate({})).toEqual({ issues });
  });

  it("is bounded to 20 issues", () => {
    const result = compileInput(z.object({ a: z.array(z.string()) })).validate({ a: Array(1000).fill(1) });
    expect("issues" in result && result.issues?.length).toBe(20);
  });
});

describe("a raw JSON Schema", () => {
  it("tells what is wrong in words for the model", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        a: { type: "string" },
        n: { type: ["integer", "null"] },
        e: { enum: ["x", "y"] },
        c: { const: 1 },
        "odd/key ~": { type: "boolean" },
        u: { anyOf: [{ type: "number" }, { type: "object", properties: { k: { type: "string" } }, required: ["k"] }] },
      },
      required: ["a"],
      additionalProperties: false,
    };
    expect(issuesOf(schema, { n: "1", e: "z", c: 2, "odd/key ~": 1, u: {}, extra: 1 })).toEqual([
      "a: is required",
      "n: must be integer or null, not string",
      'e: must be one of ["x","y"]',
      "c: must be 1",
      '["odd/key ~"]: must be boolean, not number',
      "u: fits none of the alternatives: must be number, not object; or u.k is required",
      "extra: is not allowed",
    ]);
    expect(issuesOf(schema, 5)).toEqual([": must be object, not number"]);
  });

  it("says so when a value fits several branches of oneOf", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } } };
    expect(issuesOf(schema, { a: 3 })).toEqual(["a: must fit exactly one of the alternatives, but fits several"]);
    expect(issuesOf(schema, { a: 1 })).toEqual([]);
  });

  it("may refer to itself", () => {
    const tree: JsonSchema = {
      type: "object",
      properties: { name: { type: "string" }, kids: { type: "array", items: { $ref: "#" } } },
      required: ["name"],
    };
    expect(issuesOf(tree, { name: "a", kids: [{ name: "b", kids: [{ name: "c" }] }] })).toEqual([]);
    expect(issuesOf(tree, { name: "a", kids: [{ name: "b", kids: [{}] }] })).toEqual([
      "kids[0].kids[0].name: is required",
    ]);
  });

  it("knows the exclusive bounds of draft 4, also unnamed", () => {
    for (const $schema of ["http://json-schema.org/draft-04/schema#", undefined]) {
      const schema = {
        ...($schema === undefined ? {} : { $schema }),
        type: "object",
        properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true } },
      };
      expect(issuesOf(schema, { n: 0.5 })).toEqual([]);
      expect(issuesOf(schema, { n: 0 })).toHaveLength(1);
    }
    const newer = { type: "object", properties: { n: { exclusiveMinimum: 0 } } };
    expect(issuesOf(newer, { n: 0 })).toHaveLength(1);
  });

  it("knows what else 2020-12 says", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { pair: { prefixItems: [{ type: "string" }, { type: "number" }], items: false }, mode: {} },
      if: { properties: { mode: { const: "x" } }, required: ["mode"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["why"] },
      unevaluatedProperties: { type: "string" },
    };
    expect(issuesOf(schema, { pair: ["a", 1], mode: "y" })).toEqual([]);
    expect(issuesOf(schema, { pair: ["a", "b", 3] })).toEqual([
      "pair[1]: must be number, not string",
      "pair[2]: is not allowed",
    ]);
    expect(issuesOf(schema, { mode: "x" })).toEqual(["why: is required"]);
    expect(issuesOf(schema, { more: 1 })).toEqual(["more: must be string, not number"]);
  });

  it("works frozen, shared between tools, and unchanged", () => {
    const item = Object.freeze({ $ref: "#/$defs/id" });
    const make = () =>
      Object.freeze({ type: "object", properties: { a: item, b: item }, $defs: { id: { type: "integer" } } });
    const before = JSON.stringify(make());
    for (const schema of [make(), make()]) {
      expect(issuesOf(schema, { a: 1, b: "x" })).toEqual(["b: must be integer, not string"]);
      expect(JSON.stringify(schema)).toBe(before);
    }
  });

  it("stays as it was when its author changes it later", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const compiled = compileInput(schema);
    const before = JSON.stringify(compiled.jsonSchema);
    schema.properties.a.type = "number";
    expect(JSON.stringify(compiled.jsonSchema)).toBe(before);
    expect(compiled.validate({ a: "x" })).toEqual({ value: { a: "x" } });
  });

  it("treats __proto__ and constructor as names like any other", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["constructor"]}',
    ) as JsonSchema;
    expect(issuesOf(schema, JSON.parse('{"__proto__":1}'))).toEqual([
      "constructor: is required",
      "__proto__: must be string, not number",
    ]);
  });

  it("survives values that its validator cannot take", () => {
    const schema: JsonSchema = { type: "object", additionalProperties: { minLength: 2 } };
    expect(issuesOf(schema, { "\ud800": "x" })).toEqual([": could not be checked (URI malformed)"]);
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const recursive: JsonSchema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/l" } },
      $defs: { l: { items: { $ref: "#/$defs/l" } } },
    };
    expect(issuesOf(recursive, { a: deep })).toHaveLength(1);
    expect(
      issuesOf({ type: "object", properties: { a: { items: { type: "string" } } } }, { a: Array(5000).fill(1) }),
    ).toHaveLength(20);
  });
});

describe("no input", () => {
  it("takes any object", () => {
    const compiled = compileInput(undefined);
    expect(compiled.jsonSchema).toEqual({ type: "object", properties: {} });
    expect(compiled.validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(compiled.validate([])).toEqual({ issues: [{ path: "", message: "must be object" }] });
  });
});
