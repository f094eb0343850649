import { describe, expect, test } from "vitest";
import { createRuntime, type Model, method, option, type ToolInput, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { call, failure, picks, read, warningsOf } from "./play.fixture.ts";

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const bad = (): never => {
  throw new Error("hostile");
};

/** What cannot be put into words, or not without care. */
const hostile: readonly (readonly [string, () => unknown])[] = [
  ["an object without a prototype", () => Object.create(null)],
  ["an object whose toString throws", () => ({ toString: bad, toJSON: bad, [Symbol.toPrimitive]: bad })],
  ["a revoked proxy", revoked],
  ["an error whose message throws", () => Object.defineProperty(new Error("x"), "message", { get: bad })],
  ["an error whose message is none", () => Object.defineProperty(new Error("x"), "message", { value: Symbol("m") })],
  ["an object that throws whatever is asked of it", () => new Proxy({}, { get: bad, has: bad, getPrototypeOf: bad })],
  ["a symbol", () => Symbol("s")],
  ["nothing", () => undefined],
  ["null", () => null],
];

describe.each(hostile)("thrown: %s", (_name, make) => {
  const throws = (): never => {
    throw make();
  };

  test.each(["stream", "iterator"])("by a model (%s) fails the request", async (where) => {
    const iterator = { [Symbol.asyncIterator]: () => ({ next: async () => throws() }) };
    const model: Model = { id: "m", stream: () => (where === "stream" ? throws() : iterator) };
    const run = createRuntime({ model }).run("go", { tools: [] });
    const events = await read(run);
    const { outcome, error } = await run.result;
    expect(outcome).toBe("error");
    expect(error).toMatchObject({ code: "error", message: expect.stringMatching(/^The model's request failed .*: ./) });
    expect(events.at(-1)?.type).toBe("agent_end");
  });

  test.each(["getSteeringMessages", "getFollowUpMessages"] as const)("by %s is a warning", async (which) => {
    for (const callback of [throws, async () => throws()]) {
      const run = createRuntime({ model: scripted(["ok"]) }).run("go", { tools: [], [which]: callback });
      const events = await read(run);
      expect((await run.result).outcome).toBe("stop");
      const warnings = warningsOf(events);
      expect(warnings.length).toBeGreaterThan(0);
      for (const { code, message } of warnings) {
        expect(code).toBe("callback");
        expect(message).toMatch(/threw and counts as empty: ./);
      }
    }
  });

  test("by onRetry is a warning", async () => {
    const retry = { type: "retry", attempt: 1, delayMs: 1, error: { kind: "overloaded", message: "busy" } } as const;
    const plain = scripted(["ok", "ok"]);
    const model: Model = {
      id: "m",
      async *stream(request, signal) {
        yield retry;
        yield* plain.stream(request, signal);
      },
    };
    for (const onRetry of [throws, async () => throws()]) {
      const run = createRuntime({ model }).run("go", { tools: [], onRetry });
      const events = await read(run);
      expect((await run.result).outcome).toBe("stop");
      expect(warningsOf(events)).toMatchObject([
        { code: "on_retry", message: expect.stringMatching(/^onRetry threw/) },
      ]);
    }
  });

  test("by a schema is an issue of the call, the pick and the output", async () => {
    for (const validate of [throws, async () => throws()]) {
      const input: ToolInput = {
        schema: { "~standard": { version: 1, vendor: "own", validate } },
        jsonSchema: { type: "object" },
      };
      const strict = tool({ name: "strict", input, execute: () => "ran" });
      const script = [picks(call("strict")), "done"];
      const { messages, outcome } = await createRuntime({ model: scripted(script) }).run("go", { tools: [strict] })
        .result;
      expect(outcome).toBe("stop");
      expect(JSON.stringify(messages)).toContain("could not be checked");
      const decision = { tools: [], choices: { strict: option.schema(input), no: "NO" } };
      const decided = createRuntime({ model: scripted(['{"call":"strict"}', "no"]) });
      expect(await decided.exec("go", decision)).toBe("NO");
      const wanted = createRuntime({ model: scripted(["{}", "{}"]) }).exec("go", { tools: [], output: input });
      expect(await failure(wanted)).toMatchObject({ code: "undecided" });
    }
  });

  test("by a schema that is asked for its JSON Schema is a mistake of the caller", async () => {
    const input = {
      "~standard": { version: 1, vendor: "own", validate: () => ({ value: 1 }), jsonSchema: { input: throws } },
    } as unknown as ToolInput;
    const runtime = createRuntime({ model: scripted([]) });
    const mistake = { code: "invalid_option" };
    expect(await failure(runtime.exec("go", { tools: [], output: input }))).toMatchObject(mistake);
    expect(await failure(runtime.exec("go", { tools: [], choices: { a: option.schema(input) } }))).toMatchObject(
      mistake,
    );
    const tools = [tool({ name: "t", input, execute: () => 1 })];
    expect(await failure(runtime.exec("go", { tools }))).toMatchObject({ code: "invalid_tool" });
  });

  test("by a picked function settles, and exec rejects with that very value", async () => {
    const thrown = make();
    const pick = method({ name: "pick" }, () => {
      throw thrown;
    });
    const runtime = createRuntime({ model: scripted(['{"call":"pick"}', '{"call":"pick"}']) });
    const run = runtime.run("go", { tools: [], choices: { pick } });
    const events = await read(run);
    expect((await run.result).outcome).toBe("error");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", error: { code: "error" } });
    const rejected = await runtime.exec("go", { tools: [], choices: { pick } }).then(
      () => false,
      (error: unknown) => Object.is(error, thrown),
    );
    expect(rejected).toBe(true);
  });

  test("by a watched method settles", async () => {
    const watched = method({ name: "watched" }, throws);
    const run = watched.run();
    const events = await read(run);
    expect((await run.result).outcome).toBe("error");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", error: { code: "error" } });
  });

  test("by a host fails the run", async () => {
    const host = {
      open: () => ({
        host: {
          signal: new AbortController().signal,
          step: async () => throws(),
          inbox: { drain: throws, takeOrClose: throws, close: throws, wait: throws },
          settle: throws,
          sleep: throws,
        },
        send: () => throws(),
        cancel: () => throws(),
        interrupt: () => undefined,
      }),
    };
    const { outcome, error } = await createRuntime({ model: scripted([]), host: host as never }).run("go", {
      tools: [],
    }).result;
    expect(outcome).toBe("error");
    expect(error).toMatchObject({ code: "host", message: expect.stringMatching(/^The host of the run failed: ./) });
  });
});
