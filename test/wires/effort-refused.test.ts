import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { called } from "./raw/said.ts";
import { says, serving } from "./serving.ts";
import { talker } from "./talk.ts";
import { connect } from "./wires.ts";

const serve = serving();

const refusal = (message: string) => ({
  status: 400,
  headers: { "content-type": "application/json" },
  body: [JSON.stringify({ type: "error", message, error: { type: "invalid_request_error", code: 400, message } })],
});

const look = tool({ name: "look", input: { type: "object", properties: {} }, readOnly: true, execute: () => "seen" });

/** A run with this option, answered by a refusal, then a call, then a text. */
async function refusedOnce(wireName: string, spec: string, message: string, options: object) {
  const wire = { ...talker(wireName), spec };
  const callOfLook = says(wire, ...called(0, "call_a", "look", "{}"), { end: "tool_calls" });
  const server = await serve(wire, refusal(message), callOfLook, says(wire, { text: "Done." }, { end: "stop" }));
  const model = connect(wire, server.url, { retry: { retries: 0 } });
  const run = createRuntime({ model, tools: [look] }).run("Go.", options);
  const warnings: string[] = [];
  for await (const event of run) if (event.type === "warning") warnings.push(event.code);
  const { outcome, error } = await run.result;
  return { outcome, error, warnings, sent: server.requests.map(({ text }) => text) };
}

describe("an effort that the model refuses: asked once more without it, said once, remembered in the run", () => {
  const knob = /"reasoning_effort"|"thinking"|"thinkingConfig"|"effort"/;

  test.each([
    ["OpenAI chat", "openai-chat/gpt-4o", "Unrecognized request argument supplied: reasoning_effort"],
    ["Azure chat", "azure-chat/mine", "Unsupported parameter: 'reasoning_effort' is not supported with this model."],
    ["Ollama", "ollama/llama3.2", '"llama3.2" does not support thinking'],
    ["Gemini", "google/gemini-2.0-flash", "Thinking is not enabled for models/gemini-2.0-flash"],
    ["Anthropic", "anthropic/claude-3-5-haiku-20241022", "'claude-3-5-haiku-20241022' does not support thinking."],
  ])("%s", async (wire, spec, message) => {
    const { outcome, warnings, sent } = await refusedOnce(wire, spec, message, { effort: "high" });
    expect(outcome).toBe("stop");
    expect(warnings.filter((code) => code === "effort_refused")).toHaveLength(1);
    expect(sent.map((text) => knob.test(text))).toEqual([true, false, false]);
  });

  test("what stands in the caller's own options stays, and the refusal is told", async () => {
    const providerOptions = { openai: { reasoningEffort: "high" } };
    const { outcome, error, sent } = await refusedOnce(
      "OpenAI chat",
      "openai-chat/gpt-4o",
      "Unknown: reasoning_effort",
      {
        effort: "low",
        providerOptions,
      },
    );
    expect({ outcome, sent: sent.length }).toEqual({ outcome: "error", sent: 1 });
    expect(error?.message).toContain("reasoning_effort");
  });

  test("what was not asked for is not taken away", async () => {
    const { outcome, sent } = await refusedOnce("OpenAI chat", "openai-chat/gpt-4o", "Unknown: reasoning_effort", {});
    expect({ outcome, sent: sent.length }).toEqual({ outcome: "error", sent: 1 });
  });
});

test("a temperature that the model refuses goes the same way", async () => {
  const message =
    "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.";
  const { outcome, warnings, sent } = await refusedOnce("Azure chat", "azure-chat/mine", message, { temperature: 0.3 });
  expect({ outcome, warnings }).toEqual({ outcome: "stop", warnings: ["temperature_refused"] });
  expect(sent.map((text) => text.includes('"temperature"'))).toEqual([true, false, false]);
});

test.each([
  ["OpenAI Responses", "openai/gpt-4o", "openai", 1],
  ["Azure", "azure/mine", "azure", 1],
  ["OpenAI Responses", "openai/gpt-5", "openai", 0],
])("%s, %s: an effort that the package leaves out is told of once", async (wireName, spec, own, times) => {
  const wire = { ...talker(wireName), spec };
  const callOfLook = says(wire, ...called(0, "call_a", "look", "{}"), { end: "tool_calls" });
  const server = await serve(wire, callOfLook, says(wire, { text: "Done." }, { end: "stop" }));
  const run = createRuntime({ model: connect(wire, server.url), tools: [look] }).run("Go.", { effort: "high" });
  const told: string[] = [];
  for await (const event of run) if (event.type === "warning" && event.code === "effort") told.push(event.message);
  expect((await run.result).outcome).toBe("stop");
  expect(told).toHaveLength(times);
  for (const message of told) expect(message).toContain(`{ ${own}: { forceReasoning: true } }`);
});
