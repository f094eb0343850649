import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, result, tool } from "../../src/core.ts";
import { called } from "./raw/said.ts";
import { png } from "./results-said.ts";
import { type Talk, talk, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

describe.each(talkers)("$name", (wire) => {
  test("PAIR-07 PAIR-11 what is said while calls run stands behind all their results and images; the skipped one has its own", async () => {
    const model = server.model(wire, [
      [...called(0, "call00001", "shot", "{}"), ...called(1, "call00002", "shot", "{}"), { end: "tool_calls" }],
      [{ text: "Stopped." }, { end: "stop" }],
    ]);
    const from = server.requests.length;
    let ran = 0;
    const shot = tool({
      name: "shot",
      description: "Shoots.",
      execute: () => {
        ran += 1;
        run.send("Stop that");
        return result({
          content: [
            { type: "text", text: "shot" },
            { type: "image", data: png, mediaType: "image/png" },
          ],
        });
      },
    });
    const run = createRuntime({ model, tools: [shot] }).run("Go");
    const { outcome, text, messages } = await run.result;
    expect({ outcome, text, ran, refused: server.refused }).toEqual({
      outcome: "stop",
      text: "Stopped.",
      ran: 1,
      refused: [],
    });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "user", "assistant"]);
    const sent = JSON.stringify(server.messages(from)[1]);
    const at = ["Skipped due to queued user message", "Stop that"].map((said) => sent.indexOf(said));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
  });
});
