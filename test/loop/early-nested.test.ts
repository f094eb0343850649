import { describe, expect, test } from "vitest";
import { type Tool, tool } from "../../src/core.ts";
import { called, done, gate, played, slow, text } from "./early.fixture.ts";
import { answers } from "./play.fixture.ts";

describe("a run inside an early start", () => {
  /** A reader that asks a model of its own. */
  function asking(log: string[], extra: Partial<Tool> = {}, inner = slow([text("inner"), { ends: "stop" }])) {
    const began = gate();
    const made = tool({
      name: "asks",
      readOnly: true,
      execute: async (_, ctx) => {
        began.resolve();
        return ctx.runtime.exec("inside", { model: inner, tools: [] }).then(
          (answer) => {
            log.push(answer);
            return answer;
          },
          (error: { code: string }) => log.push(error.code),
        );
      },
      ...extra,
    });
    return { tool: made, began: began.promise };
  }

  test("waits until the call counts, so that its events come behind tool_start", async () => {
    const log: string[] = [];
    const one = asking(log);
    const { events } = await played(slow([...called("1", "asks"), one.began, done]), [one.tool]);
    expect(log).toEqual(["inner"]);
    const types = events.map(({ type, path }) => `${path === "" ? "" : "inner "}${type}`);
    expect(types.indexOf("inner agent_start")).toBeGreaterThan(types.indexOf("tool_start"));
  });

  test("has the tool's whole time, which does not begin before it may", async () => {
    const log: string[] = [];
    const one = asking(log, { timeoutMs: 100 });
    const waits = new Promise((resolve) => setTimeout(resolve, 300));
    const { events } = await played(slow([...called("1", "asks"), one.began, waits, done]), [one.tool]);
    expect(log).toEqual(["inner"]);
    const [inside] = events.filter((event) => event.type === "agent_end" && event.path !== "");
    expect(inside).toMatchObject({ outcome: "stop" });
  });

  test("that hangs is given up when the tool's time is over", async () => {
    const log: string[] = [];
    const one = asking(log, { timeoutMs: 100 }, slow([new Promise(() => {}), { ends: "stop" }]));
    const waits = new Promise((resolve) => setTimeout(resolve, 300));
    const { result } = await played(slow([...called("1", "asks"), one.began, waits, done]), [one.tool]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*timed out after 0.1 s/)]);
    expect(log).toEqual(["timeout"]);
  });

  test("of a dropped one asks nothing and tells nobody", async () => {
    const log: string[] = [];
    const one = asking(log);
    const { events } = await played(slow([...called("1", "asks"), one.began, { ends: "length" }]), [one.tool]);
    await expect.poll(() => log).toEqual(["aborted"]);
    expect(events.filter(({ path }) => path !== "")).toEqual([]);
  });
});
