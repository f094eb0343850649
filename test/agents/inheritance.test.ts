import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  exec,
  type Method,
  method,
  type RuntimeOptions,
  type ToolEntry,
  tool,
} from "../../src/core.ts";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { answers, logged, picks, read, warningsOf } from "../loop/play.fixture.ts";
import { namesOf, routed } from "./agents.fixture.ts";

/** The ways in which a run's call can come to a nested exec through a method. */
const ways: readonly (readonly [string, (m: Method) => ToolEntry])[] = [
  ["picked", (m) => m],
  ["called as code in a tool", (m) => tool({ name: "m", execute: () => m() })],
  ["watched in a tool", (m) => tool({ name: "m", execute: async () => (await m.run().result).value })],
  [
    "called as code in a watched one",
    (m) => {
      const outer = method({ name: "outer" }, () => m());
      return tool({ name: "m", execute: async () => (await outer.run().result).value });
    },
  ],
];

const named = (...names: string[]) => names.map((name) => logged(name, []));

describe.each(ways)("a nested exec through a method that is %s", (_, wrap) => {
  async function nested(
    inner: ExecOptions,
    outer: ExecOptions = {},
    defaults: RuntimeOptions = {},
    script: readonly ScriptEntry[] = ["inner"],
  ) {
    const { model, of } = routed({ go: [picks("m"), "a"], inner: script });
    const entry = wrap(method({ name: "m" }, () => exec("inner", inner)));
    const run = createRuntime({ model, ...defaults }).run("go", {
      ...outer,
      tools: [entry, ...(outer.tools ?? [])],
    } as ExecOptions);
    const events = await read(run);
    const result = await run.result;
    return { request: of("inner")[0], requests: of("inner"), events, result };
  }

  test("inherits the menu, unless it has one of its own", async () => {
    const outer = { tools: named("a") };
    expect(namesOf((await nested({}, outer)).request)).toEqual(["m", "a"]);
    expect(namesOf((await nested({ tools: named("b") }, outer)).request)).toEqual(["b"]);
    expect(namesOf((await nested({ tools: [] }, outer)).request)).toEqual([]);
    expect(namesOf((await nested({ toolset: "none" }, outer)).request)).toEqual([]);
  });

  test("inherits toolsSource, beside one of its own", async () => {
    const unsafe = { tools: [logged("u", [], { unsafeIn: ["web"] }), ...named("b")] };
    expect(namesOf((await nested(unsafe, { toolsSource: "web" })).request)).toEqual(["b"]);
    expect(namesOf((await nested({ ...unsafe, toolsSource: "home" }, { toolsSource: "web" })).request)).toEqual(["b"]);
    expect(namesOf((await nested({ ...unsafe, toolsSource: "web" }, { toolsSource: "home" })).request)).toEqual(["b"]);
    expect(namesOf((await nested(unsafe, { toolsSource: "home" })).request)).toEqual(["u", "b"]);
  });

  test("inherits allow-lists and denials, also for tools of its own", async () => {
    const inner = { tools: named("a", "b", "c", "d"), toolsAllow: ["a", "b", "c"], toolsDeny: ["a"] };
    const { request, events } = await nested(inner, { toolsAllow: ["m", "a", "b", "d"], toolsDeny: ["d"] });
    expect(namesOf(request)).toEqual(["b"]);
    // `d` is none of the outer run's tools.
    expect(warningsOf(events).filter(({ path }) => path !== "")).toEqual([]);
  });

  test("inherits the approver: of the outer run, with the path of the inner one", async () => {
    const asked: unknown[] = [];
    const danger = logged("danger", [], { requiresApproval: true });
    const { requests } = await nested(
      { tools: [danger] },
      {},
      {
        approve: ({ call, path }) => {
          asked.push([call.name, path]);
          return { approved: false, reason: "not today" };
        },
      },
      [picks("danger"), "inner"],
    );
    expect(asked).toEqual([["danger", expect.stringMatching(/^1\/0\/0/)]]);
    expect(answers(requests[1]?.messages ?? [])).toEqual([expect.stringMatching(/^! .*not today/)]);
  });

  test("inherits the deadline: the earlier one holds, and contexts tell it", async () => {
    const deadlines: (number | undefined)[] = [];
    const look = tool({ name: "look", execute: (_args, ctx) => void deadlines.push(ctx.deadline) });
    const before = Date.now();
    await nested({ tools: [look], timeoutMs: 900_000 }, { timeoutMs: 60_000 }, {}, [picks("look"), "inner"]);
    await nested({ tools: [look], timeoutMs: 30_000 }, { timeoutMs: 60_000 }, {}, [picks("look"), "inner"]);
    await nested({ tools: [look] }, {}, {}, [picks("look"), "inner"]);
    const [outer, own, none] = deadlines;
    expect(outer).toBeGreaterThanOrEqual(before + 60_000);
    expect(outer).toBeLessThan(before + 90_000);
    expect(own).toBeLessThan(before + 50_000);
    expect(none).toBeUndefined();
  });

  test("inherits what is left of the budget", async () => {
    const { result } = await nested({ tools: named("a") }, { limits: { toolCalls: 2 } }, {}, [
      picks("a", "a"),
      "closing",
    ]);
    expect(result.outcome).toBe("max_tool_calls");
  });

  test("never inherits tool choice, history, system prompt, settings of requests, rounds, choices", async () => {
    const { request, requests } = await nested(
      {},
      {
        tools: named("a"),
        toolChoice: ["m"],
        toolChoiceScope: "round",
        maxIterations: 1,
        choices: ["a", "b"],
        system: "outer system",
        temperature: 0.9,
        maxOutputTokens: 77,
        effort: "high",
        parallelToolCalls: false,
      } as ExecOptions,
      {},
      [picks("a"), "inner"],
    );
    expect(request).toEqual({
      messages: [{ role: "user", content: "inner" }],
      tools: request?.tools,
      toolChoice: "auto",
    });
    expect(requests).toHaveLength(2);
  });
});
