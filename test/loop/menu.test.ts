import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createRuntime,
  type ExecOptions,
  exec,
  type ModelRequest,
  type RuntimeOptions,
  type ToolEntry,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, logged, picks, play, refuses, start, until, warningsOf } from "./play.fixture.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);
const named = (...names: string[]) => names.map((name) => logged(name, []));

/** The names that the first request declares. */
async function menuOf(options: ExecOptions, defaults: RuntimeOptions = {}): Promise<readonly string[] | undefined> {
  const model = scripted(["done"]);
  await createRuntime({ model, ...defaults }).exec("go", options);
  return namesOf(model.requests[0]);
}

describe("which tools a run has", () => {
  const registered = { tools: named("r1", "r2") };

  test("neither tools nor toolset: the full menu of the runtime", async () => {
    expect(await menuOf({}, registered)).toEqual(["r1", "r2"]);
  });

  test('toolset "full": every tool of the runtime', async () => {
    expect(await menuOf({ toolset: "full" }, registered)).toEqual(["r1", "r2"]);
  });

  test('toolset "none" or tools []: none', async () => {
    expect(await menuOf({ toolset: "none" }, registered)).toEqual([]);
    expect(await menuOf({ tools: [] }, registered)).toEqual([]);
  });

  test("tools: these and no others", async () => {
    expect(await menuOf({ tools: named("x") }, registered)).toEqual(["x"]);
  });

  test("a name is a registered tool", async () => {
    expect(await menuOf({ tools: [tool.named("r2")] }, registered)).toEqual(["r2"]);
    expect(await menuOf({ tools: ["r2" as never, ...named("x")] }, registered)).toEqual(["r2", "x"]);
  });

  test("the order is the order in which they are given, every time", async () => {
    expect(await menuOf({ tools: named("b", "a", "c") })).toEqual(["b", "a", "c"]);
  });

  test.each([
    ["a name in tools", { tools: [tool.named("r3")] }, "unknown_tool", /r3/],
    ["a toolset", { toolset: "most" } as unknown as ExecOptions, "invalid_option", /toolset/],
    ["both tools and toolset", { tools: [], toolset: "full" }, "invalid_option", /tools/],
    ["tools that is no list", { tools: "r1" } as unknown as ExecOptions, "invalid_tool", /tools/],
    [
      "an entry without an executor",
      { tools: [{ spec: { name: "x" } }] } as unknown as ExecOptions,
      "invalid_tool",
      /execut/,
    ],
    ["an entry that is nothing", { tools: [null] } as unknown as ExecOptions, "invalid_tool", /tool/],
    [
      "a schema that is no schema",
      { tools: [{ ...named("x")[0], input: 7 }] } as unknown as ExecOptions,
      "invalid_tool",
      /x/,
    ],
    ["a tool without a name", { tools: named("") }, "invalid_tool", /name/],
  ] as const)("unknown or wrong, it throws at once: %s", async (_, options, code, says) => {
    await refuses(options as ExecOptions, code, says, registered);
  });

  test("two entries of one name are a caller mistake", async () => {
    await refuses({ tools: named("a", "b", "a") }, "invalid_tool", /"?a"?/);
    await refuses({ tools: [tool.named("r1"), ...named("r1")] }, "invalid_tool", /r1/, registered);
    expect(() => createRuntime({ model: scripted([]), tools: named("a", "a") })).toThrow(
      expect.objectContaining({ code: "invalid_tool" }),
    );
  });
});

describe("forms of an entry", () => {
  test.each([
    [
      "spec with parameters",
      (log: unknown[]) => ({
        spec: {
          name: "t",
          description: "d",
          parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        },
        execute: (args: { n: number }) => void log.push(args),
      }),
    ],
    [
      "spec with input",
      (log: unknown[]) => ({
        spec: { name: "t", description: "d", input: z.object({ n: z.number() }) },
        execute: (args: { n: number }) => void log.push(args),
      }),
    ],
    [
      "an instance of a class with spec and execute",
      (log: unknown[]) => {
        class Counter {
          readonly spec = {
            name: "t",
            description: "d",
            parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
          };
          readonly log = log;
          execute(args: { n: number }) {
            this.log.push(args);
          }
        }
        return new Counter();
      },
    ],
    [
      "a tool()",
      (log: unknown[]) =>
        tool({
          name: "t",
          description: "d",
          input: z.object({ n: z.number() }),
          execute: (args) => void log.push(args),
        }),
    ],
    [
      "a tool() with raw JSON Schema",
      (log: unknown[]) =>
        tool({
          name: "t",
          description: "d",
          input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
          execute: (args) => void log.push(args),
        }),
    ],
  ] as const)("%s passes through the same wrapper", async (_, make) => {
    const log: unknown[] = [];
    const { result, model } = await play(
      [picks(call("t", { n: "x" }), call("t", { n: "7" }), call("t", { n: 7 })), "done"],
      {
        tools: [make(log) as unknown as ToolEntry],
      },
    );
    expect(log).toEqual([{ n: 7 }, { n: 7 }]);
    expect(answers(result.messages)[0]).toMatch(/^! .*n/s);
    expect(model.requests[0]?.tools[0]).toMatchObject({ name: "t", description: "d", parameters: { type: "object" } });
  });

  test("a tool without input takes an empty object", async () => {
    const { result, model } = await play([picks("t", call("t", "")), "done"], {
      tools: [tool({ name: "t", execute: () => "ran" })],
    });
    expect(answers(result.messages)).toEqual(["ran", "ran"]);
    expect(model.requests[0]?.tools[0]?.parameters).toMatchObject({ type: "object" });
  });

  test("one entry may serve many runs at once", async () => {
    const shared = named("t");
    const texts = await Promise.all(
      [1, 2, 3].map((n) => createRuntime({ model: scripted([picks("t"), `done ${n}`]) }).exec("go", { tools: shared })),
    );
    expect(texts).toEqual(["done 1", "done 2", "done 3"]);
  });
});

describe("policy", () => {
  const tools = named("a", "b", "c");

  test("toolsAllow: only these; [] allows nothing", async () => {
    expect(await menuOf({ tools, toolsAllow: ["c", "a"] })).toEqual(["a", "c"]);
    expect(await menuOf({ tools, toolsAllow: [] })).toEqual([]);
  });

  test("toolsDeny: never these, and it beats toolsAllow", async () => {
    expect(await menuOf({ tools, toolsDeny: ["b"] })).toEqual(["a", "c"]);
    expect(await menuOf({ tools, toolsAllow: ["a", "b"], toolsDeny: ["b"] })).toEqual(["a"]);
  });

  test("the runtime's policy and the option's add up", async () => {
    expect(await menuOf({ tools, toolsDeny: ["a"] }, { toolsDeny: ["b"] })).toEqual(["c"]);
    expect(await menuOf({ tools, toolsAllow: ["a", "b"] }, { toolsAllow: ["b", "c"] })).toEqual(["b"]);
  });

  test("unknown names in allow and deny warn", async () => {
    const { events, result } = await play(["done"], { tools, toolsAllow: ["a", "typo1"], toolsDeny: ["typo2"] });
    expect(result.outcome).toBe("stop");
    const said = warningsOf(events)
      .map((warning) => warning.message)
      .join("\n");
    expect(said).toMatch(/typo1/);
    expect(said).toMatch(/typo2/);
  });

  test("toolsSource leaves out what is unsafe in it", async () => {
    const withUnsafe = [...named("a"), logged("b", [], { unsafeIn: ["slack", "web"] })];
    expect(await menuOf({ tools: withUnsafe, toolsSource: "slack" })).toEqual(["a"]);
    expect(await menuOf({ tools: withUnsafe, toolsSource: "terminal" })).toEqual(["a", "b"]);
    expect(await menuOf({ tools: withUnsafe })).toEqual(["a", "b"]);
    expect(await menuOf({ tools: withUnsafe }, { toolsSource: "web" })).toEqual(["a"]);
  });

  test("what is left out is not callable", async () => {
    const log: string[] = [];
    const { result } = await play([picks("a", "b"), "done"], {
      tools: [logged("a", log), logged("b", log, { unsafeIn: ["web"] }), ...named("c")],
      toolsDeny: ["a"],
      toolsSource: "web",
    });
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /), expect.stringMatching(/^! /)]);
  });
});

describe("register and unregister", () => {
  test("change the menu of later runs", async () => {
    const model = scripted(["1", "2", "3"]);
    const runtime = createRuntime({ model, tools: named("a") });
    await runtime.exec("go");
    runtime.register(logged("b", []));
    await runtime.exec("go");
    runtime.unregister("a");
    runtime.unregister("nobody");
    await runtime.exec("go");
    expect(model.requests.map(namesOf)).toEqual([["a"], ["a", "b"], ["b"]]);
  });

  test("not that of a run that is going on", async () => {
    const late = tool({
      name: "late",
      execute: (_args, ctx) => {
        ctx.runtime.register(logged("new", []));
        ctx.runtime.unregister("late");
        return "ok";
      },
    });
    const model = scripted([picks("late"), "done", "again"]);
    const runtime = createRuntime({ model, tools: [late] });
    await runtime.exec("go");
    await runtime.exec("go");
    expect(model.requests.map(namesOf)).toEqual([["late"], ["late"], ["new"]]);
  });

  test("a second tool of a name throws", () => {
    const runtime = createRuntime({ model: scripted([]), tools: named("a") });
    expect(() => runtime.register(logged("a", []))).toThrow(expect.objectContaining({ code: "invalid_tool" }));
  });
});

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

  test("toolsSource, unless it says its own", async () => {
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
    const helper = async () => await exec("inner");
    const deep = tool({ name: "deep", execute: async () => await Promise.all([helper()]).then(([text]) => text) });
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
    const { model, inner, result } = await leftBehind(() => {}, [picks("leave"), { hang: true }], { timeoutMs: 30 });
    expect(result.outcome).toBe("timeout");
    expect(inner).toMatchObject({ code: "timeout" });
    expect(model.requests).toHaveLength(2);
  });
});

describe("options", () => {
  test.each(["choices", "output"])("%s is not there yet", async (name) => {
    await refuses({ tools: [], [name]: {} } as unknown as ExecOptions, "not_yet", new RegExp(name));
  });

  test("an unknown one is a caller mistake that names it and the nearest", async () => {
    await refuses(
      { tools: [], maxIteration: 3 } as unknown as ExecOptions,
      "invalid_option",
      /maxIteration\b[\s\S]*maxIterations/,
    );
    expect(() => createRuntime({ modle: "x" } as unknown as RuntimeOptions)).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(/modle[\s\S]*model/) }),
    );
  });

  test("undefined is the same as absent", async () => {
    const options = {
      tools: undefined,
      maxIterations: undefined,
      signal: undefined,
      toolChoice: undefined,
    } as unknown as ExecOptions;
    expect(await menuOf(options, { tools: named("r") })).toEqual(["r"]);
  });

  test.each([
    ["atLimit", "never"],
    ["toolExecution", "parallel"],
    ["parallelToolCalls", "yes"],
    ["toolsAllow", "a"],
    ["toolsDeny", [1]],
    ["toolsSource", 7],
    ["system", 7],
    ["model", 7],
    ["effort", "huge"],
    ["temperature", "hot"],
    ["maxOutputTokens", 0],
    ["onRetry", "x"],
    ["getSteeringMessages", []],
    ["getFollowUpMessages", {}],
    ["messages", "hello"],
    ["key", 7],
  ] as const)("%s: %j is a caller mistake that names it", async (name, value) => {
    const { runtime } = start(["x"]);
    const error = await failure(runtime.exec("go", { tools: [], [name]: value } as unknown as ExecOptions));
    expect(error).toMatchObject({ name: "RondoError", message: expect.stringContaining(name) });
  });

  test.each([[""], [[]], [7], [null], [[{ type: "video" }]], [[{ type: "text" }]]])(
    "content %j is a caller mistake",
    async (content) => {
      const model = scripted([]);
      const error = await failure(createRuntime({ model }).exec(content as never, { tools: [] }));
      expect(error).toMatchObject({ code: "invalid_option" });
      expect(model.requests).toHaveLength(0);
    },
  );

  test("an unknown model is a caller mistake", async () => {
    await refuses({ tools: [], model: "nobody/nothing" }, "unknown_model", /nobody/);
  });

  test("request options are handed to the model as they are", async () => {
    const providerOptions = { scripted: { seed: 1 } };
    const { model } = await play(["x"], {
      system: "S",
      effort: "low",
      maxOutputTokens: 9,
      temperature: 0,
      providerOptions,
    });
    expect(model.requests[0]).toMatchObject({
      system: "S",
      effort: "low",
      maxOutputTokens: 9,
      temperature: 0,
      providerOptions,
    });
  });

  test("options changed by the caller while the run goes on change nothing", async () => {
    const tools = [...named("a")];
    const toolsDeny: string[] = [];
    const started = start([picks("a"), "done"], { tools, toolsDeny });
    tools.length = 0;
    toolsDeny.push("a");
    const { result } = await started.ended();
    expect(answers(result.messages)).toEqual(["a done"]);
  });
});
