import { describe, expect, test } from "vitest";
import { createRuntime, RondoError, tool } from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { answers, call, failure, logged, notRun, outline, picks, play, startsOf, tokens } from "./play.fixture.ts";

const ended = async (entry: ScriptEntry, log: string[] = []) =>
  (await play([entry], { tools: [logged("a", log)] })).result;

async function execFails(script: readonly ScriptEntry[]): Promise<RondoError> {
  const error = await failure(createRuntime({ model: scripted(script) }).exec("go", { tools: [logged("a", [])] }));
  if (!RondoError.isInstance(error)) throw error;
  return error;
}

describe("what exec does with an outcome", () => {
  test("stop: it resolves to the last reply's text", async () => {
    const model = scripted([{ text: "first", ...picks("a") }, "last"]);
    expect(await createRuntime({ model }).exec("go", { tools: [logged("a", [])] })).toBe("last");
  });

  test.each([
    ["error", { error: { kind: "auth", message: "bad key", status: 401 } }],
    ["refusal", { text: "I will not", stopReason: "refusal" }],
    ["aborted", { text: "so", stopReason: "aborted" }],
    ["length", { text: "and then", stopReason: "length" }],
    ["empty", ""],
  ] as const)("%s: it rejects with a RondoError of that code that holds the whole result", async (outcome, reply) => {
    const error = await execFails([reply as ScriptEntry]);
    expect(error).toBeInstanceOf(RondoError);
    expect(error.code).toBe(outcome);
    expect(error.result).toMatchObject({ outcome, rounds: 1, undelivered: [] });
    expect(error.message).not.toBe("");
  });

  test("error: its cause says what the provider said", async () => {
    const error = await execFails([{ error: { kind: "auth", message: "bad key", status: 401 } }]);
    expect(`${error.message} ${String(error.cause)}`).toMatch(/bad key/);
  });

  test("a model that throws: code error, and what was thrown is said", async () => {
    const error = await execFails([
      () => {
        throw new TypeError("socket gone");
      },
    ]);
    expect(error.code).toBe("error");
    expect(error.message).toMatch(/socket gone/);
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe("run.result never rejects", () => {
  test.each([
    ["stop", "done"],
    ["error", { error: { kind: "unknown", message: "boom" } }],
    ["refusal", { stopReason: "refusal" }],
    ["length", { text: "x", stopReason: "length" }],
    ["empty", ""],
  ] as const)("%s", async (outcome, reply) => {
    const result = await ended(reply as ScriptEntry);
    expect(result.outcome).toBe(outcome);
    expect(result.messages[0]).toEqual({ role: "user", content: "go" });
    if (outcome === "error") expect(result.error).toMatchObject({ message: expect.stringMatching(/boom/) });
    if (outcome === "stop") expect(result).not.toHaveProperty("error");
  });

  test("messages is what the run added, prompt first; earlier history is not in it", async () => {
    const { result } = await play(["fine"], {
      messages: [
        { role: "user", content: "before" },
        {
          role: "assistant",
          content: [{ type: "text", text: "yes" }],
          model: "m",
          usage: tokens(0, 0),
          stopReason: "stop",
        },
      ],
    });
    expect(outline(result.messages)).toEqual(["user: go", "assistant: fine"]);
  });

  test("a handle is not a promise", () => {
    const run = createRuntime({ model: scripted(["x"]) }).run("go", { tools: [] });
    expect(run).not.toHaveProperty("then");
  });
});

describe("error, refusal and aborted replies", () => {
  test.each(["error", "refusal", "aborted"] as const)(
    "%s: complete calls are kept, answered and never run",
    async (how) => {
      const log: string[] = [];
      const said = { text: "let me", ...picks("a") };
      const entry =
        how === "error"
          ? { ...said, error: { kind: "overloaded", message: "busy" } as const }
          : { ...said, stopReason: how };
      const result = await ended(entry, log);
      expect(result).toMatchObject({ outcome: how, text: "let me" });
      expect(log).toEqual([]);
      expect(answers(result.messages)).toEqual([notRun]);
    },
  );

  test.each(["error", "refusal", "aborted"] as const)(
    "%s: half-streamed calls are dropped from the history",
    async (how) => {
      const calls = [call("a"), { name: "a", arguments: '{"path":"a","con', partial: true as const }];
      const entry =
        how === "error"
          ? { text: "let me", calls, error: { kind: "transport", message: "reset" } as const }
          : { text: "let me", calls, stopReason: how };
      const log: string[] = [];
      const result = await ended(entry, log);
      expect(log).toEqual([]);
      expect(outline(result.messages)).toEqual(["user: go", "assistant -> a", "tool a"]);
    },
  );

  test("a reply of nothing but a half-streamed call leaves nothing in the history", async () => {
    const { result, events } = await play(
      [{ calls: [{ name: "a", arguments: '{"x', partial: true }], stopReason: "aborted" }],
      {
        tools: [logged("a", [])],
      },
    );
    expect(outline(result.messages)).toEqual(["user: go"]);
    expect(startsOf(events)).toEqual([]);
  });

  test("a refusal without content has its own outcome and is not asked again", async () => {
    const { result, model } = await play([{ stopReason: "refusal" }]);
    expect(result.outcome).toBe("refusal");
    expect(model.requests).toHaveLength(1);
    expect(outline(result.messages)).toEqual(["user: go"]);
  });

  test("an error keeps the text that came before it", async () => {
    expect(await ended({ text: "half", error: { kind: "transport", message: "reset" } })).toMatchObject({
      outcome: "error",
      text: "half",
    });
  });
});

test("a failed request does not run again tools that had succeeded", async () => {
  let charged = 0;
  const charge = tool({ name: "charge", execute: () => ++charged });
  const { result } = await play([picks("charge"), { error: { kind: "overloaded", message: "500" } }], {
    tools: [charge],
  });
  expect(result.outcome).toBe("error");
  expect(charged).toBe(1);
  expect(answers(result.messages)).toEqual(["1"]);
});
