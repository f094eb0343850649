import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  createRuntime,
  exec,
  type Method,
  method,
  type RuntimeOptions,
  type ToolContext,
  tool,
} from "../../src/core.ts";
import { answers, call, failure, picks, read } from "../loop/play.fixture.ts";
import { acting, pathsOf, promptOf, roundsOf } from "./agents.fixture.ts";

/** A chain of methods of which each picks the next. */
class Chain extends Agent {
  readonly #length: number;
  reached = 0;
  constructor(length: number, options = {}) {
    super(options);
    this.#length = length;
  }
  links: Method[] = Array.from({ length: 60 }, (_, i) =>
    this.method({ name: `link${i}` }, (): Promise<unknown> => {
      this.reached = i + 1;
      if (i + 1 === this.#length) return Promise.resolve("the end");
      return this.runtime.exec(`${i + 1}`, { tools: [this.links[i + 1] as Method] });
    }),
  );
}

/** Picks the one tool there is, then answers with what that said. */
const passing = () =>
  acting((request) => {
    if (roundsOf(request) === 0) return picks(request.tools[0]?.name ?? "");
    const last = request.messages.at(-1);
    return last?.role === "tool" ? JSON.stringify(last.content).replace(/^.*"text":"|".*$/g, "") : "no result";
  });

describe("methods inside each other", () => {
  const chain = async (length: number, options: RuntimeOptions = {}) => {
    const agent = new Chain(length);
    const runtime = createRuntime({ model: passing(), ...options });
    const run = runtime.run("0", { tools: [agent.links[0] as Method] });
    const events = await read(run);
    return { result: await run.result, reached: agent.reached, events };
  };

  test("go 16 levels deep", async () => {
    expect(await chain(16)).toMatchObject({ result: { outcome: "stop", text: "the end" }, reached: 16 });
  });

  test("and no deeper: the call is an error result that names the path, and all above go on", async () => {
    const { result, reached, events } = await chain(17);
    expect(result.outcome).toBe("stop");
    expect(result.text).toMatch(/more than 16 levels deep.*Path: link0 > link1 > .* > link16\..*recursion.maxDepth/);
    expect(reached).toBe(16);
    const errors = events.filter((event) => event.type === "tool_end" && event.result.isError);
    expect(errors).toHaveLength(1);
  });

  test("50 levels where the runtime allows them", async () => {
    const { result, events } = await chain(50, { recursion: { maxDepth: 50 } });
    expect(result).toMatchObject({ outcome: "stop", text: "the end" });
    expect(pathsOf(events)).toHaveLength(50);
    expect(pathsOf(events).at(-1)?.split("/")).toHaveLength(49 * 3);
  });

  test("fewer where it allows fewer", async () => {
    const { result, reached } = await chain(5, { recursion: { maxDepth: 3 } });
    expect(result.text).toMatch(/more than 3 levels deep/);
    expect(reached).toBe(3);
  });

  test("as code: a RondoError, or the number that is allowed", async () => {
    let reached = 0;
    const links: Method<{ i: number }, number>[] = Array.from({ length: 20 }, (_, at) =>
      method({ name: `link${at}`, input: z.object({ i: z.number() }) }, ({ i }): Promise<number> | number => {
        reached = Math.max(reached, at + 1);
        return at + 1 === i ? at + 1 : (links[at + 1] as Method<{ i: number }, number>)({ i });
      }),
    );
    const first = links[0] as Method<{ i: number }, number>;
    expect(await first({ i: 16 })).toBe(16);
    expect(await failure(first({ i: 17 }))).toMatchObject({
      code: "recursion",
      message: expect.stringMatching(/Path: link0 > .* > link16/),
    });
    expect(reached).toBe(16);
  });
});

describe("a method inside itself", () => {
  const own = (times: number) => {
    const state = { reached: 0 };
    const solve = method({ name: "solve", input: z.object({ n: z.number() }) }, ({ n }): Promise<string> => {
      state.reached = Math.max(state.reached, n);
      return n === times ? Promise.resolve("solved") : exec(`${n}`, { tools: [solve] });
    });
    const model = acting((request) => {
      const n = Number(promptOf(request));
      if (roundsOf(request) === 0) return picks(call("solve", { n: n + 1 }));
      const last = request.messages.at(-1);
      return last?.role === "tool" && last.content[0]?.type === "text" ? last.content[0].text : "?";
    });
    return { solve, model, state };
  };

  test("may be 5 times on one path", async () => {
    const { solve, model, state } = own(5);
    expect(await createRuntime({ model }).exec("0", { tools: [solve] })).toBe("solved");
    expect(state.reached).toBe(5);
  });

  test("and no more: an error result that names the path", async () => {
    const { solve, model, state } = own(6);
    expect(await createRuntime({ model }).exec("0", { tools: [solve] })).toMatch(
      /"solve" is inside itself more than 5 times\. Path: solve( > solve){5}\..*recursion.maxRepeats/,
    );
    expect(state.reached).toBe(5);
  });

  test("as often as the runtime allows", async () => {
    const more = own(9);
    const raised = createRuntime({ model: more.model, recursion: { maxRepeats: 9 } });
    expect(await raised.exec("0", { tools: [more.solve] })).toBe("solved");
    const less = own(3);
    const lowered = createRuntime({ model: less.model, recursion: { maxRepeats: 1 } });
    expect(await lowered.exec("0", { tools: [less.solve] })).toMatch(/more than 1 times/);
  });

  describe("counts calls on the current path only", () => {
    const leaf = method({ name: "leaf" }, async (_args, ctx) => {
      await ctx.runtime.exec("leaf", { tools: [] });
      return 1;
    });
    const wraps: readonly (readonly [string, (ctx: ToolContext) => Promise<unknown>])[] = [
      [
        "one after the other",
        async (ctx) => {
          for (let i = 0; i < 3; i++) await leaf.execute({} as never, ctx);
        },
      ],
      ["side by side", (ctx) => Promise.all([1, 2, 3].map(() => leaf.execute({} as never, ctx)))],
      ["as code and so", async (ctx) => Promise.all([leaf(), leaf.execute({} as never, ctx), leaf()])],
    ];
    test.each(wraps)("of a tool that calls it %s", async (_, wrap) => {
      const model = acting((request) =>
        promptOf(request) === "go" && roundsOf(request) === 0 ? picks("wrapper") : "done",
      );
      const wrapper = tool({ name: "wrapper", execute: (_args, ctx) => wrap(ctx).then(() => "all of them") });
      const run = createRuntime({ model, recursion: { maxRepeats: 1 } }).run("go", { tools: [wrapper] });
      const paths = pathsOf(await read(run));
      expect(answers((await run.result).messages)).toEqual(["all of them"]);
      expect(new Set(paths).size).toBe(4);
    });

    test("and still those that are", async () => {
      const again: Method = method({ name: "again" }, (_args, ctx): unknown => again.execute({} as never, ctx));
      const run = createRuntime({ model: passing(), recursion: { maxRepeats: 2 } }).run("go", { tools: [again] });
      const text = /^! .*more than 2 times. Path: again > again > again\./s;
      expect(answers((await run.result).messages)).toEqual([expect.stringMatching(text)]);
    });

    test("and those behind a lazy thenable", async () => {
      const lazily = (work: () => Promise<unknown>) => ({
        // biome-ignore lint/suspicious/noThenProperty: such a thenable is what is tried
        then: (done: (value: unknown) => void, fail: (error: unknown) => void) => void work().then(done, fail),
      });
      let reached = 0;
      const again: Method = method({ name: "again" }, (): unknown => {
        reached++;
        return lazily(() => again());
      });
      const run = createRuntime({ model: passing(), recursion: { maxRepeats: 2 } }).run("go", { tools: [again] });
      expect(answers((await run.result).messages)).toEqual([expect.stringMatching(/^! .*again > again > again/s)]);
      expect(reached).toBe(2);
    });
  });

  test("as code rejects with that code; several one after the other do not add up", async () => {
    const forever = method({ name: "forever" }, (): Promise<unknown> => forever());
    expect(await failure(forever())).toMatchObject({
      code: "recursion",
      message: expect.stringMatching(/forever( > forever){5}/),
    });
    const leaf = method({ name: "leaf" }, () => 1);
    const sum = method({ name: "sum" }, async () => {
      let total = 0;
      for (let i = 0; i < 30; i++) total += await leaf();
      return total;
    });
    expect(await sum()).toBe(30);
  });

  test("watched throws it at once; the runs of watched methods are no deeper than others", async () => {
    let reached = 0;
    const forever = method({ name: "forever" }, async (): Promise<unknown> => {
      reached++;
      const { error, value } = await forever.run().result;
      if (error) throw error;
      return value;
    });
    const result = await forever.run().result;
    expect(result).toMatchObject({ outcome: "error", error: { code: "recursion" } });
    expect(reached).toBe(5);
    const links: Method[] = Array.from({ length: 16 }, (_, i) =>
      method({ name: `link${i}` }, (): Promise<unknown> => {
        const next = links[i + 1];
        if (!next) return Promise.resolve("the end");
        const through = tool({ name: "through", execute: async () => (await next.run().result).value });
        return exec(`${i}`, { tools: [through] });
      }),
    );
    const first = links[0] as Method;
    const outer = tool({ name: "through", execute: async () => (await first.run().result).value });
    expect(await createRuntime({ model: passing() }).exec("go", { tools: [outer] })).toBe("the end");
  });
});

describe("plain tools that exec into themselves", () => {
  test("are stopped too, at the same depth", async () => {
    let runs = 0;
    const nest = tool({
      name: "nest",
      execute: () => {
        runs++;
        return exec("deeper");
      },
    });
    const run = createRuntime({ model: passing(), tools: [nest] }).run("go");
    const result = await run.result;
    expect(result.outcome).toBe("stop");
    expect(result.text).toMatch(/runs are nested more than 16 levels deep/);
    expect(runs).toBe(17);
    expect(answers(result.messages)).toHaveLength(1);
  });
});
