import { expect, test } from "vitest";
import { createRuntime, type RuntimeOptions, tool } from "../../src/index.ts";
import { scripted } from "../../src/testing/index.ts";

const dial = (ran: string[]) =>
  tool({
    name: "dial",
    description: "Dials a number.",
    input: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
    defer: true,
    execute: (args) => {
      ran.push((args as { number: string }).number);
      return "rings";
    },
  });

const through = { name: "call_tool", arguments: { name: "dial", arguments: { number: "1" } } };
const direct = { name: "dial", arguments: { number: "2" } };

async function outcomeOf(options: RuntimeOptions) {
  const ran: string[] = [];
  const asked: string[] = [];
  const tools = [dial(ran), tool({ name: "plain", execute: () => "done" })];
  const runtime = createRuntime({
    model: scripted([{ calls: [through, direct, { name: "plain" }] }, "Done."]),
    tools,
    approve: ({ call }) => {
      asked.push(call.name);
      return false;
    },
    ...options,
  });
  const run = runtime.run("Call.", { tools });
  const warned: string[] = [];
  for await (const event of run) if (event.type === "warning") warned.push(event.message);
  const { messages } = await run.result;
  const said = messages.flatMap((one) => (one.role === "tool" ? [JSON.stringify(one.content)] : []));
  return { ran, asked, said, warned };
}

test.each(["call_tool", "callTool", "call_tool(*)", 'call_tool({*"name":"dial"})'])(
  "a denial of what calls deferred tools is one of them, however they are called: %s",
  async (rule) => {
    const { ran, said, warned } = await outcomeOf({ approvals: { deny: [rule] } });
    expect(ran).toEqual([]);
    expect(said.map((text) => text.includes("forbids it"))).toEqual([true, true, false]);
    expect(warned.filter((text) => !text.includes("was taken for"))).toEqual([]);
  },
);

test.each([
  { approvals: { ask: ["call_tool"] } },
  { requiresApproval: ["call_tool"] },
  { requiresApproval: ["callTool"] },
] satisfies RuntimeOptions[])("so is a rule that asks: %j", async (options) => {
  const { ran, asked, warned } = await outcomeOf(options);
  expect([ran, asked]).toEqual([[], ["dial", "dial"]]);
  expect(warned.filter((text) => !text.includes("was taken for"))).toEqual([]);
});

test("what lets it run does not let them run, and a pattern that fits nothing denies nothing", async () => {
  const { ran, asked } = await outcomeOf({ approvals: { mode: "ask", allow: ["call_tool"] } });
  expect([ran, asked]).toEqual([[], ["dial", "dial", "plain"]]);
  expect((await outcomeOf({ approvals: { deny: ['call_tool({*"name":"other"})'] } })).ran).toEqual(["1", "2"]);
});
