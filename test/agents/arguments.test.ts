import { type } from "arktype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, method } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, picks } from "../loop/play.fixture.ts";

const seen: unknown[] = [];
const input = z.object({
  id: z.string().transform((id) => id.toUpperCase()),
  count: z.number().default(3),
});
const m = method({ name: "m", input }, (args) => {
  seen.push(args);
  return args.count;
});

describe("the arguments of a method", () => {
  test("have their defaults and transforms, however it is called", async () => {
    seen.length = 0;
    expect(await m({ id: "a" })).toBe(3);
    expect(await m.run({ id: "a" }).result).toMatchObject({ value: 3 });
    const model = scripted([picks(call("m", { id: "a" })), "done"]);
    await createRuntime({ model }).exec("go", { tools: [m] });
    expect(seen).toEqual(Array(3).fill({ id: "A", count: 3 }));
  });

  test("that do not fit reject, naming the method, the path and the problem; its code is not run", async () => {
    seen.length = 0;
    expect(await failure(m({ id: 5 as unknown as string }))).toMatchObject({
      name: "RondoError",
      code: "invalid_arguments",
      message: expect.stringMatching(/"m"[\s\S]*id: .*string/),
    });
    expect(await failure(m(null as unknown as { id: string }))).toMatchObject({ code: "invalid_arguments" });
    expect(seen).toEqual([]);
  });

  test("that code gives are not mended: a model's are", async () => {
    const n = method({ name: "n", input: z.object({ n: z.number() }) }, ({ n }) => n + 1);
    expect(await failure(n({ n: "41" as unknown as number }))).toMatchObject({ code: "invalid_arguments" });
    const model = scripted([picks(call("n", { n: "41" })), "done"]);
    const run = createRuntime({ model }).run("go", { tools: [n] });
    expect(answers((await run.result).messages)).toEqual(["42"]);
  });

  test("may be left out where none are needed", async () => {
    const none = method({ name: "none" }, (args) => args);
    const optional = method({ name: "optional", input: z.object({ n: z.number().default(1) }) }, ({ n }) => n);
    expect(await none()).toEqual({});
    expect(await optional()).toBe(1);
    expect(await optional.run().result).toMatchObject({ value: 1 });
  });

  test("of any schema: arktype, raw JSON Schema, an asynchronous one", async () => {
    const ark = method({ name: "ark", input: type({ n: "number" }) }, ({ n }) => n);
    const raw = method(
      { name: "raw", input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
      ({ n }) => n,
    );
    const slow = z.object({ n: z.number().refine(async (n) => n > 1, "too small") });
    const later = method({ name: "later", input: slow }, ({ n }) => n);
    expect([await ark({ n: 2 }), await raw({ n: 2 }), await later({ n: 2 })]).toEqual([2, 2, 2]);
    for (const bad of [ark({ n: "x" as unknown as number }), raw({}), later({ n: 1 })])
      expect(await failure(bad)).toMatchObject({ code: "invalid_arguments" });
  });

  test("are not read a second time when a tool hands on what it was called with", async () => {
    seen.length = 0;
    const wrapper = { spec: { name: "w", input }, execute: m.execute };
    const twice = {
      spec: { name: "twice", input },
      execute: async (args: never, ctx: Parameters<typeof m.execute>[1]) => {
        for (let i = 0; i < 7; i++) await m.execute(args, ctx);
      },
    };
    const model = scripted([picks(call("w", { id: "a" }), call("twice", { id: "a" })), "done"]);
    const run = createRuntime({ model }).run("go", { tools: [wrapper, twice] });
    expect(answers((await run.result).messages)).toEqual(["3", "(no value)"]);
    expect(seen).toEqual(Array(8).fill({ id: "A", count: 3 }));
  });

  test("that cannot be a schema are a mistake where the method is declared", () => {
    expect(() => method({ name: "m", input: 5 as unknown as Record<string, never> }, () => 1)).toThrow(
      expect.objectContaining({ code: "invalid_tool" }),
    );
  });
});
