import { describe, expect, test } from "vitest";
import {
  type Approval,
  type ApprovalRequest,
  type ExecOptions,
  type RuntimeOptions,
  type Tool,
  tool,
} from "../../src/core.ts";
import { pay, paying } from "./paying.fixture.ts";
import { answers, call, logged, picks, play, sleep, start } from "./play.fixture.ts";

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

  test.each([
    ["a choice of none", {}, { toolChoice: "none" }],
    ["a cut reply", { stopReason: "length" }, {}],
    ["a refusal", { stopReason: "refusal" }, {}],
  ] as readonly [string, object, ExecOptions][])(
    "nobody, about calls that cannot run: %s",
    async (_, ends, options) => {
      const asked: unknown[] = [];
      const needs = (args: unknown) => asked.push(args) > 0;
      const reply = { text: "hm", ...picks(call("pay", { euros: 5 })), ...ends };
      const started = start(
        [reply, "done"],
        { tools: [paying([], needs)], ...options },
        { approve: (request) => asked.push(request) > 0 },
      );
      await started.ended();
      expect(asked).toEqual([]);
    },
  );

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

  test("a reason is a sentence before the next", async () => {
    const { answer } = await pay(() => ({ approved: false, reason: "too dear" }));
    expect(answer).toContain("Denied: too dear. No work was done.");
    const full = await pay(() => ({ approved: false, reason: "Too dear!" }));
    expect(full.answer).toContain("Denied: Too dear! No work was done.");
  });

  test.each<[string, RuntimeOptions, Tool["requiresApproval"], string]>([
    ["approve", { approve: () => Promise.reject(new Error("db down")) }, true, "approve threw"],
    [
      "requiresApproval",
      { approve: () => true },
      () => Promise.reject(new Error("db down")),
      'requiresApproval of "pay" failed',
    ],
  ])(
    "%s that throws is told of in a warning: what threw is for the developer, not the model",
    async (_, runtime, needs, what) => {
      const { events, result } = await play(
        [picks(call("pay", { euros: 5 })), "done"],
        { tools: [paying([], needs as never)] },
        runtime,
      );
      const warnings = events.flatMap((event) => (event.type === "warning" ? [`${event.code}: ${event.message}`] : []));
      expect(warnings).toEqual([`approval: ${what}, which denies the call: db down`]);
      expect(JSON.stringify(result.messages)).not.toContain("db down");
    },
  );

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
