import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type RuntimeOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { warningsOf } from "../loop/play.fixture.ts";

const many = (count: number, make: string) => Array.from({ length: count }, (_, n) => `${make}_${n}`);
const toolsOf = (count: number, more: object = {}) =>
  many(count, "tool").map((name) => tool({ name, ...more, execute: () => 1 }));

/** What a reader hears before anything else. */
async function warned(options: ExecOptions, defaults: RuntimeOptions = {}) {
  const events = [];
  const run = createRuntime({ model: scripted(["x"]), tools: toolsOf(3), ...defaults }).run("go", options);
  for await (const event of run) events.push(event);
  return warningsOf(events).map((event) => ("message" in event ? event.message : ""));
}

describe("thousands of mistakes at once", () => {
  const rest = "… and 9980 more of these.";
  test.each<[string, ExecOptions, RuntimeOptions?]>([
    ["toolsDeny", { toolsDeny: many(10_000, "nothing") }],
    ["toolsAllow", { toolsAllow: many(10_000, "nothing") }],
    ["requiresApproval", {}, { requiresApproval: many(10_000, "nothing") }],
    ["a preset", { toolset: "mine" }, { presets: { mine: { tools: many(10_000, "nothing") } } }],
    ["rules", {}, { approvals: { deny: many(10_000, "nothing") } }],
    ["schemas", { tools: toolsOf(10_000, { input: { $ref: "#/$defs/nothing" } }) }],
  ])("%s: the first are told, and how many more there are", async (_, options, defaults) => {
    const all = await warned(options, defaults);
    expect(all).toHaveLength(21);
    expect(all[0]).toMatch(/nothing_0|tool_0/);
    expect(all.at(-1)).toBe(rest);
  });
  test("twenty are all told", async () => {
    const all = await warned({ toolsDeny: many(20, "nothing") });
    expect(all).toHaveLength(20);
    expect(all.at(-1)).toContain("nothing_19");
  });
});

test("explainTools goes through the tools of a run a few times, not once for each that is dropped", () => {
  let times = 0;
  class Counted<T> extends Array<T> {
    override [Symbol.iterator]() {
      times++;
      return super[Symbol.iterator]();
    }
  }
  const tools = Counted.from(toolsOf(300, { unsafeIn: ["mail"], description: "Turns." }));
  const told = createRuntime({ model: scripted([]) }).explainTools({ tools, toolsSource: "mail" });
  expect(told).toHaveLength(300);
  expect(told.every((one) => one.status === "dropped" && one.gate === "source" && one.tokens! > 0)).toBe(true);
  expect(told.every(({ description }) => description === "Turns.")).toBe(true);
  expect(times).toBeLessThan(10);
});
