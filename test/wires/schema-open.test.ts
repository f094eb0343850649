import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, tool } from "../../src/core.ts";
import { declaredIn, rulesOf } from "./declared-tools.ts";
import { called } from "./raw/said.ts";
import { problemsOf } from "./schema-rules.ts";
import { type Talk, talk } from "./talk.ts";
import { wires } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const open = { type: "object", additionalProperties: true };
const texts = { type: "object", additionalProperties: { type: "string" } };

/** Objects of any fields, however their author says so, and what Gemini is shown: there fields that nobody speaks of stay empty. */
const fields = [
  { name: "free", schema: { type: "object" }, gemini: open },
  { name: "said", schema: { type: "object", additionalProperties: true }, gemini: open },
  { name: "bare", schema: { type: "object", additionalProperties: {} }, gemini: open },
  { name: "texts", schema: texts, gemini: texts },
  { name: "byPattern", schema: { type: "object", patternProperties: { "^x-": { type: "string" } } }, gemini: {} },
  {
    name: "more",
    schema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "integer" } },
    gemini: { properties: { a: { type: "string" } }, additionalProperties: { type: "integer" } },
  },
  {
    name: "list",
    schema: { type: "array", items: { type: "object" } },
    gemini: { type: "array", items: open },
  },
  { name: "either", schema: { type: ["object", "null"] }, gemini: { anyOf: [open, { type: "null" }] } },
] as const;

describe.each(wires)("$name", (wire) => {
  test("SCHEMA-01 maps and objects of free form are asked for as the wire can say them, and their values come through", async () => {
    const got: unknown[] = [];
    const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
    const raw = tool({
      name: "raw",
      description: "Raw.",
      input: { type: "object", properties },
      execute: (a) => got.push(a) && "",
    });
    const zod = tool({
      name: "zod",
      description: "Of zod.",
      input: z.object({ map: z.record(z.string(), z.number()), loose: z.looseObject({ a: z.string() }), any: z.any() }),
      execute: (a) => got.push(a) && "",
    });
    const args = [
      { free: { a: 1 }, texts: { b: "c" }, more: { a: "d", e: 5 }, list: [{ f: null }], either: { g: [] } },
      { map: { a: 1.5 }, loose: { a: "b", c: {} }, any: { d: 1 } },
    ];
    const calls = args.map((one, at) => called(at, `call0000${at}`, ["raw", "zod"][at] ?? "", JSON.stringify(one)));
    const from = server.requests.length;
    const model = server.model(wire, [
      [...calls.flat(), { end: "tool_calls" }],
      [{ text: "Done." }, { end: "stop" }],
    ]);
    const { outcome } = await createRuntime({ model, tools: [raw, zod] }).run("Go").result;
    expect({ outcome, refused: server.refused, got }).toEqual({ outcome: "stop", refused: [], got: args });

    const declared = declaredIn(server.requests[from]?.body ?? {});
    for (const { schema } of declared) expect(problemsOf(schema, rulesOf(wire.name))).toEqual([]);
    if (wire.grammar !== "gemini") return;
    const [first, second] = declared.map(({ schema }) => schema.properties as Record<string, unknown>);
    for (const { name, gemini } of fields) expect({ [name]: first?.[name] }).toMatchObject({ [name]: gemini });
    expect(second).toMatchObject({
      map: { additionalProperties: { type: "number" } },
      loose: { properties: { a: { type: "string" } }, additionalProperties: true },
      any: { anyOf: expect.arrayContaining([open]) },
    });
  });
});

test("Gemini: what its author closed, and arguments that are none, stay closed", async () => {
  const wire = wires.find(({ grammar }) => grammar === "gemini") as (typeof wires)[number];
  const shut = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
  const inputs = [{ type: "object" }, { ...shut, properties: { o: shut, p: { type: "object", properties: {} } } }];
  const from = server.requests.length;
  const tools = inputs.map((input, at) => tool({ name: `t${at}`, description: "T.", input, execute: () => "" }));
  await createRuntime({ model: server.model(wire, [[{ text: "Done." }, { end: "stop" }]]), tools }).run("Go").result;
  const text = JSON.stringify(declaredIn(server.requests[from]?.body ?? {}));
  expect(text).not.toContain("additionalProperties");
});
