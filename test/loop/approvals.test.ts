import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Approval, type ApprovalRequest, type Approve, tool } from "../../src/core.ts";
import { answers, call, logged, picks, play, sleep, start, until } from "./play.fixture.ts";

/** A tool that pays and needs a person's word. */
function paying(log: unknown[], requiresApproval: Parameters<typeof tool>[0]["requiresApproval"] = true) {
  return tool({
    name: "pay",
    input: z.object({ euros: z.number().max(100), to: z.string().optional() }),
    ...(requiresApproval === undefined ? {} : { requiresApproval }),
    execute: (args) => {
      log.push(args);
      return "paid";
    },
  });
}

/** One call of `pay` under this hook. */
async function pay(approve: Approve | undefined, requiresApproval: Parameters<typeof paying>[1] = true) {
  const log: unknown[] = [];
  const played = await play(
    [picks(call("pay", { euros: 5 })), "done"],
    { tools: [paying(log, requiresApproval)] },
    approve === undefined ? {} : { approve },
  );
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  return { ...played, log, answer: answers(played.result.messages)[0] };
}

const denied = expect.stringMatching(/^! .*(denied|not approved|approv)/is);

describe("who is asked", () => {
  test("without an approve hook the call is denied", async () => {
    const { log, answer } = await pay(undefined);
    expect(log).toEqual([]);
    expect(answer).toEqual(denied);
  });

  test("tools that need none are not asked about", async () => {
    let asked = 0;
    const { log } = await pay(() => ++asked > 0, false);
    expect(asked).toBe(0);
    expect(log).toHaveLength(1);
  });

  test("requiresApproval as a function: it is asked with the validated arguments", async () => {
    const seen: unknown[] = [];
    const log: unknown[] = [];
    const asked: unknown[] = [];
    const needs = (args: unknown) => {
      seen.push(args);
      return (args as { euros: number }).euros > 10;
    };
    const { result } = await play(
      [picks(call("pay", { euros: "5" }), call("pay", { euros: 50 })), "done"],
      { tools: [paying(log, needs)] },
      {
        approve: (request) => {
          asked.push(request.arguments);
          return true;
        },
      },
    );
    expect(seen).toEqual([{ euros: 5 }, { euros: 50 }]);
    expect(asked).toEqual([{ euros: 50 }]);
    expect(answers(result.messages)).toEqual(["paid", "paid"]);
  });

  test("requiresApproval as a function that promises", async () => {
    expect((await pay(undefined, async () => false)).log).toHaveLength(1);
    expect((await pay(undefined, async () => true)).log).toHaveLength(0);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no rule");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no rule"))],
  ] as const)("requiresApproval that %s: the call does not run unasked", async (_, bad) => {
    const { log } = await pay(undefined, bad);
    expect(log).toEqual([]);
  });

  test("calls that fail find, validate or policy are answered without asking", async () => {
    let asked = 0;
    const log: unknown[] = [];
    const { result } = await play(
      [picks("nope", call("pay", { euros: "many" }), call("pay", "{")), "done"],
      { tools: [paying(log)] },
      { approve: () => ++asked > 0 },
    );
    expect(asked).toBe(0);
    expect(answers(result.messages).every((text) => text.startsWith("! "))).toBe(true);
  });

  test("the request holds the call, validated arguments, run, path and signal; an event shows it", async () => {
    const seen: ApprovalRequest[] = [];
    const { run, events } = await pay((request) => {
      seen.push(request);
      expect(request.signal.aborted).toBe(false);
      return true;
    });
    expect(seen).toMatchObject([
      { call: { id: "call_1_1", name: "pay", arguments: '{"euros":5}' }, arguments: { euros: 5 }, runId: run.id },
    ]);
    expect(events.flatMap((event) => (event.type === "approval_request" ? [event.call.id] : []))).toEqual(["call_1_1"]);
  });
});

describe("what the hook answers", () => {
  test.each([
    ["true", true],
    ["{ approved: true }", { approved: true }],
  ] as const)("%s: the call runs with the arguments of the model", async (_, answer) => {
    const { log, answer: text } = await pay(() => answer);
    expect(log).toEqual([{ euros: 5 }]);
    expect(text).toBe("paid");
  });

  test("false: denied, and the model is told that no work was done", async () => {
    const { log, answer } = await pay(() => false);
    expect(log).toEqual([]);
    expect(answer).toEqual(denied);
    expect(answer).toMatch(/not|no work/i);
  });

  test("a reason reaches the model", async () => {
    const { log, answer } = await pay(async () => ({ approved: false, reason: "over budget" }));
    expect(log).toEqual([]);
    expect(answer).toMatch(/over budget/);
  });

  test("other arguments: they run, validated again", async () => {
    expect((await pay(() => ({ approved: true, arguments: { euros: 7 } }))).log).toEqual([{ euros: 7 }]);
    const bad = await pay(() => ({ approved: true, arguments: { euros: 700 } }));
    expect(bad.log).toEqual([]);
    expect(bad.answer).toMatch(/^! .*euros/s);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no terminal");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no terminal"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["answers undefined", () => undefined as unknown as Approval],
    ["answers a string", () => "yes" as unknown as Approval],
    ["answers an object without approved", () => ({}) as unknown as Approval],
    ["answers approved with what is not true", () => ({ approved: "false" }) as unknown as Approval],
  ] as const)("TOOL-11 one that %s denies", async (_, bad) => {
    const { log, answer } = await pay(bad);
    expect(log).toEqual([]);
    expect(answer).toMatch(/^! /);
  });
});

describe("how long it is waited for", () => {
  test("without a timer: a late answer counts", async () => {
    const { log } = await pay(() => sleep(30).then(() => true));
    expect(log).toHaveLength(1);
  });

  test("approvalTimeoutMs: then it is denied, and the signal of the request fires", async () => {
    const signals: AbortSignal[] = [];
    const log: unknown[] = [];
    const { result } = await play(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approvalTimeoutMs: 15,
        approve: (request) => {
          signals.push(request.signal);
          return new Promise(() => {});
        },
      },
    );
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /)]);
    expect(result.outcome).toBe("stop");
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  test("an answer behind approvalTimeoutMs changes nothing", async () => {
    const gate = Promise.withResolvers<boolean>();
    const log: unknown[] = [];
    await play(
      [
        picks(call("pay", { euros: 5 })),
        async () => {
          gate.resolve(true);
          await sleep(2);
          return "done";
        },
      ],
      { tools: [paying(log)] },
      { approvalTimeoutMs: 10, approve: () => gate.promise },
    );
    expect(log).toEqual([]);
  });

  test("its own time does not count as the tool's", async () => {
    const log: unknown[] = [];
    const { result } = await play(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [{ ...paying(log), timeoutMs: 20 }] },
      { approve: () => sleep(60).then(() => true) },
    );
    expect(answers(result.messages)).toEqual(["paid"]);
  });

  test("a now message ends the waiting: the call is skipped and the message is read", async () => {
    const log: unknown[] = [];
    const signals: AbortSignal[] = [];
    const { run, ended, model } = start(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approve: (request) => {
          signals.push(request.signal);
          return new Promise(() => {});
        },
      },
    );
    await until(() => signals.length === 1);
    run.send("never mind");
    const { result } = await ended();
    expect(log).toEqual([]);
    expect(signals[0]?.aborted).toBe(true);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Skipped due to queued user message/)]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: "never mind" });
  });

  test("an after_round message does not end it", async () => {
    const log: unknown[] = [];
    const gate = Promise.withResolvers<boolean>();
    let asked = false;
    const { run, ended } = start(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approve: () => {
          asked = true;
          return gate.promise;
        },
      },
    );
    await until(() => asked);
    run.send("by the way", { when: "after_round" });
    await sleep(3);
    gate.resolve(true);
    await ended();
    expect(log).toHaveLength(1);
  });
});

describe("several calls", () => {
  test.each(["sequential", "overlap"] as const)(
    "%s: asked in order, one at a time; results stay in call order",
    async (toolExecution) => {
      const asked: string[] = [];
      let open = 0;
      const { result } = await play(
        [picks("a", "b", "c"), "done"],
        {
          tools: ["a", "b", "c"].map((name) => logged(name, [], { requiresApproval: true, readOnly: true })),
          toolExecution,
        },
        {
          approve: async ({ call: { name } }) => {
            expect(++open).toBe(1);
            asked.push(name);
            await sleep(name === "a" ? 10 : 1);
            open--;
            return name !== "b";
          },
        },
      );
      expect(asked).toEqual(["a", "b", "c"]);
      expect(answers(result.messages)).toEqual(["a done", denied, "c done"]);
    },
  );

  test("a denial leaves the others alone", async () => {
    const log: string[] = [];
    const { result } = await play(
      [picks("a", "danger", "b"), "done"],
      { tools: [logged("a", log), logged("danger", log, { requiresApproval: true }), logged("b", log)] },
      { approve: () => false },
    );
    expect(log).toEqual(["a", "b"]);
    expect(answers(result.messages)).toEqual(["a done", denied, "b done"]);
  });

  test("an exec inside a tool asks the same approver", async () => {
    const asked: string[] = [];
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner") });
    await play(
      [picks("nest"), picks("danger"), "inner", "done"],
      { tools: [nest, logged("danger", [], { requiresApproval: true })] },
      {
        approve: (request) => {
          asked.push(`${request.call.name} ${request.path}`);
          return true;
        },
      },
    );
    expect(asked).toEqual([expect.stringMatching(/^danger \S/)]);
  });

  test("a hook that changes the arguments it is shown changes nothing", async () => {
    const { log, result } = await pay((request) => {
      (request.arguments as { euros: number }).euros = 99;
      return true;
    });
    expect(log).toEqual([{ euros: 5 }]);
    expect(JSON.stringify(result.messages)).not.toMatch(/99/);
  });
});
