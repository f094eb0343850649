import { describe, expect, test } from "vitest";
import { createRuntime, textOf, tool } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import { ask, request } from "./ask.ts";
import { reset } from "./failures/broken.ts";
import { type GrammarName, grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import type { Answer } from "./raw/server.ts";
import { refusals } from "./raw/valid.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

/** The beginning of a reply, as far as it is said before its end. */
const begins = ({ grammar }: Wire, ...said: Said[]) => {
  const { events } = grammars[grammar];
  const whole = events([...said, { end: "stop" }]);
  return whole.slice(0, Math.max(1, events(said).length - (grammar === "chat" ? 1 : 0)));
};

/** The words of each grammar for an error inside of a stream. */
const busy: { readonly [G in GrammarName]: string } = {
  chat: "server_error",
  responses: "server_error",
  anthropic: "overloaded_error",
  gemini: "UNAVAILABLE",
  bedrock: "serviceUnavailableException",
};

describe.each(wires)("$name", (wire) => {
  const { grammar } = wire;
  const error = grammars[grammar].error(busy[grammar], "Busy for now.");
  const good = says(wire, { text: "Done." }, { end: "stop" });
  const charge = (ran: string[]) => tool({ name: "charge", execute: () => `charged ${ran.push("charge")}` });
  const pick = says(wire, ...called(0, "call_a", "charge", "{}"), { end: "tool_calls" });

  test("NET-02 an error inside a stream before any content is tried again", async () => {
    const { url, requests } = await serve(wire, { body: [error] }, good);
    const { events, end } = await ask(connect(wire, url), request());
    expect(events[0]).toMatchObject({
      type: "retry",
      attempt: 1,
      error: { kind: "overloaded", message: "Busy for now." },
    });
    expect(textOf(end.message)).toBe("Done.");
    expect(requests).toHaveLength(2);
  });

  test("NET-02 an error behind content ends the reply, which keeps what came", async () => {
    const { url, requests } = await serve(
      wire,
      { body: [...begins(wire, { text: "Half a " }, { text: "word" }), error] },
      good,
    );
    const { events, end } = await ask(connect(wire, url), request());
    expect(events.filter(({ type }) => type === "retry")).toEqual([]);
    expect(end).toMatchObject({
      message: { stopReason: "error" },
      error: { kind: "overloaded", message: "Busy for now." },
    });
    expect(textOf(end.message)).toBe("Half a word");
    expect(requests).toHaveLength(1);
  });

  test("NET-04 a request that fails is sent again alone: the tool ran once", async () => {
    const ran: string[] = [];
    const failed: Answer = { status: 500, body: [] };
    const { url, requests } = await serve(wire, pick, failed, failed, failed, good);
    const model = connect(wire, url, { retry: { retries: 3, sleep: async () => {} } });
    const retries: number[] = [];
    const options = { tools: [charge(ran)], onRetry: ({ attempt }: { attempt: number }) => void retries.push(attempt) };
    expect(await createRuntime({ model }).exec("Charge it.", options)).toBe("Done.");
    expect(ran).toEqual(["charge"]);
    expect(retries).toEqual([1, 2, 3]);
    expect(requests.slice(2).map(({ text }) => text)).toEqual(requests.slice(1, -1).map(({ text }) => text));
  });

  test("NET-04 one that fails for good leaves the result in the history, which goes on without a second call", async () => {
    const ran: string[] = [];
    const failed: Answer = { status: 500, body: [] };
    const { url, requests } = await serve(wire, pick, failed, failed, good);
    const runtime = createRuntime({ model: connect(wire, url), tools: [charge(ran)] });
    const { outcome, messages, error: told } = await runtime.run("Charge it.").result;
    expect(outcome).toBe("error");
    expect(told?.message).toBe("The model's request failed (overloaded, HTTP 500): Internal Server Error");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(await runtime.exec("Go on.", { messages })).toBe("Done.");
    expect(ran).toEqual(["charge"]);
    expect(refusals(grammar, requests.at(-1)?.text ?? "", wire.spec)).toEqual([]);
  });

  test("PAIR-13 a reply that broke off is in the history, no call of it runs, and exec goes on from it", async () => {
    const ran: string[] = [];
    const half: Said[] = [{ text: "Working on " }, { call: 0, id: "call_a", name: "charge" }, { call: 0, args: '{"a' }];
    const { url, requests } = await serve(wire, { body: begins(wire, ...half), ...reset }, good);
    const runtime = createRuntime({ model: connect(wire, url), tools: [charge(ran)] });
    const { outcome, text, messages, error: told } = await runtime.run("Charge it.").result;
    expect({ outcome, text }).toEqual({ outcome: "error", text: "Working on " });
    expect(told?.message).toMatch(/^The model's request failed \(transport\): The connection was lost/);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages.flatMap((message) => (message.role === "assistant" ? callsOf(message) : []))).toEqual([]);
    expect(requests).toHaveLength(1);

    expect(await runtime.exec("Go on.", { messages })).toBe("Done.");
    expect(ran).toEqual([]);
    const { messages: sent } = wire.read(requests.at(-1)?.body ?? {});
    expect(JSON.stringify((sent as unknown[]).at(-1))).toContain("Go on.");
    expect(refusals(grammar, requests.at(-1)?.text ?? "", wire.spec)).toEqual([]);
  });
});
