import { describe, expect, test } from "vitest";
import { callsOf } from "../../src/message/message.ts";
import { called, type Said } from "./raw/said.ts";
import { replyTo, runOf, written } from "./streams.ts";
import { type Wire, wires } from "./wires.ts";

const end: Said = { end: "tool_calls", usage: { input: 10, output: 5 } };
/** Gemini's calls come whole, as objects: their pieces and their text are not on the wire. */
const inPieces = wires.filter((wire) => wire.grammar !== "gemini");

const run = (wire: Wire, ...said: Said[]) => runOf(wire, written(wire, said));
const pieces = (call: number, ...args: string[]): Said[] => args.map((piece) => ({ call, args: piece }));

const text = (event: string | Uint8Array): string => Buffer.from(event as Uint8Array).toString("latin1");

describe.each(wires)("$name", (wire) => {
  test("STREAM-01 pieces of calls that stream at once go each to their own", async () => {
    const { ran, outcome } = await run(
      wire,
      { call: 0, id: "A", name: "a" },
      { call: 1, id: "B", name: "b" },
      ...[pieces(0, '{"t":"A'), pieces(1, '{"t":"B'), pieces(0, '"}'), pieces(1, '"}')].flat(),
      { ended: 0 },
      { ended: 1 },
      end,
    );
    expect({ ran, outcome }).toEqual({
      ran: [
        { name: "a", input: { t: "A" } },
        { name: "b", input: { t: "B" } },
      ],
      outcome: "stop",
    });
  });

  test("STREAM-07 an event that comes twice makes no second call, wherever it stands", async () => {
    const pieced = (call: number, id: string, name: string): Said[] => [
      { call, id, name },
      ...pieces(call, `{"t":"${id}`, 'end"}'),
      { ended: call },
    ];
    const body = written(wire, [...pieced(0, "A", "a"), ...pieced(1, "B", "b"), end]);
    // A piece that comes twice cannot be told from two pieces that say the same.
    const isPiece = (event: string | Uint8Array) => /[AB]|end\\*"\}/.test(text(event)) && !/"name"/.test(text(event));
    for (const [at, event] of body.entries()) {
      if (isPiece(event)) continue;
      const { ran, outcome } = await runOf(wire, [...body.slice(0, at), event, ...body.slice(at)]);
      expect({ at, ran: ran.map(({ input }) => input), outcome }).toEqual({
        at,
        ran: [{ t: "Aend" }, { t: "Bend" }],
        outcome: "stop",
      });
    }
  });

  test("STOP-04 calls run whatever the reply says it ended for", async () => {
    const calls = ["a", "b", "now"].flatMap((name, at) => called(at, `c${at}`, name, "{}"));
    const { ran, outcome } = await run(wire, { text: "On it." }, ...calls, { end: "stop" });
    expect({ ran: ran.map((one) => one.name), outcome }).toEqual({ ran: ["a", "b", "now"], outcome: "stop" });
  });

  test("STOP-06 a refusal is its own outcome; what was said is kept, nothing runs, nothing is asked again", async () => {
    for (const said of [[], [{ text: "I can" }], [{ text: "I can" }, ...called(0, "c", "a", "{}")]] as Said[][]) {
      const { ran, outcome, requests, text } = await run(wire, ...said, { end: "refusal" });
      expect({ ran, outcome, asked: requests.length }).toEqual({ ran: [], outcome: "refusal", asked: 1 });
      expect(text).toBe(said.length === 0 ? "" : "I can");
    }
  });

  test("STOP-10 an empty reply behind a call is said to be empty", async () => {
    const { message } = await replyTo(wire, written(wire, [{ end: "stop", usage: { input: 10, output: 1 } }]));
    expect({ content: message.content, stopReason: message.stopReason }).toEqual({ content: [], stopReason: "stop" });
  });

  test("ARGS-01 no arguments are none: a tool that needs none runs, one that needs some is told", async () => {
    const { ran, results } = await run(wire, ...called(0, "c1", "now", ""), ...called(1, "c2", "write", ""), end);
    expect(ran).toEqual([{ name: "now", input: {} }]);
    expect(results.map((result) => result.isError ?? false)).toEqual([false, true]);
  });

  test("ARGS-03 an empty object goes out again as one", async () => {
    const { requests } = await run(wire, ...called(0, "c1", "now", "{}"), end);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.text).toMatch(/"(arguments|input|args)":("\{\}"|\{\})/);
  });

  test("ARGS-05 text that looks like JSON stays text", async () => {
    const { ran } = await run(wire, ...called(0, "c1", "write", '{"text":"{\\"v\\":1}"}'), end);
    expect(ran).toEqual([{ name: "write", input: { text: '{"v":1}' } }]);
  });

  test("ID-02 an id that an earlier round had is another call", async () => {
    const { ran, results, outcome } = await run(
      wire,
      ...called(0, "x:0", "a", '{"n":1}'),
      ...called(1, "x:0", "a", '{"n":2}'),
      end,
    );
    expect({ ran: ran.map((one) => one.input), outcome }).toEqual({ ran: [{ n: 1 }, { n: 2 }], outcome: "stop" });
    expect(new Set(results.map((result) => result.callId)).size).toBe(2);
  });

  test("ID-04 a call without an id gets one; without a name it is answered, not run", async () => {
    const named = await run(wire, ...called(0, "", "a", '{"n":1}'), end);
    expect(named.ran).toEqual([{ name: "a", input: { n: 1 } }]);
    expect(named.results[0]?.callId).toMatch(/./);
    const nameless = await run(wire, ...called(0, "", "", '{"n":1}'), end);
    expect({ ran: nameless.ran, outcome: nameless.outcome }).toEqual({ ran: [], outcome: "stop" });
    expect(nameless.results).toMatchObject([{ isError: true }]);
  });
});

/** Bedrock's package alone reads its frames. */
describe.each(wires.filter((wire) => wire.grammar !== "bedrock"))("$name", (wire) => {
  test.each([
    ["that is a number", '"$1":7'],
    ["that is null", '"$1":null'],
    ["that is not there", '"$1x":7'],
  ])("ID-04 a call with an id %s runs", async (_, id) => {
    const said = [...called(0, "IDX", "a", '{"n":1}'), end];
    const body = written(wire, said).map((event) => String(event).replaceAll(/"(id|call_id)":"(?:IDX|fc_0)"/g, id));
    const { ran, results, outcome } = await runOf(wire, body);
    expect({ ran, outcome }).toEqual({ ran: [{ name: "a", input: { n: 1 } }], outcome: "stop" });
    expect(results[0]?.callId).toMatch(/./);
  });
});

describe.each(inPieces)("$name", (wire) => {
  test("STREAM-05 pieces that each hold all so far are one call, told piece by piece", async () => {
    const cumulative = pieces(0, '{"p":', '{"p":"a', '{"p":"a"}', '{"p":"a"}');
    const said: Said[] = [{ call: 0, id: "A", name: "a" }, ...cumulative, { ended: 0 }, end];
    // The Responses' final word on a call is right by itself.
    const body = written(wire, said).map((piece) => String(piece).replaceAll(cumulativeText, '{\\"p\\":\\"a\\"}'));
    const sent = wire.grammar === "bedrock" ? written(wire, said) : body;
    const { ran, outcome } = await runOf(wire, sent);
    expect({ ran, outcome }).toEqual({ ran: [{ name: "a", input: { p: "a" } }], outcome: "stop" });
    const { events, message } = await replyTo(wire, sent);
    const [call] = callsOf(message);
    expect(call?.arguments).toBe('{"p":"a"}');
    expect(events.map((event) => (event.type === "call_delta" ? event.delta : "")).join("")).toBe('{"p":"a"}');
  });

  test("STREAM-05 pieces that only look so are appended", async () => {
    const nested = pieces(0, '{"p":', '{"p":1}', "}");
    const { ran } = await run(wire, { call: 0, id: "A", name: "a" }, ...nested, { ended: 0 }, end);
    expect(ran).toEqual([{ name: "a", input: { p: { p: 1 } } }]);
  });

  test("STOP-02 arguments that were cut are an error, whatever the reply says it ended for", async () => {
    const cut = { call: 0, args: '{"text":"abc' } as const;
    const { ran, results, requests } = await run(wire, { call: 0, id: "A", name: "write" }, cut, { ended: 0 }, end);
    expect(ran).toEqual([]);
    expect(results).toMatchObject([{ isError: true }]);
    expect(JSON.stringify(results)).toContain("cut off");
    // What goes back is JSON that the provider accepts.
    for (const [, text = ""] of (requests[1]?.text ?? "").matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)) {
      expect(() => JSON.parse(JSON.parse(`"${text}"`))).not.toThrow();
    }
  });
});

const cumulativeText = '{\\"p\\":{\\"p\\":\\"a{\\"p\\":\\"a\\"}{\\"p\\":\\"a\\"}';

describe.each(wires.filter((wire) => wire.grammar === "anthropic"))("$name", (wire) => {
  test("STOP-08 a pause goes on with its content unchanged", async () => {
    const { outcome, requests, text } = await run(wire, { text: "Let me see. " }, { end: "pause" });
    expect({ outcome, asked: requests.length, text }).toEqual({ outcome: "stop", asked: 2, text: "Done." });
    const messages = requests[1]?.body.messages as { role: string; content: unknown }[];
    expect(messages.at(-1)).toMatchObject({ role: "assistant" });
  });
});
