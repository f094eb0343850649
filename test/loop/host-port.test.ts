import { describe, expect, test } from "vitest";
import { type Host, type HostFactory, memory, result, type StepOptions, tool } from "../../src/core.ts";
import { answers, call, logged, notRun, picks, play, start } from "./play.fixture.ts";

type Step = Host["step"];
type Seen = { readonly runId: string; readonly key: string; readonly options: StepOptions };

/** `memory()` with another `step`; remembers the steps that were asked for, in order. */
function hostWith(change: (step: Step, runId: string) => Step = (step) => step) {
  const seen: Seen[] = [];
  const opened: string[] = [];
  const under = memory();
  const host: HostFactory = {
    open(runId) {
      opened.push(runId);
      const run = under.open(runId);
      const own: Step = (key, options, effect) => run.host.step(key, options, effect);
      const changed = change(own, runId);
      const step: Step = (key, options, effect) => {
        seen.push({ runId, key, options });
        return changed(key, options, effect);
      };
      return {
        host: {
          get signal() {
            return run.host.signal;
          },
          step,
          inbox: run.host.inbox,
          settle: (ids, how, round) => run.host.settle(ids, how, round),
          sleep: (ms) => run.host.sleep(ms),
        },
        send: (message) => run.send(message),
        cancel: (reason) => run.cancel(reason),
        interrupt: (reason) => run.interrupt(reason),
      };
    },
  };
  return { host, seen, opened };
}

/** Every recorded value goes through JSON text, as in a journal. */
const journaling = () =>
  hostWith((step) => async (key, options, effect) => {
    const recorded = await step(key, options, effect);
    return JSON.parse(JSON.stringify(recorded));
  });

const script = [
  {
    text: "let me",
    ...picks("a", "nope", call("img"), "boom", call("a", "{")),
    usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  },
  { reasoning: "hm", ...picks("pay") },
  "done",
];
const image = { type: "image", data: "AAAA", mediaType: "image/png" } as const;
const tools = () => [
  logged("a", []),
  tool({ name: "img", execute: () => result({ content: [image], details: { n: [1, null] } }) }),
  tool({ name: "boom", execute: () => Promise.reject(new Error("boom")) }),
  logged("pay", [], { requiresApproval: true }),
];

describe("a host that records", () => {
  test("values are plain JSON: through a journal the run is the same", async () => {
    const approve = () => ({ approved: true, arguments: { euros: 1 } });
    const plain = await play(script, { tools: tools() }, { approve });
    const recorded = await play(script, { tools: tools() }, { approve, host: journaling().host });
    expect(recorded.result).toEqual(plain.result);
    expect(recorded.model.requests.map((request) => request.messages)).toEqual(
      plain.model.requests.map((request) => request.messages),
    );
    expect(recorded.events.map((event) => event.type)).toEqual(plain.events.map((event) => event.type));
  });

  test("keys are positions: unique in a run, and the same each time", async () => {
    const keysOf = async () => {
      const { host, seen } = hostWith();
      await play(script, { tools: tools() }, { host });
      return seen.map((step) => step.key.replace(step.runId, "run"));
    };
    const keys = await keysOf();
    expect(keys.length).toBeGreaterThanOrEqual(6);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keysOf()).toEqual(keys);
  });

  test("keys come in the same order in overlap mode, whatever takes how long", async () => {
    const keysOf = async (times: readonly number[]) => {
      const { host, seen } = hostWith();
      const slow = (name: string, ms = 0) =>
        tool({ name, readOnly: true, execute: () => new Promise((resolve) => setTimeout(resolve, ms)) });
      const overlapping = ["x", "y", "z"].map((name, index) => slow(name, times[index]));
      await play([picks("x", "y", "z"), "done"], { tools: overlapping, toolExecution: "overlap" }, { host });
      return seen.map((step) => step.key.replace(step.runId, "run"));
    };
    expect(await keysOf([15, 8, 1])).toEqual(await keysOf([1, 8, 15]));
  });

  test("a model request, a readOnly or an idempotent tool may be done again; another tool may not", async () => {
    const { host, seen } = hostWith();
    const kinds = [
      logged("writes", []),
      logged("reads", [], { readOnly: true }),
      logged("idem", [], { idempotent: true }),
    ];
    await play([picks("writes", "reads", "idem"), "done"], { tools: kinds }, { host });
    expect(seen.map((step) => step.options.onLost).filter((how) => how === "report")).toHaveLength(1);
  });

  test("a step is told how long its tool may take: its own time, the default, or nothing where it may take for ever", async () => {
    const { host, seen } = hostWith();
    const ever = Number.POSITIVE_INFINITY;
    const tools = [
      logged("a", [], { timeoutMs: 7_000 }),
      logged("b", []),
      logged("c", [], { readOnly: true }),
      logged("d", [], { timeoutMs: ever }),
    ];
    await play([picks("a", "b", "c", "d"), "done"], { tools }, { host });
    const told = seen.map(({ options }) => options.timeoutMs);
    expect(told).toEqual([undefined, 7_000, 120_000, 120_000, undefined, undefined]);
    expect(seen[4]?.options).not.toHaveProperty("timeoutMs");
  });

  test("an exec inside a tool runs on memory(): the host opens the root alone", async () => {
    const { host, opened } = hostWith();
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [] }) });
    const { run } = await play([picks("nest"), "inner", "done"], { tools: [nest] }, { host });
    expect(opened).toEqual([run.id]);
  });
});

describe("a step that is lost", () => {
  test("of a tool: the model is told that it may have run", async () => {
    const { host } = hostWith((step) => (key, options, effect) => {
      if (options.onLost === "report") return Promise.resolve({ at: Date.now(), lost: { attempts: 1 } });
      return step(key, options, effect);
    });
    const log: string[] = [];
    const { result: ended } = await play([picks("a"), "done"], { tools: [logged("a", log)] }, { host });
    expect(ended.outcome).toBe("stop");
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! .*may have/is)]);
  });
});

describe("the word in the markers of what comes from outside", () => {
  const site = () => tool({ name: "site", untrusted: true, execute: () => "hello" });
  const wordsIn = (messages: Parameters<typeof answers>[0]) =>
    answers(messages).map(
      (text) => /^\[untrusted content (\w+): [^\n]*\nhello\n\[end of untrusted content \1\]$/.exec(text)?.[1],
    );

  test("is a step that a host does again when it was lost: nothing but the run knows of it", async () => {
    const { host, seen } = hostWith();
    await play([picks("site"), "done"], { tools: [site()] }, { host });
    expect(seen.filter(({ key }) => key.endsWith("/word")).map(({ options }) => options)).toEqual([
      { onLost: "rerun" },
    ]);
  });

  test.each([true, false])(
    "is made where a host has given up on it, the same for all of the run; at once: %s",
    async (now) => {
      const { host } = hostWith((step) => (key, options, effect) => {
        const gone = { at: Date.now(), lost: { attempts: 3 } };
        return key.endsWith("/word") ? (now ? gone : Promise.resolve(gone)) : step(key, options, effect);
      });
      const options = { tools: [site()], stuck: false } as const;
      const { result: ended } = await play([picks("site", "site"), picks("site"), "done"], options, { host });
      expect(ended.outcome).toBe("stop");
      const words = wordsIn(ended.messages);
      expect(words).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{20}$/)));
      expect(new Set(words).size).toBe(1);
    },
  );
});

describe("a host that fails", () => {
  /** A host whose step fails at the n-th call of `step`, from 0. */
  const failingAt = (position: number) => {
    let count = 0;
    return hostWith((step) => (key, options, effect) => {
      if (count++ === position) return Promise.reject(new Error("disk full"));
      return step(key, options, effect);
    }).host;
  };

  test.each([0, 1, 2, 3])(
    "at step %i: run.result resolves to an error, every call has one start, one end and one result",
    async (position) => {
      const started = start(
        [picks("a", "b"), "done"],
        { tools: [logged("a", []), logged("b", [])] },
        { host: failingAt(position) },
      );
      const { result: ended } = await started.ended();
      if (ended.outcome === "stop") return;
      expect(ended.outcome).toBe("error");
      expect(ended.error).toMatchObject({ message: expect.stringMatching(/disk full/) });
    },
  );

  test("behind a call that ran, the calls behind it are answered as not run", async () => {
    const log: string[] = [];
    let tools = 0;
    const { host } = hostWith((step) => (key, options, effect) => {
      if (options.onLost === "report" && tools++ === 1) return Promise.reject(new Error("disk full"));
      return step(key, options, effect);
    });
    const started = start(
      [picks("a", "b", "c")],
      { tools: ["a", "b", "c"].map((name) => logged(name, log)) },
      { host },
    );
    const { result: ended } = await started.ended();
    expect(ended.outcome).toBe("error");
    expect(log).toEqual(["a"]);
    expect(answers(ended.messages)).toEqual(["a done", expect.stringMatching(/^! /), notRun]);
  });
});
