import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { frame } from "../../../test/wires/raw/bedrock.ts";
import { endFrames } from "./frames.ts";
import { mendGrammar } from "./mend.ts";
import { mendChat } from "./mend-chat.ts";
import { openBody, reading } from "./open-stream.fixture.ts";
import { mendSse } from "./sse.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const data = (event: unknown) => Buffer.from(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
const chunk = (choice: object, more: object = {}) => data({ id: "c", choices: [{ index: 0, ...choice }], ...more });
const said = chunk({ delta: { content: "Hi" }, finish_reason: null });
const reason = chunk({ delta: {}, finish_reason: "stop" });
const usage = data({ id: "c", choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
const ping = Buffer.from(": ping\n\n");
const done = data("[DONE]");

function chat() {
  const source = openBody();
  const notes = { warnings: [], lost: false };
  const out = reading(mendSse(source.body, mendGrammar(mendChat(notes), notes)));
  return { ...source, text: () => out.bytes().toString(), ended: out.ended };
}

function frames() {
  const source = openBody();
  const out = reading(endFrames(source.body));
  return { ...source, bytes: out.bytes, ended: out.ended };
}
const stopped = frame("messageStop", { stopReason: "end_turn" });
const metadata = frame("metadata", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } });

describe("behind a reason to finish a second is waited for the rest", () => {
  test("what comes in it is read, the end comes with it", async () => {
    const stream = chat();
    stream.give(said);
    stream.give(reason);
    await pass(999);
    expect(stream.ended()).toBe(false);
    stream.give(usage);
    await pass(0);
    expect(stream.text()).toContain("prompt_tokens");
    await pass(1);
    expect(stream.ended()).toBe(true);
  });

  test("pings do not make it longer", async () => {
    const stream = chat();
    stream.give(reason);
    for (let at = 0; at < 9; at++) {
      await pass(100);
      stream.give(ping);
    }
    await pass(99);
    expect(stream.ended()).toBe(false);
    await pass(1);
    expect(stream.ended()).toBe(true);
  });

  test("before it nothing is cut, however long the silence", async () => {
    const stream = chat();
    stream.give(said);
    await pass(3_600_000);
    expect(stream.ended()).toBe(false);
    stream.give(reason);
    stream.give(done);
    await pass(0);
    expect(stream.ended()).toBe(true);
  });

  test("Bedrock: the reply ends without its metadata, and with it if that comes in time", async () => {
    const without = frames();
    without.give(stopped);
    await pass(999);
    expect(without.ended()).toBe(false);
    await pass(1);
    expect(without.ended()).toBe(true);
    expect(without.bytes()).toEqual(Buffer.from(stopped));

    const late = frames();
    late.give(stopped);
    await pass(999);
    late.give(metadata);
    await pass(0);
    expect(late.ended()).toBe(true);
    expect(late.bytes()).toEqual(Buffer.concat([stopped, metadata]));
  });
});

describe("behind the end of a reply the rest of the bytes is waited for a quarter of a second, so that its connection lives", () => {
  test.each([
    ["events", () => chat(), [said, reason, done]],
    ["frames", () => frames(), [stopped, metadata]],
  ] as const)("%s: ended in that time it is not given up, later it is", async (_, open, whole) => {
    const kept = open();
    for (const bytes of whole) kept.give(bytes);
    await pass(0);
    // The reader has its reply already.
    expect(kept.ended()).toBe(true);
    await pass(249);
    expect(kept.cancelled()).toBe(0);
    kept.end();
    await pass(1_000);
    expect(kept.cancelled()).toBe(0);

    const left = open();
    for (const bytes of whole) left.give(bytes);
    await pass(249);
    left.give(ping);
    expect(left.cancelled()).toBe(0);
    await pass(1);
    expect(left.cancelled()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
