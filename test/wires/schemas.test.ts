import { describe, expect, test } from "vitest";
import { type JsonSchema, tool } from "../../src/core.ts";
import { asked, resultsOf } from "./declared.ts";
import { declaredIn, rulesOf } from "./declared-tools.ts";
import { problemsOf } from "./schema-rules.ts";
import { wires } from "./wires.ts";

const good = (at: number) =>
  tool({
    name: `good_${at}`,
    description: "Does well.",
    input: { type: "object", properties: { at: { type: "integer" } } },
    execute: () => "ok",
  });

/** A tool with this schema, and what its calls were run with. */
function recording(input: JsonSchema | undefined, name = "probe") {
  const got: unknown[] = [];
  const execute = (args: unknown) => {
    got.push(args);
    return "ok";
  };
  const made = { spec: { name, description: "Probes.", ...(input && { parameters: input }) }, execute };
  return { tool: made, got };
}

describe.each(wires)("$name", (wire) => {
  const rules = rulesOf(wire.name);

  test("SCHEMA-01 unknown keywords and values that are no texts never leave, and the original still decides", async () => {
    const field = {
      type: ["integer", "null"],
      exclusiveMinimum: 0,
      multipleOf: 2,
      default: 2,
    };
    const input = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      additionalProperties: false,
      properties: {
        level: { type: "integer", enum: [0, 1], description: "How loud." },
        kind: { const: "report" },
        link: { type: "string", format: "uri" },
        list: {
          type: "array",
          uniqueItems: true,
          items: { anyOf: [field, { type: "object", properties: { field } }] },
        },
        map: { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: { type: "number" } },
      },
      required: ["level"],
    };
    const before = JSON.stringify(input);
    const { tool: probe, got } = recording(input);
    const { declared, messages } = await asked(
      wire,
      [probe],
      [
        [0, '{"level":1,"kind":"report","list":[2,{"field":4}],"map":{"a":1.5}}'],
        [0, '{"level":"0"}'],
        [0, '{"level":2}'],
        [0, '{"level":1,"list":[3]}'],
        [0, '{"level":1,"other":1}'],
      ],
    );
    const [{ schema }] = declared as [(typeof declared)[0]];
    expect(problemsOf(schema, rules)).toEqual([]);
    expect(JSON.stringify(input)).toBe(before);
    // Nothing of the meaning is lost: what is no keyword any more stands in words.
    const { level, kind, link } = schema.properties as { [name: string]: { [keyword: string]: unknown } };
    expect(level).toMatchObject({ type: "integer", description: expect.stringContaining("How loud.") });
    expect(JSON.stringify(level)).toMatch(/0, ?1/);
    expect(JSON.stringify(kind)).toContain('"report"');
    expect(JSON.stringify(link)).toMatch(/uri/);
    expect(JSON.stringify(schema)).toMatch(/multiple/i);
    expect(got).toEqual([{ level: 1, kind: "report", list: [2, { field: 4 }], map: { a: 1.5 } }, { level: 0 }]);
    const refused = resultsOf(messages).slice(2);
    expect(refused).toHaveLength(3);
    for (const text of refused) expect(text).toContain("are not valid");
  });

  test("SCHEMA-03 a tool without parameters, however it says so", async () => {
    const forms: (JsonSchema | undefined)[] = [
      undefined,
      {},
      { type: "object" },
      { $schema: "https://json-schema.org/draft/2020-12/schema" },
      { type: "null" },
      { properties: {} },
    ];
    const probes = forms.map((form, at) => recording(form, `probe_${at}`));
    const calls = forms.map((_, at) => [at, at % 2 === 0 ? "" : "{}"] as const);
    const { declared } = await asked(
      wire,
      probes.map((probe) => probe.tool),
      calls,
    );
    expect(declared.map(({ schema }) => schema)).toEqual(forms.map(() => ({ type: "object", properties: {} })));
    expect(probes.map((probe) => probe.got)).toEqual(forms.map(() => [{}]));
  });

  test("SCHEMA-05 a field without a type beside twenty good tools keeps the type of its values", async () => {
    const { tool: probe, got } = recording({ type: "object", properties: { value: { description: "Any value." } } });
    const values = ["text", 7, 1.5, true, null, [1, ["a"]], { a: { b: 1 } }];
    const calls = values.map((value) => [20, JSON.stringify({ value })] as const);
    const { declared, events } = await asked(wire, [...Array.from({ length: 20 }, (_, at) => good(at)), probe], calls);
    expect(declared).toHaveLength(21);
    for (const { schema } of declared) expect(problemsOf(schema, rules)).toEqual([]);
    expect(declared[20]?.schema.properties).toMatchObject({ value: { description: "Any value." } });
    expect(got).toEqual(values.map((value) => ({ value })));
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
  });

  test("SCHEMA-07 parameters may be called like keywords", async () => {
    const names = [
      "title",
      "properties",
      "type",
      "enum",
      "default",
      "format",
      "items",
      "const",
      "required",
      "$ref",
      "$defs",
    ];
    names.push("__proto__", "constructor", "description", "anyOf", "not");
    const fields = names.map((name, at) => [
      name,
      { type: at % 2 === 0 ? "string" : "integer", description: `D ${at}` },
    ]);
    const schema = { type: "object", properties: Object.fromEntries(fields), required: ["title", "type"] };
    const nested = {
      type: "object",
      properties: { in: { ...schema, items: undefined }, out: schema.properties.items },
    };
    // Google's package reads no reply that has this name in it.
    const said = wire.name === "Gemini" ? names.filter((name) => name !== "__proto__") : names;
    const values = said.map((name) => [name, names.indexOf(name) % 2 === 0 ? "x" : 1]);
    const probes = [recording(schema, "flat"), recording(nested as JsonSchema, "nested")];
    const args = Object.fromEntries(values);
    const { declared } = await asked(
      wire,
      probes.map((probe) => probe.tool),
      [
        [0, JSON.stringify(args)],
        [1, JSON.stringify({ in: args })],
      ],
    );
    // Some look at the names of arguments: there such a one is told of instead.
    const taken = fields.filter(([name]) => rules.argumentNames?.test(name as string) !== false);
    const [flat, deep] = declared.map((one) => one.schema) as [JsonSchema, JsonSchema];
    expect(flat).toMatchObject({ required: ["title", "type"] });
    expect(Object.entries(flat.properties as object)).toEqual(taken);
    for (const [name] of fields) expect(JSON.stringify(flat)).toContain(JSON.stringify(name).slice(1, -1));
    expect(Object.entries((deep as never as typeof nested).properties.in.properties)).toEqual(fields);
    for (const one of [flat, deep]) expect(problemsOf(one, rules)).toEqual([]);
    expect(probes.map((probe) => Object.entries(probe.got[0] as object))).toEqual([values, [["in", args]]]);
  });

  test("SCHEMA-09 nothing is strict: optional fields stay optional, maps stay open, null for an optional field goes", async () => {
    const input = {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "number" },
        m: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["a"],
    };
    const { tool: probe, got } = recording(input);
    const { declared, bodies } = await asked(
      wire,
      [probe],
      [
        [0, '{"a":"x"}'],
        [0, '{"a":"x","b":null,"m":{"k":"v"}}'],
      ],
    );
    expect(declared[0]).toMatchObject({ schema: { required: ["a"] } });
    expect([undefined, false]).toContain(declared[0]?.strict);
    expect(JSON.stringify(declared[0]?.schema)).toMatch(/fields fit|additionalProperties/);
    expect(got).toEqual([{ a: "x" }, { a: "x", m: { k: "v" } }]);
    // And what is declared is the same bytes in every round.
    const [first, second] = bodies.map((body) => JSON.stringify(declaredIn(body)));
    expect(second).toBe(first);
  });
});
