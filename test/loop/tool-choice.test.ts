import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type ModelRequest } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import {
  answers,
  call,
  logged,
  notRun,
  once,
  outline,
  picks,
  play,
  refuses,
  start,
  usersOf,
  warningsOf,
} from "./play.fixture.ts";

const tools = ["a", "b", "c"].map((name) => logged(name, []));
const choicesOf = (model: { readonly requests: readonly ModelRequest[] }) =>
  model.requests.map((one) => one.toolChoice);
const named = (...names: string[]) => ({ type: "function", names });

describe("what is sent", () => {
  test("auto by default, every round", async () => {
    const { model } = await play([picks("a"), "done"], { tools });
    expect(choicesOf(model)).toEqual(["auto", "auto"]);
  });

  test("required until a reply has picked, then auto", async () => {
    const { model } = await play([picks("a"), picks("b"), "done"], { tools, toolChoice: "required" });
    expect(choicesOf(model)).toEqual(["required", "auto", "auto"]);
  });

  test("a model that obeys is done after two requests; another exec forces again", async () => {
    const obedient = (request: ModelRequest) => (request.toolChoice === "required" ? picks("a") : "done");
    const model = scripted([obedient, obedient, obedient, obedient]);
    const runtime = createRuntime({ model });
    await runtime.exec("go", { tools, toolChoice: "required" });
    await runtime.exec("go", { tools, toolChoice: "required" });
    expect(choicesOf(model)).toEqual(["required", "auto", "required", "auto"]);
  });

  test("one function until it was picked", async () => {
    const { model } = await play([picks("a"), picks("b", "a"), "done"], {
      tools,
      toolChoice: { type: "function", name: "b" },
    });
    expect(choicesOf(model)).toEqual([named("b"), named("b"), "auto"]);
  });

  test("names until one of them was picked", async () => {
    const { model } = await play([picks("a"), picks("c"), "done"], { tools, toolChoice: ["b", "c"] });
    expect(choicesOf(model)).toEqual([named("b", "c"), named("b", "c"), "auto"]);
  });

  test("picking is what counts, whatever its result", async () => {
    const { model } = await play([picks(call("a", "not json")), "done"], { tools, toolChoice: "required" });
    expect(choicesOf(model)).toEqual(["required", "auto"]);
  });

  test("an unknown tool is no pick of a forced name", async () => {
    const { model } = await play([picks("nope"), picks("b"), "done"], { tools, toolChoice: ["b"] });
    expect(choicesOf(model)).toEqual([named("b"), named("b"), "auto"]);
  });

  test("none holds every round", async () => {
    const { model } = await play(["one", "two"], { tools, toolChoice: "none", getFollowUpMessages: once("more") });
    expect(choicesOf(model)).toEqual(["none", "none"]);
  });

  test("none: calls that come all the same are answered as not run, and the reply counts as text", async () => {
    const log: string[] = [];
    const { result } = await play([{ text: "hm", ...picks("a") }], { tools: [logged("a", log)], toolChoice: "none" });
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([notRun]);
    expect(result).toMatchObject({ outcome: "stop", text: "hm", rounds: 1 });
  });

  test('scope "round" sends a forced choice in every round', async () => {
    const { model, result } = await play([picks("a"), picks("a"), "closing"], {
      tools,
      toolChoice: "required",
      toolChoiceScope: "round",
      maxIterations: 2,
    });
    expect(choicesOf(model)).toEqual(["required", "required", "none"]);
    expect(result.outcome).toBe("max_iterations");
  });

  test('scope "round" never asks again: a text ends the run', async () => {
    const { model, result } = await play([picks("a"), "done"], {
      tools,
      toolChoice: "required",
      toolChoiceScope: "round",
    });
    expect(choicesOf(model)).toEqual(["required", "required"]);
    expect(result.outcome).toBe("stop");
  });
});

describe("a text-only reply while a choice is forced", () => {
  test("is asked once more with a notice, choice and all; it is a round", async () => {
    const { model, result } = await play(["no", picks("a"), "done"], { tools, toolChoice: "required" });
    expect(choicesOf(model)).toEqual(["required", "required", "auto"]);
    expect(result).toMatchObject({ outcome: "stop", text: "done", rounds: 3 });
    expect(outline(model.requests[1]?.messages ?? []).slice(0, 2)).toEqual(["user: go", "assistant: no"]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: expect.anything() });
    expect(model.requests[1]?.messages).toHaveLength(3);
  });

  test("then it is accepted, with a warning", async () => {
    const { model, result, events } = await play(["no", "still no"], { tools, toolChoice: ["a"] });
    expect(choicesOf(model)).toEqual([named("a"), named("a")]);
    expect(result).toMatchObject({ outcome: "stop", text: "still no" });
    expect(warningsOf(events)).toHaveLength(1);
  });

  test("the warning comes once a run, however often a text is accepted", async () => {
    for (const toolChoiceScope of ["once", "round"] as const) {
      const no = () => {
        if (model.requests.length < 4) run.send("more", { when: "at_end" });
        return "no";
      };
      const { run, model, ended } = start([no, no, no, no, no], { tools, toolChoice: ["a"], toolChoiceScope });
      const { events, result } = await ended();
      expect(result.outcome).toBe("stop");
      expect(usersOf(result.messages).filter((text) => text === "more").length).toBeGreaterThanOrEqual(2);
      expect(warningsOf(events).map(({ code }) => code)).toEqual(["tool_choice"]);
    }
  });

  test("accepted empty or cut, it warns too", async () => {
    const empty = await play(["", ""], { tools, toolChoice: "required" });
    expect(empty.result.outcome).toBe("empty");
    expect(warningsOf(empty.events)).toHaveLength(1);
    const cut = { text: "and", stopReason: "length" } as const;
    const length = await play([cut, cut], { tools, toolChoice: "required" });
    expect(length.result.outcome).toBe("length");
    expect(warningsOf(length.events)).toHaveLength(1);
  });

  test("is not repeated at a limit", async () => {
    const { model, result } = await play(["no"], { tools, toolChoice: "required", maxIterations: 1 });
    expect(model.requests).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "stop", text: "no" });
  });

  test("is repeated once in the whole run", async () => {
    const { model, events } = await play(["no", picks("a"), "no", "yes"], {
      tools,
      toolChoice: ["b"],
      getFollowUpMessages: once("more"),
    });
    expect(choicesOf(model)).toEqual([named("b"), named("b"), named("b"), named("b")]);
    expect(warningsOf(events).length).toBeGreaterThanOrEqual(1);
  });
});

describe("caller mistakes", () => {
  test.each([
    ["required with no tools", { tools: [], toolChoice: "required" }, /tool/],
    ["required with toolset none", { toolset: "none", toolChoice: "required" }, /tool/],
    ["an unknown name", { tools, toolChoice: { type: "function", name: "d" } }, /"?d"?/],
    ["an unknown name among known ones", { tools, toolChoice: ["a", "d"] }, /"?d"?/],
    ["a name that a denial takes away", { tools, toolsDeny: ["a"], toolChoice: ["a"] }, /"?a"?/],
  ] as readonly [string, ExecOptions, RegExp][])("%s", async (_, options, says) => {
    await refuses(options, "invalid_option", says);
  });

  test.each([["sometimes"], [[]], [{ type: "tool", name: "a" }], [{ type: "function" }], [7]])(
    "toolChoice %j",
    async (toolChoice) => {
      await refuses({ tools, toolChoice } as unknown as ExecOptions, "invalid_option", /toolChoice/);
    },
  );

  test("a wrong scope", async () => {
    await refuses({ tools, toolChoiceScope: "ever" } as unknown as ExecOptions, "invalid_option", /toolChoiceScope/);
  });
});

describe("parallelToolCalls", () => {
  test("is sent as it is; absent when not given", async () => {
    expect((await play(["x"], { tools })).model.requests[0]).not.toHaveProperty("parallelToolCalls");
    expect((await play(["x"], { tools, parallelToolCalls: true })).model.requests[0]?.parallelToolCalls).toBe(true);
    expect((await play(["x"], { tools, parallelToolCalls: false })).model.requests[0]?.parallelToolCalls).toBe(false);
    expect((await play(["x"], { tools, parallelToolCalls: "strict" })).model.requests[0]?.parallelToolCalls).toBe(
      false,
    );
  });

  test("false: calls that come all the same run in order", async () => {
    const log: string[] = [];
    await play([picks("a", "b"), "done"], {
      tools: [logged("a", log), logged("b", log)],
      parallelToolCalls: false,
    });
    expect(log).toEqual(["a", "b"]);
  });

  test('"strict": only the first runs, the others are answered as not run', async () => {
    const log: string[] = [];
    const { result } = await play([picks("a", "b", "c"), picks("b"), "done"], {
      tools: ["a", "b", "c"].map((name) => logged(name, log)),
      parallelToolCalls: "strict",
    });
    expect(log).toEqual(["a", "b"]);
    expect(answers(result.messages)).toEqual(["a done", notRun, notRun, "b done"]);
  });
});
