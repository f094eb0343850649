import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createRuntime,
  type ExecOptions,
  type ModelRequest,
  type RuntimeOptions,
  type ToolEntry,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, logged, picks, play, refuses, warningsOf } from "./play.fixture.ts";

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
