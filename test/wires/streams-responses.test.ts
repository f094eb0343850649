import { describe, expect, test } from "vitest";
import { callsOf } from "../../src/message/message.ts";
import { sse } from "./raw/grammars.ts";
import { replyTo, runOf } from "./streams.ts";
import { wires } from "./wires.ts";

const one = [["a", { t: 1 }]];
const event = (type: string, fields: object) => sse(JSON.stringify({ type, ...fields }));

describe.each(wires.filter((wire) => wire.grammar === "responses"))("$name", (wire) => {
  const item = (id: string, name: string, args: string) =>
    ({ type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: args, status: "completed" }) as const;
  const added = (output_index: number, id: string, name: string) =>
    event("response.output_item.added", { output_index, item: item(id, name, "") });
  const args = (output_index: number, id: string, delta: string) =>
    event("response.function_call_arguments.delta", { item_id: `fc_${id}`, output_index, delta });
  const finished = (output_index: number, id: string, name: string, text: string) =>
    event("response.output_item.done", { output_index, item: item(id, name, text) });
  const completed = (...output: object[]) =>
    event("response.completed", { response: { output, usage: { input_tokens: 1, output_tokens: 1 } } });

  test.each([
    [
      "STREAM-07 the call once more",
      [
        added(0, "A", "a"),
        args(0, "A", '{"t":1}'),
        finished(0, "A", "a", '{"t":1}'),
        finished(0, "A", "a", '{"t":1}'),
        completed(),
      ],
      one,
    ],
    [
      "STREAM-07 a last word without arguments",
      [added(0, "A", "a"), args(0, "A", '{"t":1}'), finished(0, "A", "a", ""), completed()],
      one,
    ],
    [
      "STREAM-07 its beginning once more in the middle",
      [
        added(0, "A", "a"),
        args(0, "A", '{"t":'),
        added(0, "A", "a"),
        args(0, "A", "1}"),
        finished(0, "A", "a", '{"t":1}'),
        completed(),
      ],
      one,
    ],
    [
      "a call that only the end tells whole",
      [added(0, "A", "a"), args(0, "A", '{"t":1}'), completed(item("A", "a", '{"t":1}'))],
      one,
    ],
    [
      "STREAM-03 pieces under an index of no item",
      [added(0, "A", "a"), args(0, "A", '{"t":'), args(4, "A", "1}"), finished(0, "A", "a", '{"t":1}'), completed()],
      one,
    ],
  ])("%s", async (_, body, expected) => {
    const { ran, outcome, results } = await runOf(wire, body);
    expect(ran.map(({ name, input }) => [name, input])).toEqual(expected);
    expect(results).toHaveLength(ran.length);
    expect(outcome).toBe("stop");
  });

  test("STREAM-01 one place for every item: pieces go by their item", async () => {
    const body = [added(0, "A", "a"), added(0, "B", "b"), args(0, "A", '{"t":1}'), args(0, "B", '{"t":2}')];
    const ends = [finished(0, "A", "a", '{"t":1}'), finished(0, "B", "b", '{"t":2}'), completed()];
    const { events, message } = await replyTo(wire, [...body, ...ends]);
    expect(callsOf(message).map((call) => call.arguments)).toEqual(['{"t":1}', '{"t":2}']);
    const told = events.flatMap((one) => (one.type === "call_delta" ? [[one.id, one.delta]] : []));
    expect(told).toEqual([
      ["A", '{"t":1}'],
      ["B", '{"t":2}'],
    ]);
  });
});
