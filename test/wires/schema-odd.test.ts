import { describe, expect, test } from "vitest";
import { tool } from "../../src/core.ts";
import type { JsonObject } from "../../src/message/json.ts";
import { asked, resultsOf } from "./declared.ts";
import { declaredIn, legalName, rulesOf } from "./declared-tools.ts";
import { problemsOf } from "./schema-rules.ts";
import { wires } from "./wires.ts";

type Row = {
  readonly name: string;
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  /** As the model writes them, and what the tool gets; absent: the call is answered with an error. */
  readonly calls: readonly (readonly [args: string, gets?: object])[];
};

/** What definitions look like that many hands have written. */
const rows: readonly Row[] = [
  {
    name: "library.books.find by title",
    properties: { title: { type: "string", optional: false }, limit: { type: "integer", default: 5, optional: true } },
    required: ["title"],
    calls: [['{"title":"Emma","limit":"3"}', { title: "Emma", limit: 3 }]],
  },
  {
    name: "library.books.find.by.title",
    properties: {
      unit: { type: "string", enum: ["km", "mi"], default: "any" },
      when: { type: "string", default: "null" },
    },
    calls: [['{"unit":"km","when":null}', { unit: "km" }], ['{"unit":"any"}']],
  },
  {
    name: "train",
    properties: {
      data: { description: "Anything." },
      layers: { type: "array", items: { type: "array", items: { type: "number" } } },
    },
    required: ["data"],
    calls: [
      [
        '{"data":[[1,2],[3,4]],"layers":[[0.5]]}',
        {
          data: [
            [1, 2],
            [3, 4],
          ],
          layers: [[0.5]],
        },
      ],
    ],
  },
  {
    name: "rate",
    properties: { stars: { type: "integer", enum: [1, 2, 3] }, guests: { type: "integer", enum: ["1", "2", "any"] } },
    calls: [['{"stars":"2"}', { stars: 2 }], ['{"guests":"1"}'], ['{"stars":4}']],
  },
  {
    name: "place an order…",
    properties: {
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: { sku: { type: "string" }, extra: { type: "object" } },
          required: ["sku"],
        },
      },
      note: { type: "string", description: "" },
    },
    calls: [
      ['{"lines":[{"sku":"a","extra":{"gift":true}}]}', { lines: [{ sku: "a", extra: { gift: true } }] }],
      ['{"lines":[{}]}'],
    ],
  },
  { name: "now", properties: {}, calls: [["", {}]] },
];

describe.each(wires)("$name", (wire) => {
  test("definitions as they are found: legal names, acceptable schemas, calls that come back to their tools", async () => {
    const got: unknown[][] = rows.map(() => []);
    const tools = rows.map(({ name, properties, required = [] }, at) =>
      tool({
        name,
        description: "",
        input: { type: "object", properties, required },
        execute: (args: unknown) => void got[at]?.push(args),
      }),
    );
    const calls = rows.flatMap((row, at) => row.calls.map(([args]) => [at, args] as const));
    const { declared, bodies, messages, events } = await asked(wire, tools, calls);
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    expect(new Set(declared.map(({ name }) => name)).size).toBe(rows.length);
    for (const { name, schema } of declared) {
      expect(name).toMatch(legalName);
      expect(problemsOf(schema, rulesOf(wire.name))).toEqual([]);
    }
    // A field that nothing fits is not shown.
    expect(Object.keys(declared[3]?.schema.properties as object)).toEqual(["stars"]);
    expect(got).toEqual(rows.map((row) => row.calls.flatMap(([, gets]) => (gets === undefined ? [] : [gets]))));
    const wrong = rows.flatMap((row) => row.calls).filter(([, gets]) => gets === undefined).length;
    expect(resultsOf(messages).filter((text) => text.includes("are not valid"))).toHaveLength(wrong);
    expect(bodies.map((body) => JSON.stringify(declaredIn(body)))).toEqual(bodies.map(() => JSON.stringify(declared)));
  });
});
