import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import type { ModelRequest } from "../../src/model/model.ts";
import { ask } from "./ask.ts";
import { type Recorder, recorder } from "./recorder.ts";
import { connect, type Wire, wires } from "./wires.ts";

const weather = {
  name: "weather",
  description: "Weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const clock = { name: "time.now", description: "The time.", parameters: { type: "object", properties: {} } };
const tools = [weather, clock];
const reports: Readonly<Record<string, string>> = { Genoa: "sunny", Oslo: "snow" };
const weatherTool = tool({
  name: weather.name,
  description: weather.description,
  input: weather.parameters,
  execute: ({ city }) => `${city}: ${reports[String(city)]}`,
});
const clockTool = tool({
  name: clock.name,
  description: clock.description,
  input: clock.parameters,
  execute: () => "noon",
});

let mock: LLMock;
let server: Recorder;
beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  const toolCalls = Object.keys(reports).map((city, at) => ({
    id: at === 0 ? "call_a" : "call_b",
    name: "weather",
    arguments: JSON.stringify({ city }),
  }));
  mock.addFixture({
    match: { userMessage: "Weather?", hasToolResult: false },
    response: { content: "Let me look.", toolCalls },
    chunkSize: 5,
  });
  mock.addFixture({
    match: { userMessage: "Weather?", hasToolResult: true },
    response: { content: "Sunny, then snow." },
  });
  mock.addFixture({ match: { userMessage: "Hello" }, response: { content: "Hi." } });
  mock.addFixture({ match: { userMessage: "Too much" }, response: { error: { message: "slow down" }, status: 429 } });
  await mock.start();
  server = await recorder(mock.url);
});
afterAll(async () => {
  await server.close();
  await mock.stop();
});

const say = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content }],
  tools,
  toolChoice: "auto",
  ...more,
});

/** What was received while `act` ran. */
async function received(act: () => Promise<unknown>) {
  const from = server.requests.length;
  await act();
  return server.requests.slice(from);
}

const declared = (wire: Wire, names = tools.map((tool) => tool.name)): unknown => {
  const clockName = expect.stringMatching(/^time_now_[a-z0-9]+$/) as unknown as string;
  const list = tools
    .filter((tool) => names.includes(tool.name))
    .map((tool) => wire.tool(tool === clock ? { ...clock, name: clockName } : tool));
  return wire.toolList === undefined ? list : wire.toolList(list);
};

describe.each(wires)("$name", (wire) => {
  test("runs two calls of one reply, then ends with text; both requests are as the provider wants them", async () => {
    const model = connect(wire, server.url);
    const requests = await received(async () => {
      const runtime = createRuntime({ model, tools: [weatherTool, clockTool], system: "Be brief." });
      const run = runtime.run("Weather?", { toolChoice: { type: "function", name: "weather" } });
      const { outcome, text, rounds, messages } = await run.result;
      expect({ outcome, text, rounds }).toEqual({ outcome: "stop", text: "Sunny, then snow.", rounds: 2 });
      expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
      expect(messages.slice(1).map(textOf)).toEqual([
        "Let me look.",
        "Genoa: sunny",
        "Oslo: snow",
        "Sunny, then snow.",
      ]);
      expect(messages[1]).toMatchObject({ model: model.id, stopReason: "tool_calls" });
    });

    expect(requests.map((request) => request.path)).toEqual([wire.path, wire.path]);
    const [first, second] = requests.map((request) => wire.read(request.body));
    expect(first).toEqual({
      system: wire.system,
      messages: [wire.user],
      tools: declared(wire, wire.hidesOthersWhenForced ? ["weather"] : undefined),
      choice: wire.forced("weather"),
    });
    expect(second).toEqual({
      system: wire.system,
      messages: [wire.user, ...wire.second],
      tools: declared(wire),
      choice: wire.auto,
    });
    if (!wire.hidesOthersWhenForced) expect(JSON.stringify(second?.tools)).toBe(JSON.stringify(first?.tools));
  });

  test("LOOP-09 without tools sends neither tools nor a choice", async () => {
    const [request] = await received(() =>
      ask(connect(wire, server.url), say("Hello", { tools: [], toolChoice: "none" })),
    );
    const { tools, choice } = wire.read(request?.body ?? {});
    expect({ tools, choice }).toEqual({ tools: undefined, choice: undefined });
  });

  test("a forbidden pick is said so", async () => {
    const [request] = await received(() => ask(connect(wire, server.url), say("Hello", { toolChoice: "none" })));
    expect(wire.read(request?.body ?? {}).choice).toEqual(wire.none);
  });

  test("NET-02 a 429 is tried again, then told as what it is", async () => {
    const requests = await received(async () => {
      const { events, end } = await ask(connect(wire, server.url), say("Too much"));
      expect(events.map((event) => event.type)).toEqual(["retry", "end"]);
      // The server asks for one second.
      expect(events[0]).toMatchObject({ attempt: 1, delayMs: 1_000 });
      expect(end.message.stopReason).toBe("error");
      expect(end.error).toMatchObject({ kind: "rate_limit", status: 429 });
    });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });
});
