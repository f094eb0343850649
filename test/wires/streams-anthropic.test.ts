import { describe, expect, test } from "vitest";
import { sse } from "./raw/grammars.ts";
import { runOf } from "./streams.ts";
import { wires } from "./wires.ts";

const one = [["a", { t: 1 }]];
const two = [
  ["a", { t: 1 }],
  ["b", { t: 2 }],
];
const event = (type: string, fields: object) => sse(JSON.stringify({ type, ...fields }));

describe.each(wires.filter((wire) => wire.grammar === "anthropic"))("$name", (wire) => {
  const begin = event("message_start", { message: { id: "m", usage: { input_tokens: 1 } } });
  const start = (index: number, id: string, name: string, input = {}) =>
    event("content_block_start", { index, content_block: { type: "tool_use", id, name, input } });
  const startText = (index: number) =>
    event("content_block_start", { index, content_block: { type: "text", text: "" } });
  const say = (index: number, text: string) =>
    event("content_block_delta", { index, delta: { type: "text_delta", text } });
  const args = (index: number, partial_json: string) =>
    event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } });
  const close = (index: number) => event("content_block_stop", { index });
  const reason = event("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } });
  const end = event("message_stop", {});

  test.each([
    [
      "STREAM-03 a piece under an index of no block",
      [start(0, "A", "a"), args(0, '{"t":'), args(5, "1}"), close(0), reason, end],
      one,
    ],
    [
      "STREAM-03 with two open calls nothing runs",
      [start(0, "A", "a"), start(1, "B", "b"), args(5, '{"t":1}'), close(0), close(1), reason, end],
      [],
    ],
    [
      "STREAM-07 arguments with the start and again in pieces",
      [start(0, "A", "a", { t: 1 }), args(0, '{"t":1}'), close(0), reason, end],
      one,
    ],
    [
      "STREAM-07 the block once more",
      [start(0, "A", "a"), args(0, '{"t": 1}'), close(0), start(1, "A", "a", { t: 1 }), close(1), reason, end],
      one,
    ],
    [
      "a block that is begun twice",
      [start(0, "A", "a"), args(0, '{"t":'), start(0, "A", "a"), args(0, "1}"), close(0), reason, end],
      one,
    ],
    [
      "a call at the index of a text that nobody closed",
      [startText(0), say(0, "Hm."), start(0, "A", "a"), args(0, '{"t":1}'), close(0), reason, end],
      one,
    ],
    [
      "a text at the index of a call that nobody closed",
      [start(0, "A", "a"), args(0, '{"t":1}'), startText(0), say(0, "Hm."), close(0), reason, end],
      one,
    ],
    [
      "two calls at one index, the first of which nobody closed",
      [start(0, "A", "a"), args(0, '{"t":1}'), start(0, "B", "b"), args(0, '{"t":2}'), close(0), reason, end],
      two,
    ],
    [
      "one id for two calls at one index",
      [start(0, "A", "a"), args(0, '{"t":1}'), start(0, "A", "b"), args(0, '{"t":2}'), close(0), close(0), reason, end],
      two,
    ],
    [
      "a second block at an index, begun twice, and one at the index that it got",
      [
        ...[startText(0), start(0, "A", "a"), args(0, '{"t":'), start(0, "A", "a")],
        ...[start(1, "B", "b"), args(1, '{"t":'), args(0, "1}"), args(1, "2}"), close(0), close(1), reason, end],
      ],
      two,
    ],
    [
      "STREAM-03 a piece under an index of no block, for a call that got another index",
      [startText(0), start(0, "A", "a"), args(0, '{"t":'), args(5, "1}"), close(0), reason, end],
      one,
    ],
    ["a block that nobody closed", [start(0, "A", "a"), args(0, '{"t":1}'), reason, end], one],
    ["no last event behind the reason", [start(0, "A", "a"), args(0, '{"t":1}'), close(0), reason], one],
    [
      "events of a new kind",
      [event("brand_new", { tool: 1 }), start(0, "A", "a"), args(0, '{"t":1}'), close(0), reason, end],
      one,
    ],
    [
      "a reason without usage",
      [
        start(0, "A", "a"),
        args(0, '{"t":1}'),
        close(0),
        event("message_delta", { delta: { stop_reason: "tool_use" } }),
        end,
      ],
      one,
    ],
  ])("%s", async (_, body, expected) => {
    const { ran, outcome } = await runOf(wire, [begin, ...body]);
    expect(ran.map(({ name, input }) => [name, input])).toEqual(expected);
    expect(outcome).toBe("stop");
  });
});
