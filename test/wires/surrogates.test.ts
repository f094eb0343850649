import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { called } from "./raw/said.ts";
import { type Talk, talk, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const half = "half \ud83d of it";

describe.each(talkers)("$name", (wire) => {
  test("TOOL-07 no lone surrogate leaves in anything that a run sends", async () => {
    const echo = tool({
      name: "echo",
      description: half,
      input: { type: "object", properties: { q: { type: "string", description: half } } },
      execute: ({ q }) => ({ q, [half]: half }),
    });
    const model = server.model(wire, [
      [{ text: "Let me see." }, ...called(0, "call00001", "echo", '{"q":"\\ud83d"}'), { end: "tool_calls" }],
      [{ text: "Done." }, { end: "stop" }],
    ]);
    const from = server.requests.length;
    const { outcome } = await createRuntime({ model, tools: [echo], system: half }).run(half).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const [, second] = server.requests.slice(from);
    expect(second?.text.match(/half \ufffd of it/g)?.length).toBeGreaterThanOrEqual(6);
  });
});
