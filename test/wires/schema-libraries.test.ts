import { type Schema, validate } from "@cfworker/json-schema";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool } from "../../src/core.ts";
import type { ToolInput } from "../../src/menu/tool.ts";
import { asked } from "./declared.ts";
import { rulesOf } from "./declared-tools.ts";
import { problemsOf } from "./schema-rules.ts";
import { wires } from "./wires.ts";

type Row = {
  readonly name: string;
  readonly input: ToolInput;
  /** Arguments that fit, as the model writes them. */
  readonly fits: object;
  /** What the tool gets of them, if it is something else. */
  readonly gets?: object;
  readonly misfits: object;
};

const Tree = z.object({
  value: z.string(),
  get children() {
    return z.array(Tree).optional();
  },
});
type Node = { readonly value: string; readonly left?: Node | undefined };
const Lazy: z.ZodType<Node> = z.object({ value: z.string(), left: z.lazy(() => Lazy).optional() });
const tree = { value: "a", children: [{ value: "b", children: [{ value: "c", children: [{ value: "d" }] }] }] };
const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number().positive() }),
  z.object({ kind: z.literal("square"), side: z.number(), label: z.string().optional() }),
]);
type List = { readonly head: number; readonly tail?: List | undefined };
const list: v.GenericSchema<List> = v.object({ head: v.number(), tail: v.optional(v.lazy(() => list)) });

const rows: readonly Row[] = [
  { name: "zod: a getter that recurs", input: Tree, fits: tree, misfits: { value: "a", children: [{}] } },
  {
    name: "zod: lazy",
    input: z.object({ root: Lazy }),
    fits: { root: { value: "a", left: { value: "b" } } },
    misfits: { root: {} },
  },
  { name: "zod: any JSON", input: z.object({ data: z.json() }), fits: { data: { a: [1, { b: null }] } }, misfits: {} },
  {
    name: "zod: records",
    input: z.object({
      map: z.record(z.string(), z.number()),
      keyed: z.partialRecord(z.enum(["x", "y"]), z.string()).optional(),
    }),
    fits: { map: { a: 1 }, keyed: { x: "1" } },
    misfits: { map: { a: "one" } },
  },
  {
    name: "zod: tuples",
    input: z.object({ at: z.tuple([z.number(), z.number()]), more: z.tuple([z.string()], z.boolean()) }),
    fits: { at: [1, 2], more: ["a", true, false] },
    misfits: { at: [1], more: ["a"] },
  },
  {
    name: "zod: unions, literals, nullable",
    input: z.object({
      a: z.union([z.string(), z.int().positive()]),
      b: z.literal([1, 2]),
      c: z.enum(["x", "y"]).nullable(),
      d: z.literal(true),
    }),
    fits: { a: 3, b: 2, c: null, d: true },
    misfits: { a: 0, b: 3, c: "z", d: false },
  },
  {
    name: "zod: a discriminated union as the arguments",
    input: shape,
    fits: { kind: "square", side: 1 },
    misfits: { kind: "circle", side: 1 },
  },
  {
    name: "zod: a discriminated union inside",
    input: z.object({ shapes: z.array(shape) }),
    fits: { shapes: [{ kind: "circle", radius: 1 }] },
    misfits: { shapes: [{ kind: "circle", radius: -1 }] },
  },
  {
    name: "zod: an intersection",
    input: z.object({ a: z.string() }).and(z.object({ b: z.number() })),
    fits: { a: "x", b: 1 },
    misfits: { a: "x" },
  },
  {
    name: "zod: defaults, transforms, coercion",
    input: z.object({
      n: z.number().default(3),
      s: z.string().transform((text) => text.length),
      m: z.string().trim().min(2).max(5).regex(/^\S+$/),
    }),
    fits: { s: "abc", m: "xyz" },
    gets: { n: 3, s: 3, m: "xyz" },
    misfits: { s: "abc", m: "a" },
  },
  {
    name: "zod: formats and bounds",
    input: z.object({
      mail: z.email(),
      id: z.uuid(),
      at: z.iso.datetime(),
      link: z.url(),
      n: z.number().gt(1).lt(5).multipleOf(0.5),
      l: z.array(z.string()).min(1).max(3),
    }),
    fits: {
      mail: "a@b.example",
      id: "123e4567-e89b-42d3-a456-426614174000",
      at: "2026-01-01T00:00:00Z",
      link: "https://a.example",
      n: 1.5,
      l: ["a"],
    },
    misfits: { mail: "a", id: "b", at: "c", link: "d", n: 1, l: [] },
  },
  {
    name: "zod: strict and loose",
    input: z.strictObject({ in: z.looseObject({ a: z.string() }) }),
    fits: { in: { a: "x", b: 1 } },
    misfits: { in: { a: "x" }, b: 1 },
  },
  {
    name: "valibot: a variant, a picklist, nullish, a record",
    input: toStandardJsonSchema(
      v.object({
        it: v.variant("t", [
          v.object({ t: v.literal("a"), x: v.string() }),
          v.object({ t: v.literal("b"), y: v.pipe(v.number(), v.minValue(2)) }),
        ]),
        pick: v.picklist(["p", "q"]),
        none: v.nullish(v.string()),
        map: v.record(v.string(), v.boolean()),
        pair: v.tuple([v.string(), v.number()]),
      }),
    ) as never,
    fits: { it: { t: "b", y: 2 }, pick: "p", none: null, map: { a: true }, pair: ["a", 1] },
    misfits: { it: { t: "b", y: 1 }, pick: "p", map: {}, pair: ["a", 1] },
  },
  {
    name: "valibot: lazy",
    input: toStandardJsonSchema(v.object({ list })) as never,
    fits: { list: { head: 1, tail: { head: 2 } } },
    misfits: { list: {} },
  },
  {
    name: "arktype: unions, tuples, bounds, optional keys",
    input: type({
      a: "string | number[]",
      "b?": "1 <= number <= 3",
      c: ["string", "number"],
      d: "'x' | 'y' | null",
    }) as never,
    fits: { a: [1], c: ["s", 1], d: null },
    misfits: { a: [1], b: 4, c: ["s", 1], d: "x" },
  },
  {
    name: "arktype: a cycle",
    input: type.module({ node: { value: "string", "next?": "node" } }).node as never,
    fits: { value: "a", next: { value: "b", next: { value: "c" } } },
    misfits: { value: 1 },
  },
];

describe.each(wires)("$name", (wire) => {
  test("originals of zod, valibot and arktype", async () => {
    const got: unknown[][] = rows.map(() => []);
    const tools = rows.map(({ input }, at) =>
      tool({ name: `t${at}`, description: "", input, execute: (args: unknown) => void got[at]?.push(args) }),
    );
    const calls = rows.flatMap(({ fits, misfits }, at) =>
      [fits, misfits].map((args) => [at, JSON.stringify(args)] as const),
    );
    const { declared, events } = await asked(wire, tools, calls);
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
    for (const [at, { name, fits, gets = fits }] of rows.entries()) {
      const schema = declared[at]?.schema;
      expect({ name, problems: problemsOf(schema, rulesOf(wire.name)) }).toEqual({ name, problems: [] });
      expect({ name, shown: schema, fits: validate(fits, schema as Schema, "2020-12").valid }).toMatchObject({
        fits: true,
      });
      // Only what fits the original was run.
      expect({ name, got: got[at] }).toEqual({ name, got: [gets] });
    }
  });
});
