import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type Message,
  type Run,
  type RunResult,
  tool,
  type When,
} from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import {
  answers,
  call,
  logged,
  microtasks,
  once,
  outline,
  picks,
  play,
  sleep,
  start,
  until,
  warningsOf,
} from "./play.fixture.ts";

/** A tool that does something with the run it belongs to while it runs. */
const during = (name: string, log: string[], act: () => unknown) =>
  tool({
    name,
    execute: async () => {
      log.push(name);
      await act();
      return `${name} done`;
    },
  });

const skipped = expect.stringMatching(/^! Skipped due to queued user message/);
const usersOf = (messages: readonly Message[] = []) =>
  messages.filter((message) => message.role === "user").map((message) => textOf(message));

describe('send "now"', () => {
  test("while a tool runs: it ends, the calls behind it are skipped, the message stands behind the results", async () => {
    const log: string[] = [];
    const model = scripted([picks("a", "b", "c"), "done"]);
    const tools = [during("a", log, () => run.send("stop that")), logged("b", log), logged("c", log)];
    const run = createRuntime({ model }).run("go", { tools });
    const result = await run.result;
    expect(log).toEqual(["a"]);
    expect(answers(result.messages)).toEqual(["a done", skipped, skipped]);
    expect(outline(model.requests[1]?.messages ?? [])).toEqual([
      "user: go",
      "assistant -> a,b,c",
      "tool a",
      "tool b",
      "tool c",
      "user: stop that",
    ]);
    expect(result).toMatchObject({ outcome: "stop", rounds: 2, undelivered: [] });
  });

  test("is what send does by default; skipped results say that no work was done", async () => {
    const log: string[] = [];
    const { run, ended } = start([picks("a", "b"), "done"], {
      tools: [during("a", log, () => run.send("x")), logged("b", log)],
    });
    const { result } = await ended();
    expect(answers(result.messages)[1]).toMatch(/^! Skipped due to queued user message.*(not|no work)/is);
  });

  test("while the reply streams: the first call runs all the same, those behind it are skipped", async () => {
    const log: string[] = [];
    const { run, ended } = start(
      [
        () => {
          run.send("early");
          return picks("a", "b");
        },
        "done",
      ],
      { tools: [logged("a", log), logged("b", log)] },
    );
    const { result } = await ended();
    expect(log).toEqual(["a"]);
    expect(answers(result.messages)).toEqual(["a done", skipped]);
  });

  test("STEER-01 with a single call: it is not cancelled", async () => {
    const log: string[] = [];
    const { run, ended, model } = start(
      [
        () => {
          run.send("also do X");
          return picks("write");
        },
        "done",
      ],
      { tools: [logged("write", log)] },
    );
    const { result } = await ended();
    expect(log).toEqual(["write"]);
    expect(answers(result.messages)).toEqual(["write done"]);
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "also do X"]);
  });

  test("before the first request: it is read in round 1", async () => {
    const { run, ended, model } = start(["done"]);
    const receipt = run.send("and quickly");
    await ended();
    expect(usersOf(model.requests[0]?.messages)).toEqual(["go", "and quickly"]);
    expect(receipt).toMatchObject({ status: "delivered", round: 1 });
  });

  test("while a pure-text reply streams: the run goes on and exec resolves to the last reply's text", async () => {
    const { run, ended, model } = start([
      () => {
        run.send("and now?");
        return "first answer";
      },
      "second answer",
    ]);
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "stop", text: "second answer", rounds: 2 });
    expect(outline(model.requests[1]?.messages ?? [])).toEqual([
      "user: go",
      "assistant: first answer",
      "user: and now?",
    ]);
  });

  test("several keep their order and are read together", async () => {
    const { run, ended, model } = start([
      () => {
        run.send("1", { when: "after_round" });
        run.send("2");
        run.send("3", { when: "after_round" });
        return "text";
      },
      "done",
    ]);
    await ended();
    expect(usersOf(model.requests[1]?.messages).toSorted()).toEqual(["1", "2", "3", "go"]);
    expect(model.requests).toHaveLength(2);
  });

  test("a second one while calls are skipped is read in the same round", async () => {
    const log: string[] = [];
    const { run, ended, model } = start([picks("a", "b"), "done"], {
      tools: [
        during("a", log, () => {
          run.send("first");
          run.send("second");
        }),
        logged("b", log),
      ],
    });
    await ended();
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "first", "second"]);
  });

  test("with overlap: started calls end, the others are skipped", async () => {
    const log: string[] = [];
    const { run, ended } = start([picks("a", "b", "write"), "done"], {
      tools: [
        { ...during("a", log, () => run.send("halt")), readOnly: true },
        { ...during("b", log, () => sleep(10)), readOnly: true },
        logged("write", log),
      ],
      toolExecution: "overlap",
    });
    const { result } = await ended();
    expect(log).toEqual(["a", "b"]);
    expect(answers(result.messages)).toEqual(["a done", "b done", skipped]);
  });

  test("parts of content are kept", async () => {
    const { run, ended, model } = start(["done"]);
    run.send([
      { type: "text", text: "see" },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ]);
    await ended();
    expect(model.requests[0]?.messages.at(-1)?.content).toEqual([
      { type: "text", text: "see" },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ]);
  });

  test("content that is none throws", () => {
    const { run } = start(["done"]);
    expect(() => run.send("")).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => run.send(7 as unknown as string)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => run.send("x", { when: "soon" as When })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe('send "after_round"', () => {
  test("skips nothing and is read behind the batch", async () => {
    const log: string[] = [];
    const { run, ended, model } = start([picks("a", "b"), "done"], {
      tools: [during("a", log, () => run.send("by the way", { when: "after_round" })), logged("b", log)],
    });
    await ended();
    expect(log).toEqual(["a", "b"]);
    expect(outline(model.requests[1]?.messages ?? []).slice(-3)).toEqual(["tool a", "tool b", "user: by the way"]);
  });

  test("is read when the batch is complete also if nothing of it ran", async () => {
    const { run, ended, model } = start(
      [
        () => {
          run.send("hint", { when: "after_round" });
          return picks("nope");
        },
        "done",
      ],
      {},
    );
    await ended();
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "hint"]);
  });
});

describe('send "at_end"', () => {
  test("waits until the run would rest, behind steering", async () => {
    const { run, ended, model } = start(
      [
        () => {
          run.send("last", { when: "at_end" });
          return picks("a");
        },
        () => {
          run.send("steer");
          return "first";
        },
        "second",
        "third",
      ],
      { tools: [logged("a", [])] },
    );
    const { result } = await ended();
    expect(model.requests.map((request) => usersOf(request.messages).at(-1))).toEqual(["go", "go", "steer", "last"]);
    expect(result).toMatchObject({ text: "third", rounds: 4 });
  });
});

describe("receipts", () => {
  test("live: queued, then delivered with the round that read it", async () => {
    const seen: unknown[] = [];
    const { run, ended } = start([picks("a"), "done"], {
      tools: [
        during("a", [], () => {
          const receipt = run.send("hello");
          seen.push(receipt);
          expect(receipt.status).toBe("queued");
          expect(receipt.round).toBeUndefined();
        }),
      ],
    });
    await ended();
    expect(seen).toMatchObject([{ status: "delivered", round: 2 }]);
  });

  test("settled resolves to the final status", async () => {
    const { run, ended } = start(["done"]);
    const receipt = run.send("hello");
    expect(await receipt.settled).toBe("delivered");
    await ended();
    const late = run.send("late");
    expect(await late.settled).toBe("undelivered");
  });

  test("a run that fails settles what waits as undelivered and gives it back", async () => {
    const { run, ended } = start([
      () => {
        run.send("1");
        run.send("2", { when: "at_end" });
        return { error: { kind: "auth", message: "no" } };
      },
    ]);
    const { result } = await ended();
    expect(result.outcome).toBe("error");
    expect(usersOf(result.undelivered)).toEqual(["1", "2"]);
  });

  test("what was taken but not read by a request is undelivered, and not in the history", async () => {
    const controller = new AbortController();
    const receipts: { status: string }[] = [];
    const { run, ended } = start([picks("a", "b")], {
      signal: controller.signal,
      tools: [
        during("a", [], () => {
          receipts.push(run.send("never read"));
          controller.abort();
        }),
        logged("b", []),
      ],
    });
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "aborted", undelivered: [{ content: "never read" }] });
    expect(usersOf(result.messages)).toEqual(["go"]);
    expect(receipts).toMatchObject([{ status: "undelivered" }]);
  });
});

describe("messages after the end", () => {
  test("STEER-07 are undelivered at once and not in the result", async () => {
    const { run, ended } = start(["done"]);
    const { result } = await ended();
    const receipt = run.send("anybody?");
    expect(receipt.status).toBe("undelivered");
    expect(result.undelivered).toEqual([]);
  });

  test("from a listener that sees agent_end: undelivered at once", async () => {
    const { run } = start(["done"]);
    const statuses: string[] = [];
    for await (const event of run) if (event.type === "agent_end") statuses.push(run.send("late").status);
    expect(statuses).toEqual(["undelivered"]);
  });

  test("STEER-07 while a nested run goes on: it waits and is read by the outer run", async () => {
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        outer.run.send("for the outer");
        return await ctx.runtime.exec("inner", { tools: [] });
      },
    });
    const outer = start([picks("nest"), "inner answer", "done"], { tools: [nest] });
    await outer.ended();
    expect(usersOf(outer.model.requests[1]?.messages)).toEqual(["inner"]);
    expect(usersOf(outer.model.requests[2]?.messages)).toEqual(["go", "for the outer"]);
  });
});

/** A message is in the history or given back, exactly once, and its receipt agrees; or it was never accepted. */
function accounted(result: RunResult, text: string, status: string): void {
  const read = usersOf(result.messages).filter((one) => one === text).length;
  const back = usersOf(result.undelivered).filter((one) => one === text).length;
  if (status === "delivered") expect([read, back]).toEqual([1, 0]);
  else expect([status, read, back <= 1]).toEqual(["undelivered", 0, true]);
}

describe("STEER-03 at any instant a message is read, given back, or refused at once", () => {
  const whens = fc.constantFrom<When>("now", "after_round", "at_end");

  test("fuzz over microtask offsets from the start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), whens, fc.boolean(), async (offset, when, calls) => {
        const script: ScriptEntry[] = calls ? [picks("a"), "first", "second"] : ["first", "second"];
        const model = scripted(script);
        const run = createRuntime({ model }).run("go", { tools: [logged("a", [])] });
        await microtasks(offset);
        const receipt = run.send("ping", { when });
        const atOnce = receipt.status;
        const result = await run.result;
        accounted(result, "ping", await receipt.settled);
        if (atOnce === "undelivered") expect(result.undelivered).toEqual([]);
        else expect(receipt.status).toBe("delivered");
        expect(result.outcome).toBe("stop");
      }),
      { numRuns: 400 },
    );
  });

  test("fuzz over microtask offsets from the last text delta", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 80 }), whens, async (offset, when) => {
        const run = createRuntime({ model: scripted(["first", "second"]) }).run("go", { tools: [] });
        for await (const _ of run.text) break;
        await microtasks(offset);
        const receipt = run.send("ping", { when });
        const atOnce = receipt.status;
        const result = await run.result;
        accounted(result, "ping", await receipt.settled);
        if (atOnce === "queued") expect(result.text).toBe("second");
      }),
      { numRuns: 300 },
    );
  });

  test.each(["message_end", "round_end"] as const)("inside a listener of the last %s", async (type) => {
    const run: Run = createRuntime({ model: scripted(["first", "second"]) }).run("go", { tools: [] });
    let sent: { status: string } | undefined;
    for await (const event of run) {
      if (event.type === type && sent === undefined && (type === "round_end" || event.message.role === "assistant")) {
        sent = run.send("ping");
      }
    }
    accounted(await run.result, "ping", sent?.status ?? "never sent");
  });
});

describe("getSteeringMessages and getFollowUpMessages", () => {
  test("steering is asked after each call and skips the rest", async () => {
    const log: string[] = [];
    const { result, model } = await play([picks("a", "b", "c"), "done"], {
      tools: ["a", "b", "c"].map((name) => logged(name, log)),
      getSteeringMessages: () => {
        if (log.length !== 2) return [];
        log.push("asked");
        return ["turn round"];
      },
    });
    expect(log).toEqual(["a", "b", "asked"]);
    expect(answers(result.messages)).toEqual(["a done", "b done", skipped]);
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "turn round"]);
  });

  test("steering is asked before the first request", async () => {
    const { model } = await play(["done"], { getSteeringMessages: once("at once") });
    expect(usersOf(model.requests[0]?.messages)).toEqual(["go", "at once"]);
  });

  test("messages may be text or user messages, given at once or later", async () => {
    let asked = 0;
    const { model } = await play(["one", "two"], {
      getFollowUpMessages: async () => {
        await sleep(1);
        return asked++ === 0 ? ["text", { role: "user", content: [{ type: "text", text: "parts" }] }] : [];
      },
    });
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "text", "parts"]);
  });

  test("follow-ups are asked only when the run would rest", async () => {
    const log: string[] = [];
    const { model } = await play([picks("a"), "one", "two"], {
      tools: [logged("a", log)],
      getFollowUpMessages: () => {
        log.push("asked");
        return log.filter((one) => one === "asked").length === 1 ? ["more"] : [];
      },
    });
    expect(log).toEqual(["a", "asked", "asked"]);
    expect(usersOf(model.requests[2]?.messages)).toEqual(["go", "more"]);
  });

  test("at rest steering comes first, from callback or inbox; follow-ups only when both have none", async () => {
    const steering = [[], ["steer 1"], []];
    const followUps = [["follow 1"], []];
    const { run, ended, model } = start(
      [
        () => {
          run.send("follow 0", { when: "at_end" });
          return "one";
        },
        "two",
        "three",
        "four",
      ],
      {
        getSteeringMessages: () => steering.shift() ?? [],
        getFollowUpMessages: () => followUps.shift() ?? [],
      },
    );
    await ended();
    const order = usersOf(model.requests.at(-1)?.messages);
    expect(order[0]).toBe("go");
    expect(order[1]).toBe("steer 1");
    expect(order.slice(2).toSorted()).toEqual(["follow 0", "follow 1"]);
  });

  test("what a callback gave is accounted for when the run ends without reading it", async () => {
    const controller = new AbortController();
    const { result } = await play([picks("a", "b")], {
      tools: [during("a", [], () => controller.abort()), logged("b", [])],
      signal: controller.signal,
      getSteeringMessages: (() => {
        let asked = 0;
        return () => (asked++ === 1 ? ["lost?"] : []);
      })(),
    });
    expect(result.outcome).toBe("aborted");
    const read = usersOf(result.messages).includes("lost?");
    const back = usersOf(result.undelivered).includes("lost?");
    expect(read && back).toBe(false);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("queue is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("queue is down"))],
    ["throws nothing", () => Promise.reject(undefined)],
    ["gives no list", () => "text" as never],
    ["gives what is no message", () => [{ role: "assistant", content: 7 }] as never],
  ] as const)("STEER-05 steering that %s: a warning, and the calls go on", async (_, bad) => {
    const log: string[] = [];
    let asked = 0;
    const { result, events } = await play([picks("a", "b", "c"), "done"], {
      tools: ["a", "b", "c"].map((name) => logged(name, log)),
      getSteeringMessages: () => (asked++ === 1 ? bad() : []),
    });
    expect(log).toEqual(["a", "b", "c"]);
    expect(result.outcome).toBe("stop");
    expect(warningsOf(events)).toHaveLength(1);
  });

  test("STEER-05 follow-ups that throw: a warning, and the run rests", async () => {
    const { result, events } = await play(["done"], {
      getFollowUpMessages: () => {
        throw new Error("queue is down");
      },
    });
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    expect(warningsOf(events)).toHaveLength(1);
    expect(warningsOf(events)[0]?.message).toMatch(/queue is down/);
  });

  test("a callback that hangs does not outlive an abort", async () => {
    const controller = new AbortController();
    const { ended } = start(["done"], {
      signal: controller.signal,
      getSteeringMessages: () => new Promise(() => {}),
    });
    setImmediate(() => controller.abort());
    expect((await ended()).result.outcome).toBe("aborted");
  });

  test("a message sent while a callback is asked at rest is not lost", async () => {
    let asked = 0;
    const { run, ended } = start(["one", "two"], {
      getFollowUpMessages: async () => {
        if (asked++ === 0) run.send("meanwhile");
        await sleep(1);
        return [];
      },
    });
    const { result } = await ended();
    expect(result).toMatchObject({ text: "two", undelivered: [] });
    expect(usersOf(result.messages)).toEqual(["go", "meanwhile"]);
  });
});

test("a message that comes while a run is aborted is accounted for", async () => {
  for (let offset = 0; offset < 40; offset++) {
    const controller = new AbortController();
    const options: ExecOptions = { tools: [logged("a", [])], signal: controller.signal };
    const run = createRuntime({ model: scripted([picks(call("a")), "one", "two"]) }).run("go", options);
    await microtasks(offset);
    const receipt = run.send("ping");
    controller.abort();
    const result = await run.result;
    accounted(result, "ping", await receipt.settled);
  }
});

test("until a tool has ended a message waits: nothing interrupts a started call", async () => {
  const gate = Promise.withResolvers<void>();
  let ended = false;
  const slow = tool({
    name: "slow",
    execute: async (_args, { signal }) => {
      await gate.promise;
      ended = true;
      return signal.aborted;
    },
  });
  const started = start([picks("slow"), "done"], { tools: [slow] });
  await until(() => started.events.some((event) => event.type === "tool_start"));
  const receipt = started.run.send("hurry");
  await sleep(5);
  expect([receipt.status, ended]).toEqual(["queued", false]);
  gate.resolve();
  const { result } = await started.ended();
  expect(answers(result.messages)).toEqual(["false"]);
  expect(receipt.status).toBe("delivered");
});
