import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createRuntime,
  exec,
  method,
  type Receipt,
  type Run,
  type RunResult,
  run,
  type SendOptions,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import {
  answers,
  during,
  logged,
  microtasks,
  outline,
  picks,
  read,
  skipped,
  sleep,
  until,
  usersOf,
} from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const said = (receipt: Receipt) => [receipt.status, receipt.round];
const messagesAt = (events: Awaited<ReturnType<typeof read>>, path: string) => {
  const end = endOf(events, path);
  return end?.type === "agent_end" ? end : undefined;
};

describe("a message for a nested run, by its path", () => {
  /** A run that holds a nested run, which waits in its first call; `act` sends meanwhile. */
  async function nested(act: (run: Run) => unknown) {
    const { model } = routed({
      go: [picks("nest"), "outer", "outer", "outer"],
      inner: [picks("wait", "other"), "inner", "inner", "inner"],
    });
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const wait = during("wait", log, () => gate.promise);
    const ended = Promise.withResolvers<RunResult>();
    const nest = method({ name: "nest" }, async () => {
      const inner = await run("inner", { tools: [wait, logged("other", log)] }).result;
      ended.resolve(inner);
      return inner.text;
    });
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    await until(() => log.includes("wait"));
    await act(handle);
    gate.resolve();
    return { result: await handle.result, inner: await ended.promise, log };
  }
  const to = "1/0/0";

  test("now: STEER-01 the started call ends, the others are skipped, the next request reads it", async () => {
    let receipt: Receipt | undefined;
    const { result, inner, log } = await nested((handle) => {
      receipt = handle.send("for the inner", { to });
      expect(said(receipt)).toEqual(["queued", undefined]);
    });
    expect(log).toEqual(["wait"]);
    expect(answers(inner.messages)).toEqual(["wait done", skipped]);
    expect(outline(inner.messages).slice(-3)).toEqual(["tool other", "user: for the inner", "assistant: inner"]);
    expect(usersOf(result.messages)).toEqual(["go"]);
    expect(receipt && said(receipt)).toEqual(["delivered", 2]);
    expect(await receipt?.settled).toBe("delivered");
  });

  test("after_round: the whole batch runs first; at_end: when it would rest", async () => {
    const receipts: Receipt[] = [];
    const { inner, log } = await nested((handle) => {
      receipts.push(handle.send("late", { to, when: "at_end" }), handle.send("round", { to, when: "after_round" }));
    });
    expect(log).toEqual(["wait", "other"]);
    expect(outline(inner.messages).slice(-4)).toEqual([
      "user: round",
      "assistant: inner",
      "user: late",
      "assistant: inner",
    ]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 3],
      ["delivered", 2],
    ]);
  });

  test("STEER-07 to the root while the nested run goes on: read by the root behind the call", async () => {
    const receipts: Receipt[] = [];
    const { result, inner } = await nested((handle) => {
      receipts.push(handle.send("for the root"), handle.send("too", { to: "" }));
    });
    expect(usersOf(inner.messages)).toEqual(["inner"]);
    expect(answers(inner.messages)).toEqual(["wait done", "other done"]);
    expect(outline(result.messages)).toEqual([
      "user: go",
      "assistant -> nest",
      "tool nest",
      "user: for the root",
      "user: too",
      "assistant: outer",
    ]);
    expect(receipts.map(said)).toEqual(Array(2).fill(["delivered", 2]));
  });

  test("of a path that no run has ever had: a mistake, that names those that go on", async () => {
    await nested((handle) => {
      for (const path of ["1", "1/0", "1/0/1", "2/0/0", "x"])
        expect(() => handle.send("lost", { to: path })).toThrow(
          expect.objectContaining({
            code: "invalid_option",
            message: expect.stringMatching(/no run at path.*"1\/0\/0"/),
          }),
        );
    });
  });

  test("of a run that has ended: undelivered at once, and in no result", async () => {
    let receipt: Receipt | undefined;
    const { model } = routed({ go: [picks("nest"), () => sendLate(), "after"], inner: ["inner"] });
    const nest = method({ name: "nest" }, () => exec("inner", { tools: [] }));
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    const sendLate = () => {
      receipt = handle.send("late", { to });
      return "outer";
    };
    const result = await handle.result;
    expect(receipt?.status).toBe("undelivered");
    expect(await receipt?.settled).toBe("undelivered");
    expect(result).toMatchObject({ outcome: "stop", undelivered: [] });
    expect(handle.send("later", { to })).toMatchObject({ status: "undelivered" });
    expect(() => handle.send("lost", { to: "9/9/9" })).toThrow(/no run at path/);
  });

  test("that it does not come to read is undelivered, in its result alone", async () => {
    const receipts: Receipt[] = [];
    const { result, inner } = await nested((handle) => {
      receipts.push(handle.send("at the end", { to, when: "at_end" }));
      handle.abort();
    });
    expect(receipts.map(said)).toEqual([["undelivered", undefined]]);
    expect(inner).toMatchObject({ outcome: "aborted", undelivered: [{ content: "at the end" }] });
    expect(result).toMatchObject({ outcome: "aborted", undelivered: [] });
  });

  test("that is none, or has wrong options, is a mistake", async () => {
    await nested((handle) => {
      const wrong = (content: unknown, options: unknown) => () =>
        handle.send(content as string, options as SendOptions);
      expect(wrong("x", { to, when: "soon" })).toThrow(/"when" must be now, after_round, at_end/);
      expect(wrong(5, { to })).toThrow(expect.objectContaining({ code: "invalid_option" }));
      expect(wrong("x", { too: to })).toThrow(/no option of send "too".*"to"/);
      expect(wrong("x", { to: 5 })).toThrow(/"to" must be the path/);
    });
  });

  test("sent from a handle of the nested run itself reaches any run of the root", async () => {
    const receipts: Receipt[] = [];
    const { model } = routed({ go: [picks("nest"), "outer"], inner: ["inner"] });
    const nest = tool({
      name: "nest",
      execute: async () => {
        const inner = run("inner", { tools: [] });
        receipts.push(inner.send("to the root", { to: "" }), inner.send("to itself", { to }));
        return (await inner.result).text;
      },
    });
    const result = await createRuntime({ model }).run("go", { tools: [nest] }).result;
    expect(usersOf(result.messages)).toEqual(["go", "to the root"]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["delivered", 1],
    ]);
  });
});

describe("a message for a method that is watched", () => {
  /** Two runs in a row, each with a call that waits for its turn. */
  function inARow() {
    const log: string[] = [];
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const step = (i: number) => during(`step${i}`, log, () => turns[i]?.promise);
    const script = (i: number) => [picks(`step${i}`), `${i}`, `${i}`, `${i}`];
    const { model } = routed({ first: script(0), second: script(2) });
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [step(0)] });
      log.push("between");
      await turns[1]?.promise;
      return exec("second", { model, tools: [step(2)] });
    });
    const handle = m.run();
    const events = read(handle);
    const go = async (i: number, until2?: string) => {
      turns[i]?.resolve();
      if (until2) await until(() => log.includes(until2));
    };
    return { handle, events, go, log };
  }

  test("is read by the run that goes on; between two runs it waits for the next", async () => {
    const { handle, events, go, log } = inARow();
    await until(() => log.includes("step0"));
    const receipts = [handle.send("one")];
    await go(0, "between");
    receipts.push(handle.send("two"), handle.send("three", { when: "at_end" }));
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["queued", undefined],
      ["queued", undefined],
    ]);
    await go(1, "step2");
    receipts.push(handle.send("four"));
    await go(2);
    expect(await handle.result).toMatchObject({ outcome: "stop", undelivered: [] });
    const told = await events;
    expect(usersOf(messagesAt(told, "0")?.messages)).toEqual(["first", "one"]);
    expect(usersOf(messagesAt(told, "1")?.messages)).toEqual(["second", "two", "four", "three"]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["delivered", 1],
      ["delivered", 3],
      ["delivered", 2],
    ]);
    expect(handle.send("late")).toMatchObject({ status: "undelivered" });
  });

  test("sent before it began waits for its first run", async () => {
    const model = scripted(["text"]);
    const handle = method({ name: "m" }, () => exec("go", { model, tools: [] })).run();
    const receipt = handle.send("early");
    const result = await handle.result;
    expect(usersOf(result.messages)).toEqual(["go", "early"]);
    expect(said(receipt)).toEqual(["delivered", 1]);
  });

  test("that ends first is undelivered, and in its result", async () => {
    const gate = Promise.withResolvers<void>();
    const handle = method({ name: "m" }, () => gate.promise).run();
    const receipts = [handle.send("one"), handle.send("two", { when: "after_round" })];
    expect(receipts.map(said)).toEqual(Array(2).fill(["queued", undefined]));
    gate.resolve();
    const events = await read(handle);
    expect((await handle.result).undelivered).toEqual([
      { role: "user", content: "one" },
      { role: "user", content: "two" },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "agent_end", undelivered: [{ content: "one" }, { content: "two" }] });
    expect(receipts.map(said)).toEqual(Array(2).fill(["undelivered", undefined]));
  });

  test("that throws or is aborted first is undelivered too", async () => {
    const failing = method({ name: "m" }, () => Promise.reject(new Error("no"))).run();
    const one = failing.send("one");
    expect((await failing.result).undelivered).toHaveLength(1);
    const stopped = method({ name: "m" }, () => sleep(20)).run();
    const two = stopped.send("two");
    stopped.abort();
    expect((await stopped.result).undelivered).toHaveLength(1);
    expect([one.status, two.status]).toEqual(["undelivered", "undelivered"]);
  });

  test("goes to a run that still reads, though a newer one has closed its inbox", async () => {
    const hold = Promise.withResolvers<void>();
    const { model } = routed({ slow: [picks("wait"), "slow"], quick: ["quick"] });
    const wait = during("wait", [], () => hold.promise);
    const quick = Promise.withResolvers<void>();
    const m = method({ name: "m" }, async () => {
      const slow = exec("slow", { model, tools: [wait] });
      await exec("quick", { model, tools: [] });
      quick.resolve();
      return slow;
    });
    const handle = m.run();
    const events = read(handle);
    await quick.promise;
    const receipt = handle.send("for whoever reads");
    hold.resolve();
    await handle.result;
    expect(usersOf(messagesAt(await events, "0")?.messages)).toEqual(["slow", "for whoever reads"]);
    expect(said(receipt)).toEqual(["delivered", 2]);
  });

  test("side by side: the newest by default, any by its path", async () => {
    const holds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const log: string[] = [];
    const { model } = routed({ a: [picks("wait0"), "a"], b: [picks("wait1"), "b"] });
    const side = (prompt: string, i: number) =>
      exec(prompt, { model, tools: [during(`wait${i}`, log, () => holds[i]?.promise)] });
    const handle = method({ name: "m" }, () => Promise.all([side("a", 0), side("b", 1)])).run();
    const events = read(handle);
    await until(() => log.length === 2);
    handle.send("for b");
    handle.send("for a", { to: "0" });
    handle.send("also for b", { to: "1" });
    for (const hold of holds) hold.resolve();
    expect(await handle.result).toMatchObject({ value: ["a", "b"], undelivered: [] });
    const told = await events;
    expect(usersOf(messagesAt(told, "0")?.messages)).toEqual(["a", "for a"]);
    expect(usersOf(messagesAt(told, "1")?.messages)).toEqual(["b", "for b", "also for b"]);
  });

  test("inside a run is sent to by its path like a run: it hands it to what goes on in it, or keeps it", async () => {
    const hold = Promise.withResolvers<void>();
    const log: string[] = [];
    const { model } = routed({ go: [picks("outer"), "done"], inner: ["inner", "inner"] });
    const results: RunResult[] = [];
    const watched = method({ name: "watched" }, async () => {
      log.push("watched");
      await hold.promise;
      return exec("inner", { tools: [] });
    });
    const outer = method({ name: "outer" }, async () => {
      results.push(await watched.run().result);
    });
    const handle = createRuntime({ model }).run("go", { tools: [outer] });
    await until(() => log.length === 1);
    const receipt = handle.send("for the watched", { to: "1/0/0" });
    expect(receipt.status).toBe("queued");
    hold.resolve();
    await handle.result;
    expect(usersOf(results[0]?.messages)).toEqual(["inner", "for the watched"]);
    expect(receipt.status).toBe("delivered");
    expect(handle.send("late", { to: "1/0/0" })).toMatchObject({ status: "undelivered" });
  });
});

describe("STEER-05 callbacks of a nested exec", () => {
  test("that fail once are told there, and everything else goes on", async () => {
    let asked = 0;
    const log: string[] = [];
    const { model } = routed({ go: [picks("nest"), "outer"], inner: [picks("a", "b", "c"), "inner"] });
    const nest = method({ name: "nest" }, () =>
      exec("inner", {
        tools: ["a", "b", "c"].map((name) => logged(name, log)),
        getSteeringMessages: () => {
          if (++asked === 2) throw new Error("no connection");
          return [];
        },
      }),
    );
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    const events = await read(handle);
    expect(log).toEqual(["a", "b", "c"]);
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { path: "1/0/0", code: "callback", message: expect.stringMatching(/no connection/) },
    ]);
    expect((await handle.result).outcome).toBe("stop");
  });
});

describe("STEER-03 a message at any moment", () => {
  /** Sends after so many microtasks from the last delta of a nested reply; says where it went. */
  async function sent(offset: number, depth: number, watched: boolean) {
    const { model } = routed({ 0: ["0", "0"], 1: ["1", "1"], 2: ["2", "2"] });
    const base = routed({ go: [picks("m"), "done", "done"] }).model;
    const level = (at: number) =>
      method({ name: "m" }, async (): Promise<unknown> => {
        if (at < depth) return level(at + 1)();
        return exec("0", { model, tools: [] });
      });
    const m = level(0);
    const handle = watched ? m.run() : createRuntime({ model: base }).run("go", { tools: [m] });
    const at = Promise.withResolvers<string>();
    const reading = (async () => {
      const ends: { path: string; undelivered: number; heard: number }[] = [];
      for await (const event of handle) {
        if (event.type === "message_update" && (event.path !== "" || watched)) at.resolve(event.path);
        if (event.type === "agent_end") {
          const heard = usersOf(event.messages).filter((text) => text === "late").length;
          ends.push({ path: event.path, undelivered: event.undelivered.length, heard });
        }
      }
      return ends;
    })();
    const to = await at.promise;
    await microtasks(offset);
    const receipt = handle.send("late", { to });
    const immediate = receipt.status;
    await handle.result;
    const ends = (await reading).filter(({ path }) => path === to);
    return { status: receipt.status, immediate, heard: ends[0]?.heard ?? -1, undelivered: ends[0]?.undelivered ?? -1 };
  }

  test("is read, or is undelivered at once: never accepted and forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.nat(2), fc.boolean(), async (offset, depth, watched) => {
        const { status, immediate, heard, undelivered } = await sent(offset, depth, watched);
        if (immediate === "undelivered") expect([status, heard, undelivered]).toEqual(["undelivered", 0, 0]);
        else expect([status, heard, undelivered]).toEqual(["delivered", 1, 0]);
      }),
      { numRuns: 400 },
    );
  });

  test("both happen", async () => {
    const statuses = new Set<string>();
    for (let offset = 0; offset < 40; offset++) statuses.add((await sent(offset, 0, false)).status);
    expect([...statuses].toSorted()).toEqual(["delivered", "undelivered"]);
  });
});
