import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, choose, createRuntime, method, option, RondoError, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, outline, picks, read, usersOf } from "../loop/play.fixture.ts";

const refund = tool({
  name: "refund",
  description: "Give the money back.",
  input: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ refunded: amount }),
});

const choices = {
  refund,
  escalate: "ESCALATE",
  wait: option.value(3, "Wait for some days."),
  report: option.schema(z.object({ title: z.string(), level: z.enum(["low", "high"]) }), "File a report."),
};

const decide = async (...script: Parameters<typeof scripted>[0]) => {
  const model = scripted(script);
  const runtime = createRuntime({ model });
  const run = runtime.run("Decide.", { tools: [], choices });
  const events = await read(run);
  return { model, result: await run.result, events };
};

describe("choices", () => {
  test("a literal is the value", async () => {
    const { result } = await decide('I think so.\n```json\n{"call": "escalate"}\n```');
    expect(result).toMatchObject({ outcome: "stop", value: "ESCALATE" });
  });

  test("a described value is the value", async () => {
    expect((await decide('{"call":"wait","args":{}}')).result).toMatchObject({ outcome: "stop", value: 3 });
  });

  test("a schema option yields its name and its fields", async () => {
    const { result } = await decide('{"call":"report","args":{"title":"T","level":"high"}}');
    expect(result).toMatchObject({ value: { decision: "report", title: "T", level: "high" } });
  });

  test("a function is run and its value is the result; nothing of that enters the history", async () => {
    const { result, events } = await decide('{"call":"refund","args":{"amount":5}}');
    expect(result).toMatchObject({ outcome: "stop", value: { refunded: 5 } });
    expect(outline(result.messages)).toEqual(["user: Decide.", 'assistant: {"call":"refund","args":{"amount":5}}']);
    const told = events.flatMap((event) =>
      event.type === "tool_start" || event.type === "tool_end" ? [event.type] : [],
    );
    expect(told).toEqual(["tool_start", "tool_end"]);
    expect(events.at(-1)?.type).toBe("agent_end");
  });

  test("the menu stands in the system prompt, with every option and how to pick it", async () => {
    const { model } = await decide("escalate");
    const system = model.requests[0]?.system ?? "";
    for (const said of [
      '{"call":"escalate"}',
      "Give the money back.",
      "amount: number",
      'one of "low", "high"',
      '"args":{"amount":0}',
    ])
      expect(system).toContain(said);
  });

  test("an invalid pick is answered once with the reason and the menu, in a request in which nothing can be picked", async () => {
    const { model, result } = await decide(
      '{"call":"refund","args":{"amount":"lots"}}',
      '{"call":"refund","args":{"amount":2}}',
    );
    expect(result).toMatchObject({ outcome: "stop", value: { refunded: 2 }, rounds: 1 });
    expect(model.requests[1]?.toolChoice).toBe("none");
    const notice = usersOf(model.requests[1]?.messages).at(-1);
    expect(notice).toMatch(/amount/);
    expect(notice).toContain('{"call":"escalate"}');
  });

  test("then the run is undecided: exec rejects with the attempts and the last reply", async () => {
    const model = scripted(["no idea", "still none"]);
    const error = await failure(createRuntime({ model }).exec("Decide.", { tools: [], choices }));
    expect(error).toMatchObject({ code: "undecided", message: expect.stringMatching(/2 attempts.*still none/s) });
    expect(RondoError.isInstance(error) && error.result).toMatchObject({ outcome: "undecided", text: "still none" });
  });

  test("the model may work first", async () => {
    const model = scripted([picks(call("look")), 'Done. {"call":"escalate"}']);
    const look = tool({ name: "look", execute: () => "seen" });
    const runtime = createRuntime({ model });
    expect(await runtime.exec("Decide.", { tools: [look], choices })).toBe("ESCALATE");
  });

  test("what a picked function throws is what exec rejects with; the result holds that very object", async () => {
    const broken = new TypeError("no money");
    const pay = method({ name: "pay" }, () => {
      throw broken;
    });
    const script = ['{"call":"pay"}'];
    expect(await failure(createRuntime({ model: scripted(script) }).exec("go", { tools: [], choices: { pay } }))).toBe(
      broken,
    );
    const run = createRuntime({ model: scripted(script) }).run("go", { tools: [], choices: { pay } });
    const result = await run.result;
    expect(result.outcome).toBe("error");
    expect(result.error).toBe(broken);
  });

  test("a picked function that needs approval is asked for; a denial is an invalid pick", async () => {
    const asked: unknown[] = [];
    const model = scripted(['{"call":"refund","args":{"amount":5}}', '{"call":"escalate"}']);
    const runtime = createRuntime({
      model,
      approve: ({ call: one, arguments: args }) => {
        asked.push([one.name, args]);
        return { approved: false, reason: "too much" };
      },
    });
    const careful = { ...refund, requiresApproval: true };
    const run = runtime.run("go", { tools: [], choices: { refund: careful, escalate: "ESCALATE" } });
    const events = await read(run);
    expect(await run.result).toMatchObject({ outcome: "stop", value: "ESCALATE" });
    expect(asked).toEqual([["refund", { amount: 5 }]]);
    expect(usersOf(model.requests[1]?.messages).at(-1)).toMatch(/denied: too much/);
    expect(events.filter((event) => event.type === "approval_request")).toHaveLength(1);
    expect(events.filter((event) => event.type === "tool_start")).toHaveLength(0);
  });

  test("an approved one runs with the arguments that were approved", async () => {
    const careful = { ...refund, requiresApproval: true };
    const runtime = createRuntime({
      model: scripted(['{"call":"refund","args":{"amount":5}}']),
      approve: () => ({ approved: true, arguments: { amount: 1 } }),
    });
    expect(await runtime.exec("go", { tools: [], choices: { refund: careful } })).toEqual({ refunded: 1 });
  });

  test("a denied function is no option", async () => {
    const model = scripted(['{"call":"refund","args":{"amount":5}}', "escalate"]);
    const run = createRuntime({ model }).run("go", { tools: [], toolsDeny: ["refund"], choices });
    expect(await run.result).toMatchObject({ value: "ESCALATE" });
  });

  test("at a limit the closing request asks for it too, and its pick counts", async () => {
    const look = tool({ name: "look", execute: () => "seen" });
    const model = scripted([picks(call("look")), '{"call":"refund","args":{"amount":7}}']);
    const run = createRuntime({ model }).run("go", { tools: [look], choices, maxIterations: 1 });
    expect(await run.result).toMatchObject({ outcome: "max_iterations", value: { refunded: 7 } });
    expect(usersOf(model.requests[1]?.messages).at(-1)).toContain('{"call":"escalate"}');
    expect(answers((await run.result).messages)).toEqual(["seen"]);
  });

  test("nothing is taken from a reply that was cut", async () => {
    const cut = { text: '{"call":"refund","args":{"amount":5}} and', stopReason: "length" } as const;
    const { model, result, events } = await decide(cut, "escalate");
    expect(result).toMatchObject({ outcome: "stop", value: "ESCALATE" });
    expect(usersOf(model.requests[1]?.messages).at(-1)).toMatch(/cut off/);
    expect(events.filter((event) => event.type === "tool_start")).toEqual([]);
    expect((await decide(cut, cut)).result).toMatchObject({ outcome: "length" });
  });

  test("an abort reaches a picked function", async () => {
    let aborted = false;
    const slow = tool({
      name: "slow",
      execute: (_, ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            aborted = true;
            resolve("late");
          });
          queueMicrotask(() => run.abort("enough"));
        }),
    });
    const run: import("../../src/core.ts").Run = createRuntime({ model: scripted(['{"call":"slow"}']) }).run("go", {
      tools: [],
      choices: { slow },
    });
    expect((await run.result).outcome).toBe("aborted");
    expect(aborted).toBe(true);
  });

  test("choose is the decision alone, also bound", async () => {
    const model = scripted(["2"]);
    expect(await createRuntime({ model }).choose("Which?", ["red", "blue"])).toBe("blue");
    expect(await choose("Which?", { red: 1, blue: 2 }, { model: scripted(["blue"]) })).toBe(2);
  });

  test("the example of an agent: works with tools, ends with a decision", async () => {
    class Support extends Agent {
      lookup = this.method({ input: z.object({ id: z.string() }) }, ({ id }) => `order ${id}`);
      refund = this.method({ input: z.object({ id: z.string() }) }, ({ id }) => `refunded ${id}` as const);
      handle = this.method({ input: z.object({ ticket: z.string() }) }, ({ ticket }) =>
        this.runtime.exec(`Handle this ticket: ${ticket}`, {
          tools: [this.lookup],
          choices: { refund: this.refund, escalate: "ESCALATE" },
        }),
      );
    }
    const model = scripted([picks(call("lookup", { id: "7" })), '{"call":"refund","args":{"id":"7"}}']);
    const support = new Support({ model });
    const value: `refunded ${string}` | "ESCALATE" = await support.handle({ ticket: "T" });
    expect(value).toBe("refunded 7");
  });
});
