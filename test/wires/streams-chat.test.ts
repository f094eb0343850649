import { describe, expect, test } from "vitest";
import { sse } from "./raw/grammars.ts";
import { replyTo, runOf } from "./streams.ts";
import { wires } from "./wires.ts";

type Piece = {
  readonly index?: number | string;
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
};

const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  sse(JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: finish, ...more }] }));
const piece = ({ index, id, name, args }: Piece) =>
  chunk({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
const stop = chunk({}, "tool_calls");
const done = "data: [DONE]\n\n";

type Case = readonly [
  name: string,
  pieces: readonly Piece[],
  ran: readonly (readonly [string, unknown])[],
  more?: { readonly warns?: true; readonly refused?: number },
];

const a = { index: 0, id: "A", name: "a" };
const b = { index: 1, id: "B", name: "b" };
const one: Case[2] = [["a", { t: 1 }]];
const two: Case[2] = [
  ["a", { t: 1 }],
  ["b", { t: 2 }],
];

const cases: readonly Case[] = [
  [
    "ARGS-01 an empty object in front of the arguments is none of them",
    [
      { ...a, args: "{}" },
      { index: 0, args: '{"t":' },
      { index: 0, args: "1}" },
    ],
    one,
  ],
  [
    "ARGS-01 also where id and name come again",
    [
      { ...a, args: "{}" },
      { ...a, args: '{"t":1}' },
    ],
    one,
  ],
  [
    "ARGS-01 without an id an empty object is a call",
    [
      { index: 0, name: "a", args: "{}" },
      { index: 0, name: "a", args: '{"t":1}' },
    ],
    [["a", {}], ...one],
  ],
  [
    "STREAM-03 a piece under an index of no call goes to the only open one",
    [
      { ...a, args: '{"t":' },
      { index: 1, args: "1" },
      { index: 1, args: "}" },
    ],
    one,
    { warns: true },
  ],
  [
    "STREAM-03 with two open calls nothing is guessed and nothing runs",
    [
      { ...a, args: '{"t":' },
      { ...b, args: '{"t":' },
      { index: 7, args: "1}" },
    ],
    [],
    { warns: true, refused: 2 },
  ],
  [
    "STREAM-03 with two open calls that say nothing else, neither runs without its arguments",
    [
      { ...a, args: "" },
      { ...b, args: "" },
      { index: 7, args: '{"t":1}' },
    ],
    [],
    { warns: true, refused: 2 },
  ],
  [
    "STREAM-03 an id tells more than an index",
    [
      { ...a, args: '{"t":' },
      { index: 4, id: "A", args: "1}" },
    ],
    one,
  ],
  [
    "STREAM-05 cumulative pieces that repeat id and name",
    ['{"t"', '{"t":1', '{"t":1}', '{"t":1}'].map((args) => ({ ...a, args })),
    one,
  ],
  ["STREAM-05 the whole call again and again", ['{"t":1}', '{"t":1}', '{"t":1}'].map((args) => ({ ...a, args })), one],
  [
    "STREAM-07 the call once more at the end",
    [
      { ...a, args: '{"t":' },
      { index: 0, args: "1}" },
      { ...a, args: '{"t":1}' },
    ],
    one,
  ],
  [
    "STREAM-07 once more without id and name",
    [
      { ...a, args: '{"t":' },
      { index: 0, args: "1}" },
      { index: 0, args: '{"t":1}' },
    ],
    one,
  ],
  [
    "STREAM-07 once more, written otherwise",
    [
      { ...a, args: '{"t":' },
      { index: 0, args: "1}" },
      { ...a, args: '{ "t": 1 }\n' },
    ],
    one,
  ],
  [
    "STREAM-07 once more under another index",
    [
      { ...a, args: '{"t":1}' },
      { ...a, index: 3, args: '{"t":1}' },
    ],
    one,
  ],
  [
    "STREAM-07 two calls, both once more",
    [
      { ...a, args: '{"t":1}' },
      { ...b, args: '{"t":2}' },
      { ...a, args: '{"t":1}' },
      { ...b, args: '{"t":2}' },
    ],
    two,
  ],
  [
    "id and name with every piece",
    [
      { ...a, args: '{"t"' },
      { ...a, args: ":1" },
      { ...a, args: "}" },
    ],
    one,
  ],
  [
    "an empty name and id with every piece",
    [
      { ...a, args: '{"t"' },
      { index: 0, id: "", name: "", args: ":1}" },
    ],
    one,
  ],
  [
    "a new id with every piece",
    [
      { ...a, args: '{"t"' },
      { index: 0, id: "A2", args: ":1}" },
    ],
    one,
  ],
  [
    "the name behind the id",
    [
      { index: 0, id: "A" },
      { index: 0, args: '{"t"' },
      { index: 0, name: "a", args: ":1}" },
    ],
    one,
  ],
  [
    "one index for all calls",
    [
      { ...a, args: '{"t":1}' },
      { ...b, index: 0, args: "" },
      { index: 0, args: '{"t":2}' },
    ],
    two,
  ],
  [
    "one index for all calls of one tool",
    [
      { ...a, args: '{"t":1}' },
      { ...a, id: "A2", args: "" },
      { index: 0, args: '{"t":3}' },
    ],
    [
      ["a", { t: 1 }],
      ["a", { t: 3 }],
    ],
  ],
  [
    "ID-02 one id for all calls",
    [
      { ...a, args: '{"t":1}' },
      { ...a, index: 1, args: "" },
      { index: 1, args: '{"t":3}' },
    ],
    [
      ["a", { t: 1 }],
      ["a", { t: 3 }],
    ],
  ],
  [
    "an index that is written as text",
    [
      { ...a, index: "0", args: '{"t"' },
      { ...b, index: "1", args: '{"t"' },
      { index: "0", args: ":1}" },
      { index: 1, args: ":2}" },
    ],
    two,
  ],
  [
    "no index at all",
    [{ id: "A", name: "a", args: '{"t"' }, { args: ":1}" }, { id: "B", name: "b", args: '{"t":' }, { args: "2}" }],
    two,
  ],
  ["arguments as an object", [{ ...a, args: { t: 1 } }], one],
  ["ID-04 neither id nor name", [{ index: 0, id: "", name: "", args: '{"x":1}' }], [], { refused: 1 }],
  [
    "ID-04 neither id nor name, beside a good call",
    [
      { ...a, args: '{"t":1}' },
      { index: 1, args: '{"x":1}' },
    ],
    one,
    { refused: 1 },
  ],
];

describe.each(wires.filter((wire) => wire.grammar === "chat"))("$name", (wire) => {
  test.each(cases.map(([name, ...rest]) => ({ name, rest })))("$name", async ({ rest: [pieces, expected, more] }) => {
    const { warns, refused = 0 } = more ?? {};
    const body = [...pieces.map(piece), stop, done];
    const { ran, results, outcome } = await runOf(wire, body);
    expect(ran.map(({ name, input }) => [name, input])).toEqual(expected);
    expect(outcome).toBe("stop");
    expect(results.filter((result) => result.isError)).toHaveLength(refused);
    expect((await replyTo(wire, body)).warnings).toEqual(warns ? ["call_pieces"] : []);
  });

  test("[DONE] is an end, with a reason or without", async () => {
    const { message } = await replyTo(wire, [chunk({ content: "Hi" }), done]);
    expect(message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Hi" }] });
    const { ran } = await runOf(wire, [piece({ ...a, args: '{"t":1}' }), done]);
    expect(ran).toHaveLength(1);
    const empty = await replyTo(wire, [done]);
    expect(empty.end.error?.kind).toBe("transport");
  });

  test("a reply that is no stream is read all the same, and a message behind a stream is not read again", async () => {
    const message = {
      role: "assistant",
      content: "Hi",
      tool_calls: [{ id: "A", function: { name: "a", arguments: "{}" } }],
    };
    const whole = JSON.stringify({ id: "x", choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    const headers = { "content-type": "application/json" };
    const { ran, messages } = await runOf(wire, [whole], { headers });
    expect(ran).toEqual([{ name: "a", input: {} }]);
    expect(messages[1]?.content[0]).toMatchObject({ text: "Hi" });
    const again = await runOf(wire, [chunk({ content: "Hi" }), piece({ ...a, args: "{}" }), sse(whole), done]);
    expect(again.ran).toHaveLength(1);
  });

  test("an empty reason with every chunk is none: the stream was cut", async () => {
    const { message } = await replyTo(wire, [chunk({ content: "Par" }, ""), chunk({ content: "tly" }, "")]);
    expect(message.stopReason).toBe("length");
  });

  test("STREAM-11 an error in the chunk or in the choice that it ends is one", async () => {
    const error = { code: 429, message: "Slow down" };
    const beside = sse(
      JSON.stringify({ error, choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }] }),
    );
    for (const event of [beside, chunk({ content: "" }, "error", { error })]) {
      const { message, end } = await replyTo(wire, [chunk({ content: "Par" }), event, done]);
      expect(message.stopReason).toBe("error");
      expect(end.error).toMatchObject({ kind: "rate_limit", message: "Slow down" });
    }
    const bare = await replyTo(wire, [chunk({ content: "Par" }), chunk({}, "error"), done]);
    expect(bare.message.stopReason).toBe("error");
  });
});
