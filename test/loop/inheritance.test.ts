import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, exec, type ModelRequest, type RuntimeOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { logged, picks, play, start, until, warningsOf } from "./play.fixture.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);
const named = (...names: string[]) => names.map((name) => logged(name, []));

/** A tool that runs an exec inside and remembers what the inner request declared. */
function nest(options: ExecOptions = {}, name = "nest") {
  return tool({ name, execute: (_args, ctx) => ctx.runtime.exec("inner", options) });
}

/** Runs `nest` with inner options in an outer run and gives the inner request. */
async function inner(innerOptions: ExecOptions, outerOptions: ExecOptions, defaults: RuntimeOptions = {}) {
  const tools = outerOptions.tools === undefined ? {} : { tools: [nest(innerOptions), ...outerOptions.tools] };
  const { model, result } = await play(
    [picks("nest"), "inner", "outer"],
    { ...outerOptions, ...tools } as ExecOptions,
    defaults,
  );
  expect(result.text).toBe("outer");
  return model.requests[1];
}

describe("a nested exec inherits", () => {
  test("the outer tools", async () => {
    expect(namesOf(await inner({}, { tools: named("a") }))).toEqual(["nest", "a"]);
  });

  test("the outer toolset", async () => {
    const defaults = { tools: [nest(), ...named("r")] };
    const model = scripted([picks("nest"), "inner", "outer"]);
    await createRuntime({ model, ...defaults }).exec("go", { toolset: "full" });
    expect(namesOf(model.requests[1])).toEqual(["nest", "r"]);
  });

  test.each([
    ['toolset "none"', { toolset: "none" }],
    ["tools []", { tools: [] }],
  ] as readonly [string, ExecOptions][])("nothing with %s inside", async (_, options) => {
    expect(namesOf(await inner(options, { tools: named("a") }))).toEqual([]);
  });

  test("not the outer menu with tools of its own", async () => {
    expect(namesOf(await inner({ tools: named("x") }, { tools: named("a") }))).toEqual(["x"]);
  });

  test('with toolset "full" inside: the runtime\'s', async () => {
    expect(namesOf(await inner({ toolset: "full" }, { tools: named("a") }, { tools: named("r") }))).toEqual(["r"]);
  });

  test("denials: they add up and bind explicit inner tools too", async () => {
    const request = await inner(
      { tools: named("a", "b", "c"), toolsDeny: ["b"] },
      { tools: named("a"), toolsDeny: ["a"] },
    );
    expect(namesOf(request)).toEqual(["c"]);
  });

  test("allow-lists: they intersect and bind explicit inner tools too", async () => {
    const request = await inner(
      { tools: named("a", "b", "c"), toolsAllow: ["b", "c"] },
      { tools: named("a"), toolsAllow: ["nest", "a", "b"] },
    );
    expect(namesOf(request)).toEqual(["b"]);
  });

  test("toolsSource", async () => {
    const unsafe = [logged("u", [], { unsafeIn: ["web"] })];
    expect(namesOf(await inner({}, { tools: unsafe, toolsSource: "web" }))).toEqual(["nest"]);
    expect(namesOf(await inner({ tools: unsafe }, { tools: [], toolsSource: "web" }))).toEqual([]);
  });

  test("never the tool choice, nor the history", async () => {
    const request = await inner({}, { tools: named("a"), toolChoice: ["nest"], toolChoiceScope: "once" });
    expect(request?.toolChoice).toBe("auto");
    expect(request?.messages).toMatchObject([{ role: "user", content: "inner" }]);
    expect(request?.messages).toHaveLength(1);
  });

  test("never the system prompt of the outer exec's option", async () => {
    const request = await inner({}, { tools: [], system: "outer system" });
    expect(request?.system).toBeUndefined();
  });

  test("through the bound exec and through deeper calls as well", async () => {
    const deeper = async () => await exec("inner");
    const deep = tool({ name: "deep", execute: async () => await Promise.all([deeper()]).then(([text]) => text) });
    const { model } = await play([picks("deep"), "inner", "outer"], { tools: [deep, ...named("a")], toolsDeny: ["a"] });
    expect(namesOf(model.requests[1])).toEqual(["deep"]);
  });

  test("inherited names do not warn where the inner menu lacks them", async () => {
    const { events } = await play([picks("nest"), "inner", "outer"], {
      tools: [nest({ tools: named("x") }), ...named("a")],
      toolsDeny: ["a"],
      toolsAllow: ["nest", "a", "x"],
    });
    expect(warningsOf(events.filter((event) => event.path !== ""))).toEqual([]);
  });

  test("on two levels", async () => {
    const level1 = nest({ toolsDeny: ["b"] }, "level1");
    const level2 = nest({}, "level2");
    const { model } = await play([picks("level1"), picks("level2"), "2", "1", "0"], {
      tools: [level1, level2, ...named("a", "b", "c")],
      toolsDeny: ["a"],
    });
    expect(namesOf(model.requests[2])).toEqual(["level1", "level2", "c"]);
  });

  test("nothing in a run beside it", async () => {
    const model = scripted(["one"]);
    const other = scripted([picks("wait"), "two"]);
    const gate = Promise.withResolvers<void>();
    const wait = tool({ name: "wait", execute: () => gate.promise });
    const outer = createRuntime({ model: other }).run("go", { tools: [wait], toolsDeny: ["a"] });
    await until(() => other.requests.length === 1);
    await createRuntime({ model }).exec("go", { tools: named("a") });
    gate.resolve();
    await outer.result;
    expect(namesOf(model.requests[0])).toEqual(["a"]);
  });
});

describe("an exec begun in a scope that has ended", () => {
  /** Runs a tool that leaves an exec behind, and starts that exec when the outer run has ended. */
  async function leftBehind(
    how: (run: { abort(): void }) => void,
    script: Parameters<typeof start>[0],
    options: ExecOptions = {},
  ) {
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<unknown>();
    const leave = tool({
      name: "leave",
      execute: (_args, ctx) => {
        void gate.promise
          .then(() => ctx.runtime.exec("inner", { tools: named("a", "b", "u") }))
          .then(inner.resolve, inner.resolve);
        return "left";
      },
    });
    const started = start(script, { tools: [leave], ...options });
    await until(() => started.events.some((event) => event.type === "tool_end"));
    how(started.run);
    const { result } = await started.ended();
    gate.resolve();
    return { ...started, result, inner: await inner.promise };
  }

  test("after a normal end: a root run of its own, still under the denials", async () => {
    const { model, inner, result } = await leftBehind(() => {}, [picks("leave"), "outer", "inner text"], {
      toolsDeny: ["a"],
    });
    expect(result.outcome).toBe("stop");
    expect(inner).toBe("inner text");
    expect(namesOf(model.requests[2])).toEqual(["b", "u"]);
  });

  test("after a normal end: still under allow-lists and approver, with a warning, without the budget", async () => {
    const log: string[] = [];
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<unknown>();
    const leave = tool({
      name: "leave",
      execute: (_args, ctx) => {
        void gate.promise
          .then(async () => {
            const run = ctx.runtime.run("inner", {
              tools: [logged("danger", log, { requiresApproval: true }), ...named("x")],
            });
            const codes: string[] = [];
            for await (const event of run) if (event.type === "warning") codes.push(event.code);
            return { codes, result: await run.result };
          })
          .then(inner.resolve, inner.reject);
        return "left";
      },
    });
    const { ended, model } = start(
      [picks("leave"), picks("danger"), "inner text"],
      { tools: [leave], toolsAllow: ["leave", "danger"], limits: { toolCalls: 1 }, atLimit: "stop" },
      {
        approve: (request) => {
          asked.push(request.call.name);
          return false;
        },
      },
    );
    await ended();
    gate.resolve();
    const outcome = await inner.promise;
    expect(model.requests.map(namesOf)[1]).toEqual(["danger"]);
    expect(outcome).toMatchObject({ result: { outcome: "stop", text: "inner text" } });
    expect((outcome as { codes: string[] }).codes.filter((code) => code !== "unknown_tool")).toHaveLength(1);
    expect(asked).toEqual(["danger"]);
    expect(log).toEqual([]);
  });

  test("after an abort: it rejects at once with that code, before any request", async () => {
    const { model, inner } = await leftBehind((run) => run.abort(), [picks("leave"), { hang: true }]);
    expect(inner).toMatchObject({ code: "aborted" });
    expect(model.requests).toHaveLength(2);
  });

  test("after a timeout: likewise", async () => {
    const { model, inner, result } = await leftBehind(() => {}, [picks("leave"), { hang: true }], { timeoutMs: 300 });
    expect(result.outcome).toBe("timeout");
    expect(inner).toMatchObject({ code: "timeout" });
    expect(model.requests).toHaveLength(2);
  });
});
