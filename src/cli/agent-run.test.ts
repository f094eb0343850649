import { expect, test } from "vitest";
import { Agent, type AgentOptions, createRuntime, tool } from "../index.ts";
import { agentRun } from "./agent-run.ts";

class Desk extends Agent {
  static override readonly defaults = { system: "Be kind.", maxIterations: 3, toolsDeny: ["grep"] };
  ask = this.method({}, () => "asked");
}
const ping = tool({ name: "ping", execute: () => "pong" });

function made(options: AgentOptions) {
  const agent = new Desk(options);
  return { agent, ...agentRun({ agent, entries: [agent.ask, ping] }) };
}

test("without one agent there are no defaults", () => {
  const { runtime, model, options } = agentRun({ agent: undefined, entries: [ping] });
  expect({ runtime, model, options: options({ system: "S" }) }).toEqual({
    runtime: { tools: [ping] },
    model: undefined,
    options: { system: "S" },
  });
});

test("options of the command win over the agent's, those over its class's; denials add up", () => {
  const { options } = made({ maxIterations: 4 });
  expect(options({ system: "S", toolsDeny: ["glob"] })).toEqual({
    system: "S",
    maxIterations: 4,
    toolsDeny: ["grep", "glob"],
  });
});

test("a default menu says what is offered beside the methods; the command's menu replaces it", () => {
  expect(made({}).options({}).tools).toBeUndefined();
  expect(made({ toolset: "full" }).options({}).tools).toBeUndefined();
  const none = made({ toolset: "none" });
  expect(none.options({}).tools).toEqual([none.agent.ask, ping]);
  const some = made({ tools: ["glob", ping] });
  expect(some.options({}).tools).toEqual([some.agent.ask, ping, "glob"]);
  expect(some.options({ toolset: "none" })).toMatchObject({ toolset: "none" });
  expect(some.options({ toolset: "none" }).tools).toBeUndefined();
  expect(some.options({ tools: [] }).tools).toEqual([]);
});

test("a runtime that the agent was made with is under its defaults, with its tools", () => {
  const pong = tool({ name: "pong", execute: () => "ping" });
  const runtime = createRuntime({ model: "a/b", temperature: 1, tools: [pong, ping] });
  const own = made({ runtime });
  expect(own.model).toBe("a/b");
  expect(own.runtime).toEqual({ model: "a/b", temperature: 1, tools: [own.agent.ask, ping, pong] });
  expect(made({ runtime, model: "c/d" }).model).toBe("c/d");
});
