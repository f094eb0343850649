import { describe, expect, test } from "vitest";
import { called, type Said } from "./raw/said.ts";
import { type Pieces, replyTo, runOf, written } from "./streams.ts";
import { type Wire, wires } from "./wires.ts";

const text = "Zwölf 🦜 für Zoë: 漢字.";
const args = '{"city":"Malmö 🏙","n":1.50}';
const said: Said[] = [
  { text: text.slice(0, 7) },
  { text: text.slice(7) },
  ...called(0, "call_a", "a", args),
  ...called(1, "call_b", "b", "{}"),
  { end: "tool_calls", usage: { input: 100, output: 20 } },
];

const bytesOf = (pieces: Pieces): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece as string | Uint8Array)));

/** In packets of this many bytes: characters, lines and line ends are cut wherever that falls. */
const inPackets = (pieces: Pieces, size: number): Uint8Array[] => {
  const bytes = bytesOf(pieces);
  const packets: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(bytes.subarray(at, at + size));
  return packets;
};

const eachText = (pieces: Pieces, bend: (event: string, at: number) => string): string[] =>
  pieces.map((piece, at) => bend(String(piece), at));

const everywhere: readonly (readonly [string, (pieces: Pieces) => Pieces])[] = [
  ["an event a packet", (pieces) => pieces],
  ["all in one packet", (pieces) => [bytesOf(pieces)]],
  ["one byte a packet", (pieces) => inPackets(pieces, 1)],
  ["seven bytes a packet", (pieces) => inPackets(pieces, 7)],
];

const overSse: readonly (readonly [string, (pieces: Pieces) => Pieces])[] = [
  ["lines that end with CR LF", (pieces) => eachText(pieces, (event) => event.replaceAll("\n", "\r\n"))],
  ["lines that end with CR", (pieces) => eachText(pieces, (event) => event.replaceAll("\n", "\r"))],
  [
    "CR LF, three bytes a packet",
    (pieces) =>
      inPackets(
        eachText(pieces, (e) => e.replaceAll("\n", "\r\n")),
        3,
      ),
  ],
  ["comments and blank lines between events", (pieces) => eachText(pieces, (event) => `: ping\n\n${event}\n\n`)],
  ["blank data between events", (pieces) => eachText(pieces, (event) => `data:\n\ndata: \n\n${event}`)],
  ["a byte order mark", ([first, ...rest]) => [`\uFEFF${first}`, ...rest]],
  ["data without a space behind the colon", (pieces) => eachText(pieces, (e) => e.replaceAll("data: ", "data:"))],
  ["fields that nobody asked for", (pieces) => eachText(pieces, (event, at) => `id: ${at}\nretry: 5\n${event}`)],
  ["no blank line behind the last event", (pieces) => [...pieces.slice(0, -1), String(pieces.at(-1)).trimEnd()]],
];

const both = [
  { type: "text", text },
  { type: "tool_call", id: "call_a", name: "a", arguments: args },
  { type: "tool_call", id: "call_b", name: "b", arguments: "{}" },
];

/** Gemini's calls are objects on the wire: their text is made of them. */
const expected = (wire: Wire) =>
  wire.grammar === "gemini"
    ? both.map((part) =>
        "arguments" in part ? { ...part, arguments: JSON.stringify(JSON.parse(part.arguments)) } : part,
      )
    : both;

describe.each(wires)("$name", (wire) => {
  test("nothing of ours goes out with a request but what the provider is to have", async () => {
    const { requests } = await runOf(wire, written(wire, said));
    expect(requests).toHaveLength(2);
    for (const { headers } of requests) {
      expect(Object.keys(headers).filter((name) => name.includes("rondo"))).toEqual([]);
    }
  });

  const cases = wire.grammar === "bedrock" ? everywhere : [...everywhere, ...overSse];
  test.each(cases)("%s: the reply is the same, byte for byte", async (_, bend) => {
    const { message, parts, warnings, end } = await replyTo(wire, bend(written(wire, said)));
    expect(end.error).toBeUndefined();
    expect(parts).toEqual(expected(wire));
    expect(message.stopReason).toBe("tool_calls");
    expect(message.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(warnings).toEqual([]);
  });
});
