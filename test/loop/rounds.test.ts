import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions } from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { answers, call, logged, notRun, outline, picks, play, refuses, tokens, warningsOf } from "./play.fixture.ts";

/** `rounds` replies that all call `go_on`, then a closing text. */
const callsForEver = (rounds: number): ScriptEntry[] => [
  ...Array.from({ length: rounds }, (_, index) => picks(call("go_on", { index }))),
  "closing text",
];

describe("maxIterations counts rounds", () => {
  test.each([
    [0, 1],
    [-1, 1],
    [1, 1],
    [1.99, 1],
    [2.5, 2],
    [3, 3],
    [undefined, 20],
  ])("%s allows %i, whose last calls are run", async (maxIterations, rounds) => {
    const log: string[] = [];
    const options: ExecOptions = {
      tools: [logged("go_on", log)],
      ...(maxIterations === undefined ? {} : { maxIterations }),
    };
    const { result, model } = await play(callsForEver(rounds), options);
    expect(result).toMatchObject({ outcome: "max_iterations", rounds, text: "closing text" });
    expect(model.requests).toHaveLength(rounds + 1);
    expect(log).toHaveLength(rounds);
    expect(answers(result.messages)).toEqual(Array.from({ length: rounds }, () => "go_on done"));
  });

  test("Infinity: no cap", async () => {
    const log: string[] = [];
    const script = [...callsForEver(45).slice(0, -1), "finished"];
    const { result } = await play(script, { tools: [logged("go_on", log)], maxIterations: Number.POSITIVE_INFINITY });
    expect(result).toMatchObject({ outcome: "stop", rounds: 46, text: "finished" });
    expect(log).toHaveLength(45);
  });

  test.each([[Number.NaN], ["3"], [null], [{}]])("%s is a caller mistake", async (value) => {
    const options = { tools: [], maxIterations: value } as unknown as ExecOptions;
    await refuses(options, "invalid_option", /maxIterations/);
  });

  test("text in the last allowed round is a normal end", async () => {
    const { result, model } = await play([picks("go_on"), "done"], { tools: [logged("go_on", [])], maxIterations: 2 });
    expect(result).toMatchObject({ outcome: "stop", rounds: 2, text: "done" });
    expect(model.requests).toHaveLength(2);
  });

  test("steering and follow-ups do not reset the count", async () => {
    let asked = 0;
    const { result, model } = await play(["one", "two", "closing"], {
      maxIterations: 2,
      getFollowUpMessages: () => (asked++ < 5 ? ["more"] : []),
    });
    expect(result).toMatchObject({ outcome: "max_iterations", rounds: 2, text: "closing" });
    expect(model.requests).toHaveLength(3);
    expect(model.requests[2]?.toolChoice).toBe("none");
  });

  test("the runtime's default holds, and the option beats it", async () => {
    const tools = [logged("go_on", [])];
    expect((await play(callsForEver(2), { tools }, { maxIterations: 2 })).result.rounds).toBe(2);
    expect((await play(callsForEver(3), { tools, maxIterations: 3 }, { maxIterations: 2 })).result.rounds).toBe(3);
  });
});

describe("the closing request", () => {
  const tools = [logged("go_on", []), logged("other", [])];

  test("declares the same tools byte for byte and forbids picking", async () => {
    const { model } = await play(callsForEver(2), {
      tools,
      maxIterations: 2,
      toolChoice: "required",
      toolChoiceScope: "round",
    });
    const [first, second, closing] = model.requests;
    expect(JSON.stringify(closing?.tools)).toBe(JSON.stringify(first?.tools));
    expect(closing?.tools.map((one) => one.name)).toEqual(["go_on", "other"]);
    expect(closing?.tools.map((one, index) => one === first?.tools[index])).toEqual([true, true]);
    expect([first, second, closing].map((request) => request?.toolChoice)).toEqual(["required", "required", "none"]);
  });

  test("ends with a synthetic user message that carries the notice", async () => {
    const { model, result } = await play(callsForEver(1), { tools, maxIterations: 1 });
    const notice = model.requests[1]?.messages.at(-1);
    expect(notice?.role).toBe("user");
    expect(JSON.stringify(notice?.content)).toMatch(/limit/i);
    expect(result.messages).toEqual([...(model.requests[1]?.messages ?? []), result.messages.at(-1)]);
    expect(outline(result.messages).at(-1)).toBe("assistant: closing text");
  });

  test("counts in usage, not in rounds", async () => {
    const { result } = await play(
      [
        { ...picks("go_on"), usage: tokens(10, 1) },
        { text: "closing", usage: tokens(20, 2) },
      ],
      { tools, maxIterations: 1 },
    );
    expect(result.rounds).toBe(1);
    expect(result.usage).toMatchObject(tokens(30, 3));
  });

  test("answers calls that come all the same as not run", async () => {
    const log: string[] = [];
    const { result } = await play([picks("go_on"), { text: "well", ...picks("go_on", "go_on") }], {
      tools: [logged("go_on", log)],
      maxIterations: 1,
    });
    expect(log).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "max_iterations", text: "well" });
    expect(answers(result.messages).slice(1)).toEqual([notRun, notRun]);
  });

  test.each(["length", "pause", "stop"] as const)("ends the run also when its reply ended %s", async (stopReason) => {
    const { result, model } = await play([picks("go_on"), { text: "cut off", stopReason }], {
      tools,
      maxIterations: 1,
    });
    expect(result).toMatchObject({ outcome: "max_iterations", text: "cut off" });
    expect(model.requests).toHaveLength(2);
  });

  test("that fails gives its own outcome", async () => {
    const failing = { error: { kind: "overloaded", message: "busy" } } as const;
    expect((await play([picks("go_on"), failing], { tools, maxIterations: 1 })).result.outcome).toBe("error");
    const refusing = { text: "no", stopReason: "refusal" } as const;
    expect((await play([picks("go_on"), refusing], { tools, maxIterations: 1 })).result.outcome).toBe("refusal");
  });

  test("carries the round label closing in its events", async () => {
    const { events } = await play(callsForEver(1), { tools, maxIterations: 1 });
    const labels = events.flatMap((event) =>
      event.type === "round_start" || event.type === "round_end" ? [event.round] : [],
    );
    expect(labels).toEqual([1, 1, "closing", "closing"]);
    const ends = events.filter((event) => event.type === "message_end" && event.message.role === "assistant");
    expect(ends.map((event) => (event.type === "message_end" ? event.round : undefined))).toEqual([1, "closing"]);
  });

  test("drains nothing more: what is sent meanwhile is undelivered", async () => {
    const model = scripted([
      picks("go_on"),
      () => {
        run.send("too late");
        return "closing";
      },
    ]);
    const run = createRuntime({ model }).run("go", { tools, maxIterations: 1 });
    expect(await run.result).toMatchObject({
      outcome: "max_iterations",
      text: "closing",
      undelivered: [{ role: "user", content: "too late" }],
    });
    model.check();
  });

  test("reads what was steered before it", async () => {
    const model = scripted([
      () => {
        run.send("mind the gap", { when: "after_round" });
        return picks("go_on");
      },
      "closing",
    ]);
    const run = createRuntime({ model }).run("go", { tools, maxIterations: 1 });
    expect((await run.result).undelivered).toEqual([]);
    expect(outline(model.requests[1]?.messages ?? []).slice(0, 4)).toEqual([
      "user: go",
      "assistant -> go_on",
      "tool go_on",
      "user: mind the gap",
    ]);
  });

  test("exec resolves to its text, with a warning event", async () => {
    const { events } = await play(callsForEver(1), { tools, maxIterations: 1 });
    expect(warningsOf(events)).toHaveLength(1);
    expect(warningsOf(events)[0]?.message).toMatch(/limit|max_iterations|maxIterations/);
    const model = scripted(callsForEver(1));
    expect(await createRuntime({ model }).exec("go", { tools, maxIterations: 1 })).toBe("closing text");
  });
});

describe('atLimit: "stop" ends at once', () => {
  test("without a closing request", async () => {
    const { result, model } = await play([{ text: "thinking", ...picks("go_on") }], {
      tools: [logged("go_on", [])],
      maxIterations: 1,
      atLimit: "stop",
    });
    expect(model.requests).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "max_iterations", text: "thinking", rounds: 1 });
    expect(answers(result.messages)).toEqual(["go_on done"]);
  });

  test("exec resolves to the last text, or to an empty one", async () => {
    const options: ExecOptions = { tools: [logged("go_on", [])], maxIterations: 1, atLimit: "stop" };
    const exec = (entry: ScriptEntry) => createRuntime({ model: scripted([entry]) }).exec("go", options);
    expect(await exec({ text: "so far", ...picks("go_on") })).toBe("so far");
    expect(await exec(picks("go_on"))).toBe("");
  });

  test("messages that wait are undelivered: no request would read them", async () => {
    const model = scripted([
      () => {
        run.send("behind the round", { when: "after_round" });
        run.send("at the end", { when: "at_end" });
        return picks("go_on");
      },
    ]);
    const run = createRuntime({ model, atLimit: "stop" }).run("go", { tools: [logged("go_on", [])], maxIterations: 1 });
    const result = await run.result;
    expect(result.undelivered.map((message) => message.content)).toEqual(["behind the round", "at the end"]);
    expect(outline(result.messages)).toEqual(["user: go", "assistant -> go_on", "tool go_on"]);
  });

  test("text in the last round is still a normal end", async () => {
    const { result } = await play(["done"], { maxIterations: 1, atLimit: "stop" });
    expect(result.outcome).toBe("stop");
  });
});
