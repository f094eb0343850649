import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type ModelRequest,
  type RuntimeOptions,
  type ToolOptions,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, picks, play } from "../loop/play.fixture.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);

const city = {
  type: "object",
  properties: { city: { type: "string", description: "Name of a city." } },
  required: ["city"],
};

const weather = (options: ToolOptions<never> = {}) =>
  tool({
    name: "weather",
    description: "Current weather of a city.",
    input: city,
    defer: true,
    ...options,
    execute: (args) => `Sunny in ${(args as { city: string }).city}`,
  });
const plain = (name: string, options: ToolOptions & { readonly description?: string } = {}) =>
  tool({ name, description: `Does ${name}.`, ...options, execute: () => `ran ${name}` });

const through = (name: string, args: unknown = {}) => call("call_tool", { name, arguments: args } as never);
const search = (query: string, limit?: number) => call("tool_search", { query, ...(limit !== undefined && { limit }) });

const run = (script: Parameters<typeof play>[0], options: ExecOptions, defaults: RuntimeOptions = {}) =>
  play(script, options, defaults);

describe("a deferred tool", () => {
  test("is found, called through call_tool, and stands everywhere under its own name", async () => {
    const { model, result, events } = await run(
      [picks(search("how is the weather")), picks(through("weather", { city: "Oslo" })), "done"],
      { tools: [plain("other"), weather()] },
    );
    expect(model.requests.map(namesOf)).toEqual(Array(3).fill(["other", "tool_search", "call_tool"]));
    expect(answers(result.messages)[0]).toContain('{"name":"weather","description":"Current weather of a city."');
    expect(answers(result.messages)[1]).toBe("Sunny in Oslo");
    const told = events.flatMap((event) => (event.type === "tool_start" ? [event.call.name] : []));
    expect(told).toEqual(["tool_search", "weather"]);
    const called = model.requests[2]!.messages.flatMap((message) =>
      message.role === "assistant" ? message.content : [],
    );
    expect(called.at(-1)).toMatchObject({ type: "tool_call", name: "weather", arguments: '{"city":"Oslo"}' });
    expect(model.requests[2]!.messages.at(-1)).toMatchObject({ role: "tool", toolName: "weather" });
  });

  test("declares the very same block in every request, closing ones too", async () => {
    const { model } = await run(
      [picks(search("select:weather")), picks(through("weather", { city: "Oslo" })), "closed"],
      {
        tools: [weather()],
        maxIterations: 2,
      },
    );
    for (const request of model.requests) expect(request.tools).toEqual(model.requests[0]!.tools);
    expect(model.requests.at(-1)?.toolChoice).toBe("none");
  });

  test.each([
    ["its name and arguments as text", { name: "weather", arguments: '{"city":"Oslo"}' }, "Sunny in Oslo"],
    [
      "arguments that do not fit",
      { name: "weather", arguments: { town: "Oslo" } },
      /not valid[\s\S]*city[\s\S]*The parameters of "weather": \{"type":"object"/,
    ],
    ["its arguments beside its name", { name: "weather", city: "Oslo" }, "Sunny in Oslo"],
    ["no arguments", { name: "weather" }, /The parameters of "weather"/],
    ["arguments that are no object", { name: "weather", arguments: "Oslo" }, /must be a JSON object/],
    ["a name that nothing has", { name: "wether", arguments: {} }, /There is no tool "wether". Did you mean .*weather/],
    ["itself", { name: "call_tool", arguments: { name: "weather", arguments: {} } }, /No work was done/],
    ["the search", { name: "tool_search", arguments: { query: "weather" } }, /call_tool\(\{ name, arguments \}\)/],
    ["a declared tool", { name: "other", arguments: {} }, "ran other"],
    ["no name", { arguments: {} }, /"call_tool" are not valid/],
    ["a name that is none", { name: 5, arguments: {} }, /No work was done|not valid/],
    ["names that objects have", { name: "__proto__", arguments: {} }, /There is no tool "__proto__"/],
  ])("called with %s", async (_, args, answer) => {
    const { result } = await run([picks(call("call_tool", args as never)), "done"], {
      tools: [plain("other"), weather()],
    });
    const said = answers(result.messages)[0];
    if (typeof answer === "string") expect(said).toBe(answer);
    else expect(said).toMatch(answer);
  });

  test("runs when it is called directly, loaded or not; what does not fit is told with its schema", async () => {
    const { result } = await run([picks(call("weather", { city: "Rome" }), call("weather", {})), "done"], {
      tools: [weather()],
    });
    const [good, bad] = answers(result.messages);
    expect(good).toBe("Sunny in Rome");
    expect(bad).toMatch(/city[\s\S]*The parameters of "weather"/);
  });

  test("is asked about, denied and counted under its own name", async () => {
    const asked: unknown[] = [];
    const { result } = await run(
      [picks(through("weather", { city: "Oslo" })), "done"],
      { tools: [weather({ requiresApproval: true })] },
      {
        approve: (request) => {
          asked.push([request.call.name, request.arguments]);
          return { approved: false, reason: "not today" };
        },
      },
    );
    expect(asked).toEqual([["weather", { city: "Oslo" }]]);
    expect(answers(result.messages)[0]).toContain("not today");
    const failing = { execute: () => Promise.reject(new Error("down")) };
    const stuck = await run([...Array(3).fill(picks(through("weather", { city: "Oslo" }))), "done"], {
      tools: [{ ...weather(), ...failing }],
    });
    expect(answers(stuck.result.messages)[2]).toMatch(/the same call has failed/);
  });

  test.each([
    ["denied", { approvals: { deny: ["callTool"] } }, [], /the rule "callTool" forbids it/],
    ["denied by what it is about", { approvals: { deny: ["call_tool(*Oslo*)"] } }, [], /forbids it/],
    ["asked about", { approvals: { ask: ["call_tool"] } }, ["weather"], /Sunny/],
    ["asked about by the runtime", { requiresApproval: ["call_tool"] }, ["weather"], /Sunny/],
    ["not let run by a rule for call_tool", { approvals: { mode: "ask", allow: ["call_tool"] } }, ["weather"], /Sunny/],
  ] as const)("is %s where call_tool is", async (_, defaults, about, outcome) => {
    for (const one of [through("weather", { city: "Oslo" }), call("weather", { city: "Oslo" })]) {
      const asked: string[] = [];
      const approve: RuntimeOptions["approve"] = (request) => {
        asked.push(request.call.name);
        return { approved: true };
      };
      const { result } = await run([picks(one), "done"], { tools: [weather()] }, { approve, ...defaults });
      expect(asked).toEqual(about);
      expect(answers(result.messages)[0]).toMatch(outcome);
    }
  });

  test("that is a nested run's own is not reached from the run around, nor the other way", async () => {
    const inner = scripted([picks(search("select:weather")), picks(through("weather", { city: "X" })), "in"]);
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("in", { model: inner, toolsDeny: ["weather"] }),
    });
    await run([picks("nest"), "done"], { tools: [weather(), plain("other", { defer: true }), nest] });
    const said = answers(inner.requests.at(-1)!.messages);
    expect(said[0]).toContain('There is no tool "weather" here.');
    expect(said[1]).toContain("it is denied by toolsDeny");
    expect(inner.requests[0]!.tools.find(({ name }) => name === "tool_search")?.description).not.toContain("weather");
  });
});

test("a user's own call_tool is called as itself", async () => {
  const own = tool({ name: "call_tool", input: { type: "object" }, execute: (args) => JSON.stringify(args) });
  const { result } = await run([picks(through("weather", { city: "Oslo" })), "done"], { tools: [own, weather()] });
  expect(answers(result.messages)[0]).toBe('{"name":"weather","arguments":{"city":"Oslo"}}');
});

describe("tool_search", () => {
  const tools = [
    weather(),
    plain("send_mail", { defer: true }),
    plain("send_fax", { defer: true }),
    ...Array.from({ length: 40 }, (_, i) => plain(`thing_${i}`, { defer: true })),
  ];
  const asked = async (query: string, limit?: number) =>
    answers((await run([picks(search(query, limit)), "done"], { tools })).result.messages)[0]!;
  const found = (text: string) => [...text.matchAll(/^\{"name":"(\w+)"/gm)].map(([, name]) => name);

  test.each([
    ["weather in a city", undefined, ["weather"]],
    ["select:send_fax, weather,send_fax", undefined, ["send_fax", "weather"]],
    ["SELECT:send_fax", undefined, ["send_fax"]],
    ["send +mail", undefined, ["send_mail"]],
    ["+send", 1, ["send_mail"]],
    ["+send +weather", undefined, []],
    ["zzz qqq", undefined, []],
  ])("%j limit %s", async (query, limit, names) => {
    expect(found(await asked(query, limit))).toEqual(names);
  });
  test("gives five, or as many as are asked for, twenty at most", async () => {
    expect(found(await asked("thing"))).toHaveLength(5);
    expect(found(await asked("thing", 20))).toHaveLength(20);
    expect(await asked("thing", 21)).toMatch(/not valid/);
  });
  test("says what is wrong with a query", async () => {
    expect(await asked("select:wether")).toContain('There is no tool "wether" here. Did you mean weather?');
    expect(await asked("select:")).toContain('"select:" needs names');
    expect(await asked("   ")).toContain("Say what the tool should do");
    expect(await asked("zzz")).toContain('No tool fits "zzz". Try other words; 43 can be searched.');
  });
  test("names the tools in its description while they are few, and their number always", () => {
    const runtime = createRuntime({ model: scripted([]), tools: [weather(), plain("b", { defer: true })] });
    const few = runtime.explainTools().find(({ name }) => name === "tool_search")!;
    expect(few.description).toContain("2 more tools can be found with it: weather, b.");
    const many = createRuntime({
      model: scripted([]),
      tools: Array.from({ length: 1000 }, (_, i) => plain(`thing_${i}`)),
    });
    const said = many.explainTools({ deferAbove: 0 }).find(({ name }) => name === "tool_search")!.description;
    expect(said).toContain("1,000 more tools can be found with it.");
    expect(said.length).toBeLessThan(400);
  });
});

describe("STATE-12", () => {
  test("every request of a run carries the one block, deferred tools only with the search: rounds, re-asks and closing ones", async () => {
    const script = [picks(search("weather")), "no decision", "yes"];
    const { model } = await run(script, { tools: [weather()], choices: ["yes", "no"] });
    expect(model.requests).toHaveLength(3);
    for (const request of model.requests) {
      expect(namesOf(request)).toEqual(["tool_search", "call_tool"]);
      expect(request.tools).toEqual(model.requests[0]!.tools);
    }
  });
});

describe("CACHE-02", () => {
  test("finding a tool changes nothing of what is declared, nor of what was said", async () => {
    const script = [
      picks(search("weather")),
      picks(through("weather", { city: "A" })),
      picks(through("weather", { city: "B" })),
      "done",
    ];
    const seen: string[] = [];
    const model = scripted(script);
    const runtime = createRuntime({
      model: {
        ...model,
        stream: (request, options) => {
          seen.push(JSON.stringify([request.system, request.tools, request.messages]));
          return model.stream(request, options);
        },
      },
    });
    await runtime.exec("go", { tools: [weather()] });
    expect(seen).toHaveLength(4);
    for (const [i, text] of seen.entries()) if (i > 0) expect(text.startsWith(seen[i - 1]!.slice(0, -2))).toBe(true);
  });
});
