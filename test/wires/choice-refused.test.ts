import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { called } from "./raw/said.ts";
import type { Answer } from "./raw/server.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

const refusal = (message: string): Answer => ({
  status: 400,
  headers: { "content-type": "application/json" },
  body: [JSON.stringify({ type: "error", message, error: { type: "invalid_request_error", message } })],
});

const run = async (wire: Wire, url: string, options: object) => {
  const tools = ["a", "b", "c"].map((name) => tool({ name, description: "Does it.", execute: () => "ok" }));
  const runtime = createRuntime({ model: connect(wire, url, { retry: { retries: 0 } }), tools });
  const running = runtime.run("Go.", options);
  const warnings: string[] = [];
  for await (const event of running) if (event.type === "warning") warnings.push(`${event.code}: ${event.message}`);
  const { outcome, error, rounds } = await running.result;
  return { warnings, outcome, error, rounds };
};

const choiceOf = (wire: Wire, body: Record<string, unknown>): unknown => wire.read(body).choice;
const several = { toolChoice: ["a", "b"] };

describe.each(wires)("$name", (wire) => {
  const callA = says(wire, ...called(0, "call_a", "a", "{}"), { end: "tool_calls" });
  const rather = says(wire, { text: "I would rather talk." }, { end: "stop" });
  const done = says(wire, { text: "Done." }, { end: "stop" });

  test.each([
    "Thinking mode does not support this tool_choice",
    "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try again.",
    "The tool_choice parameter does not support being set to required or object in thinking mode",
    'No endpoints found that support the provided "tool_choice" value.',
  ])(
    "LOOP-03 a forced choice is refused (%s): asked openly, and once more when the reply is only text",
    async (said) => {
      const server = await serve(wire, refusal(said), rather, callA, done);
      const { outcome, warnings, rounds } = await run(wire, server.url, { toolChoice: "required" });
      expect({ outcome, rounds }).toEqual({ outcome: "stop", rounds: 3 });
      const { auto, forced } = wire;
      const [first, ...later] = server.requests.map(({ body }) => choiceOf(wire, body));
      expect(first).not.toEqual(auto);
      expect(first).not.toEqual(forced("a"));
      expect(later).toEqual([auto, auto, auto]);
      expect(warnings).toEqual([
        expect.stringMatching(/^choice_refused: .* is asked with "auto" for the rest of the run\. It said: /),
        expect.stringContaining('the choice of "required" was sent as "auto"'),
      ]);
      const tools = server.requests.map(({ body }) => JSON.stringify(wire.read(body).tools));
      expect(new Set(tools).size).toBe(1);
    },
  );

  test("a name or several are first said in plainer words where there are any, then not forced", async () => {
    const said = "The additional field tool_choice/type conflicts with the existing field. allowed_tools is not known.";
    for (const options of [{ toolChoice: ["b"] }, several]) {
      const server = await serve(wire, refusal(said), refusal(said), refusal(said), callA, done);
      const { outcome, warnings } = await run(wire, server.url, options);
      await server.close();
      const choices = server.requests.map(({ body }) => JSON.stringify(choiceOf(wire, body)));
      const told = warnings.filter((text) => text.startsWith("choice_refused"));
      // What is refused is never sent again as it was.
      expect(new Set(choices).size).toBe(told.length + 1);
      expect(choices[told.length]).toBe(JSON.stringify(wire.auto));
      // The last one was free, so its refusal stands.
      expect({ outcome, sent: choices.length }).toEqual({ outcome: "error", sent: told.length + 1 });
      expect(told.at(-1)).toContain('is asked with "auto"');
    }
  });

  test("what forces nothing, and what is refused for another reason, is not asked again", async () => {
    const server = await serve(wire, refusal("Invalid tool_choice."));
    expect((await run(wire, server.url, {})).outcome).toBe("error");
    expect(server.requests).toHaveLength(1);
    const other = await serve(wire, refusal("The prompt is bad."));
    expect((await run(wire, other.url, { toolChoice: "required" })).outcome).toBe("error");
    expect(other.requests).toHaveLength(1);
    await server.close();
  });
});

test.each(["OpenAI chat", "Azure chat", "OpenAI Responses", "Azure", "Gemini"])(
  "%s: several names that are refused are sent as any tool, in every round of the run",
  async (name) => {
    const wire = wires.find((row) => row.name === name) as Wire;
    const callA = says(wire, ...called(0, "call_a", "a", "{}"), { end: "tool_calls" });
    const done = says(wire, { text: "Done." }, { end: "stop" });
    const server = await serve(wire, refusal("Invalid value: allowed_tools"), callA, done);
    const { outcome, warnings } = await run(wire, server.url, several);
    expect(outcome).toBe("stop");
    expect(warnings).toEqual([
      expect.stringContaining("is asked in plainer words"),
      expect.stringContaining('The choice of a, b was sent as "required"'),
    ]);
    const [first, second, third] = server.requests.map(({ body }) => JSON.stringify(choiceOf(wire, body)));
    expect(first).toContain('"a"');
    expect(second).not.toContain('"a"');
    expect(third).toBe(JSON.stringify(wire.auto));
  },
);

test("Bedrock Claude: its own words are refused, so the name is said as Converse says it, and calls run in order", async () => {
  const wire = wires.find((row) => row.name === "Bedrock Claude") as Wire;
  const said = "The additional field tool_choice/type conflicts with the existing field toolConfig.toolChoice.tool.";
  const callB = says(wire, ...called(0, "call_b", "b", "{}"), { end: "tool_calls" });
  const done = says(wire, { text: "Done." }, { end: "stop" });
  const server = await serve(wire, refusal(said), callB, done);
  const options = { toolChoice: { type: "function", name: "b" }, parallelToolCalls: false };
  const { outcome, warnings } = await run(wire, server.url, options);
  expect(outcome).toBe("stop");
  expect(server.requests.map(({ body }) => choiceOf(wire, body))).toEqual([
    { type: "tool", name: "b", disable_parallel_tool_use: true },
    { tool: { name: "b" } },
    { auto: {} },
  ]);
  expect(warnings.join("\n")).toMatch(/plainer words.*no other tool while b is forced.*one call a round/s);

  // Without a forced call the knob alone stands in those fields.
  const again = await serve(wire, refusal(said), done);
  expect((await run(wire, again.url, { parallelToolCalls: false })).outcome).toBe("stop");
  expect(again.requests.map(({ body }) => body.additionalModelRequestFields)).toEqual([
    { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    undefined,
  ]);
  await server.close();
});
