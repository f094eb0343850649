import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type ModelRequest, type RuntimeOptions } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, failure, logged, picks, play, refuses, start } from "./play.fixture.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);
const named = (...names: string[]) => names.map((name) => logged(name, []));

/** The names that the first request declares. */
async function menuOf(options: ExecOptions, defaults: RuntimeOptions = {}): Promise<readonly string[] | undefined> {
  const model = scripted(["done"]);
  await createRuntime({ model, ...defaults }).exec("go", options);
  return namesOf(model.requests[0]);
}

describe("options", () => {
  test("chat is not there yet", async () => {
    await refuses({ tools: [], chat: {} } as unknown as ExecOptions, "not_yet", /chat/);
  });

  test("choices and output exclude each other", async () => {
    const both = { tools: [], choices: ["a"], output: { type: "string" } };
    await refuses(both as unknown as ExecOptions, "invalid_option", /"choices" or "output"/);
  });

  test("an unknown one is a caller mistake that names it and the nearest", async () => {
    await refuses(
      { tools: [], maxIteration: 3 } as unknown as ExecOptions,
      "invalid_option",
      /maxIteration\b[\s\S]*maxIterations/,
    );
    expect(() => createRuntime({ modle: "x" } as unknown as RuntimeOptions)).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(/modle[\s\S]*model/) }),
    );
  });

  test("undefined is the same as absent", async () => {
    const options = {
      tools: undefined,
      maxIterations: undefined,
      signal: undefined,
      toolChoice: undefined,
    } as unknown as ExecOptions;
    expect(await menuOf(options, { tools: named("r") })).toEqual(["r"]);
  });

  test.each([
    ["atLimit", "never"],
    ["toolExecution", "parallel"],
    ["parallelToolCalls", "yes"],
    ["toolsAllow", "a"],
    ["toolsDeny", [1]],
    ["toolsSource", 7],
    ["system", 7],
    ["model", 7],
    ["effort", "huge"],
    ["temperature", "hot"],
    ["maxOutputTokens", 0],
    ["onRetry", "x"],
    ["getSteeringMessages", []],
    ["getFollowUpMessages", {}],
    ["messages", "hello"],
    ["key", 7],
  ] as const)("%s: %j is a caller mistake that names it", async (name, value) => {
    const { runtime } = start(["x"]);
    const error = await failure(runtime.exec("go", { tools: [], [name]: value } as unknown as ExecOptions));
    expect(error).toMatchObject({ name: "RondoError", message: expect.stringContaining(name) });
  });

  test.each([[""], [[]], [7], [null], [[{ type: "video" }]], [[{ type: "text" }]]])(
    "content %j is a caller mistake",
    async (content) => {
      const model = scripted([]);
      const error = await failure(createRuntime({ model }).exec(content as never, { tools: [] }));
      expect(error).toMatchObject({ code: "invalid_option" });
      expect(model.requests).toHaveLength(0);
    },
  );

  test("an unknown model is a caller mistake", async () => {
    await refuses({ tools: [], model: "nobody/nothing" }, "unknown_model", /nobody/);
  });

  test("request options are handed to the model as they are", async () => {
    const providerOptions = { scripted: { seed: 1 } };
    const { model } = await play(["x"], {
      system: "S",
      effort: "low",
      maxOutputTokens: 9,
      temperature: 0,
      providerOptions,
    });
    expect(model.requests[0]).toMatchObject({
      system: "S",
      effort: "low",
      maxOutputTokens: 9,
      temperature: 0,
      providerOptions,
    });
  });

  test("options changed by the caller while the run goes on change nothing", async () => {
    const tools = [...named("a")];
    const toolsDeny: string[] = [];
    const started = start([picks("a"), "done"], { tools, toolsDeny });
    tools.length = 0;
    toolsDeny.push("a");
    const { result } = await started.ended();
    expect(answers(result.messages)).toEqual(["a done"]);
  });
});
