import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, method, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { read, usersOf } from "../loop/play.fixture.ts";

const pay = tool({
  name: "pay",
  input: z.object({ amount: z.number() }),
  requiresApproval: true,
  execute: ({ amount }) => `paid ${amount}`,
});

describe("a function that is an option under another name", () => {
  test("is shown to the approver, and told, under its own", async () => {
    const asked: unknown[] = [];
    const runtime = createRuntime({
      model: scripted(['{"call":"harmless","args":{"amount":5}}']),
      approve: ({ call, arguments: args }) => {
        asked.push([call.name, call.arguments, args]);
        return true;
      },
    });
    const run = runtime.run("go", { tools: [], choices: { harmless: pay, no: "NO" } });
    const events = await read(run);
    expect(await run.result).toMatchObject({ outcome: "stop", value: "paid 5" });
    expect(asked).toEqual([["pay", '{"amount":5}', { amount: 5 }]]);
    const names = events.flatMap((event) => {
      if (event.type === "tool_end") return [`${event.type} ${event.call.name} ${event.result.toolName}`];
      return event.type === "tool_start" || event.type === "approval_request"
        ? [`${event.type} ${event.call.name}`]
        : [];
    });
    expect(names).toEqual(["approval_request pay", "tool_start pay", "tool_end pay pay"]);
  });

  test("so a rule of the approver by name holds; the model hears of the option by the name that it knows", async () => {
    const model = scripted(['{"call":"harmless","args":{"amount":5}}', "no"]);
    const runtime = createRuntime({ model, approve: ({ call }) => call.name !== "pay" });
    expect(await runtime.exec("go", { tools: [], choices: { harmless: pay, no: "NO" } })).toBe("NO");
    expect(usersOf(model.requests[1]?.messages).at(-1)).toMatch(/"harmless" was denied/);
  });

  test("runs with edited arguments as the option that was picked, also where two tools have one name", async () => {
    const other = method({ name: "pay", input: z.object({ to: z.string() }), requiresApproval: true }, ({ to }) => to);
    const choices = { first: pay, second: other };
    const runtime = createRuntime({
      model: scripted(['{"call":"second","args":{"to":"A"}}', '{"call":"first","args":{"amount":1}}']),
      approve: ({ arguments: args }) => ({
        approved: true,
        arguments: (args as { to?: string }).to ? { to: "B" } : { amount: 2 },
      }),
    });
    expect(await runtime.exec("go", { tools: [], choices })).toBe("B");
    expect(await runtime.exec("go", { tools: [], choices })).toBe("paid 2");
  });

  test("edited arguments that do not fit are an invalid pick", async () => {
    const model = scripted(['{"call":"harmless","args":{"amount":5}}', "no"]);
    const runtime = createRuntime({ model, approve: () => ({ approved: true, arguments: { amount: "x" } }) });
    expect(await runtime.exec("go", { tools: [], choices: { harmless: pay, no: "NO" } })).toBe("NO");
  });
});
