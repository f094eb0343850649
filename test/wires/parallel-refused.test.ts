import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { called } from "./raw/said.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

/** Gemini and Bedrock's other models have no such knob. */
const knobbed = wires.filter(({ name }) => name !== "Gemini" && name !== "Bedrock");

const refusal = (message: string, status = 400) => ({
  status,
  headers: { "content-type": "application/json" },
  body: [JSON.stringify({ type: "error", message, error: { type: "invalid_request_error", message } })],
});
const strange = {
  status: 422,
  headers: { "content-type": "application/json" },
  body: [
    JSON.stringify({
      detail: [
        { type: "extra_forbidden", loc: ["body", "parallel_tool_calls"], msg: "Extra inputs are not permitted" },
      ],
    }),
  ],
};

const knob = /"parallel_tool_calls":false|"disable_parallel_tool_use":true/;

const runOn = async (wire: Wire, url: string, options = {}) => {
  const tools = ["a", "b"].map((name) =>
    tool({ name, description: "Counts.", input: { type: "object", properties: {} }, execute: () => "ok" }),
  );
  const model = connect(wire, url, { retry: { retries: 0 } });
  const runtime = createRuntime({ model, tools });
  const once = async () => {
    const run = runtime.run("Go.", { parallelToolCalls: false, ...options });
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(`${event.code}: ${event.message}`);
    const { outcome, error } = await run.result;
    return { warnings, outcome, error };
  };
  return once;
};

describe.each(knobbed)("$name", (wire) => {
  const callA = says(wire, ...called(0, "call_a", "a", "{}"), { end: "tool_calls" });
  const done = says(wire, { text: "Done." }, { end: "stop" });

  test.each([
    ["in words", refusal("Parallel tool calls are not supported with this model.")],
    ["by the name of the field", refusal("Unsupported parameter: 'parallel_tool_calls'")],
    ["by Anthropic's name", refusal("tool_choice.disable_parallel_tool_use: Extra inputs are not permitted")],
    ["by its place, as FastAPI does", strange],
    ["with a status of the server's", refusal("parallel tool use is not available", 500)],
  ])("the knob is refused %s: asked once more without it, said once, remembered in the run", async (_, refused) => {
    const server = await serve(wire, refused, callA, done, refused, done);
    const once = await runOn(wire, server.url);
    const { warnings, outcome } = await once();
    expect(outcome).toBe("stop");
    expect(warnings).toEqual([
      expect.stringMatching(/^parallel_refused: .* is asked without it for the rest of the run/),
    ]);
    expect(server.requests.map(({ text }) => knob.test(text))).toEqual([true, false, false]);
    expect(server.requests.every(({ text }) => text.includes('"a"') && text.includes('"b"'))).toBe(true);

    // The next run begins with it again.
    expect((await once()).outcome).toBe("stop");
    expect(server.requests.slice(3).map(({ text }) => knob.test(text))).toEqual([true, false]);
  });

  test("a refusal that stays is told, and what was not sent is not taken away", async () => {
    const refused = refusal("Parallel tool calls are not supported.");
    const server = await serve(wire, refused);
    const { outcome, error } = await (await runOn(wire, server.url))();
    expect({ outcome, sent: server.requests.length }).toEqual({ outcome: "error", sent: 2 });
    expect(error?.message).toContain("Parallel tool calls are not supported.");
    await (await runOn(wire, server.url, { parallelToolCalls: true }))();
    expect(server.requests).toHaveLength(3);
  });

  test("another refusal is no reason to ask again", async () => {
    const server = await serve(wire, refusal("Too many tools."));
    expect((await (await runOn(wire, server.url))()).outcome).toBe("error");
    expect(server.requests).toHaveLength(1);
  });
});
