import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, ids } from "../../../test/wires/ask.ts";
import { callParts, finish, modelV4, type Part, textParts } from "../../../test/wires/language-model.ts";
import { textOf } from "../../message/message.ts";
import { collect } from "../collect.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { aiSdk } from "./ai-sdk.ts";

const object = { type: "object", properties: { a: { type: "string" } } };
const list = { type: "array", items: {} };
const tools = [{ name: "search", description: "Searches.", parameters: { type: "object" } }];

/** What a stream becomes when an output of this schema is wanted. */
async function replyTo(parts: readonly Part[], schema: object = object, more: Partial<ModelRequest> = {}) {
  const language = modelV4([{ parts }]);
  const request: ModelRequest = {
    messages: [{ role: "user", content: "Hi" }],
    tools,
    toolChoice: "auto",
    output: { schema: schema as typeof object },
    ...more,
  };
  const { events, end } = await ask(aiSdk(language, { newId: ids(), retry: { retries: 0 } }), request);
  const deltas = events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
  const calls = events.filter((event) => event.type.startsWith("call_"));
  const warnings = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  return { events, deltas, calls, warnings, end, message: end.message };
}

const submit = (...deltas: string[]) => callParts("s", "final_output", ...deltas);
const real = callParts("c", "search", '{"q":1}');
const text = (value: string) => [{ type: "text", text: value }];

describe("a submission becomes the text of the reply", () => {
  test("in the pieces it came in", async () => {
    const { deltas, calls, message } = await replyTo([...submit('{"a"', ':"x', '"}'), finish("tool-calls")]);
    expect(deltas).toEqual(['{"a"', ':"x', '"}']);
    expect(calls).toEqual([]);
    expect(message).toMatchObject({ content: text('{"a":"x"}'), stopReason: "stop" });
  });

  test("in one piece where it was not streamed", async () => {
    const last = submit('{"a":"x"}').slice(-1);
    const { deltas, message } = await replyTo([...last, ...last, finish("stop")]);
    expect(deltas).toEqual(['{"a":"x"}']);
    expect(message.content).toEqual(text('{"a":"x"}'));
  });

  test("without its wrapping, at the end", async () => {
    const { deltas, message } = await replyTo([...submit('{"value"', ":[1, ", "2]}"), finish("tool-calls")], list);
    expect(deltas).toEqual(["[1,2]"]);
    expect(message.content).toEqual(text("[1,2]"));
  });

  test.each([
    ["a string", '{"value":"x"}', '"x"'],
    ["null", '{"value":null}', "null"],
    ["a value that was not wrapped", '{"a":1}', '{"a":1}'],
    ["a bare value", "[1]", "[1]"],
  ])("%s", async (_, input, expected) => {
    const { message } = await replyTo([...submit(input), finish("tool-calls")], list);
    expect(message.content).toEqual(text(expected));
  });

  test("blank arguments are an empty object", async () => {
    const { message } = await replyTo([...submit(), finish("tool-calls")]);
    expect(message.content).toEqual(text("{}"));
  });

  test("prose beside it was streamed, and is no part of the result; reasoning stays", async () => {
    const thought: Part[] = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      { type: "reasoning-end", id: "r", providerMetadata: { anthropic: { signature: "s" } } },
    ];
    const { deltas, message } = await replyTo(
      [...thought, ...textParts("Here: "), ...submit('{"value":4}'), finish("tool-calls")],
      { type: "integer" },
    );
    expect(deltas).toEqual(["Here: ", "4"]);
    expect(message.content).toEqual([
      { type: "reasoning", text: "Hm.", providerData: { anthropic: { signature: "s" } } },
      ...text("4"),
    ]);
  });

  test("reasoning that the provider takes back only before the call itself stays out", async () => {
    const thought: Part[] = [
      { type: "reasoning-start", id: "r", providerMetadata: { openai: { itemId: "rs_1" } } },
      { type: "reasoning-end", id: "r" },
    ];
    const { message } = await replyTo([...thought, ...submit("{}"), finish("tool-calls")]);
    expect(message.content).toEqual(text("{}"));
  });

  test("the last of several counts", async () => {
    const second = callParts("t", "final_output", '{"a":"y"}');
    const { message } = await replyTo([...submit('{"a":"x"}'), ...second, finish("tool-calls")]);
    expect(message.content).toEqual(text('{"a":"y"}'));
  });

  test("what the provider says at last holds", async () => {
    const parts = submit('{"a":"x').slice(0, -1);
    const { message } = await replyTo([
      ...parts,
      { type: "tool-call", toolCallId: "s", toolName: "final_output", input: '{"a":"xy"}' },
      finish("tool-calls"),
    ]);
    expect(message.content).toEqual(text('{"a":"xy"}'));
  });

  test("a call of the user's tool of another name stays a call", async () => {
    const named = [{ name: "final_output", description: "Mine.", parameters: { type: "object" } }];
    const { message } = await replyTo([...submit("{}"), finish("tool-calls")], object, { tools: named });
    expect(message).toMatchObject({ content: [{ type: "tool_call", name: "final_output" }], stopReason: "tool_calls" });
  });
});

describe("beside real calls", () => {
  test.each([
    ["behind them", [...real, ...submit('{"a":"x"}')]],
    ["before them", [...submit('{"a":"x"}'), ...real]],
    ["interleaved", [real[0], ...submit('{"a":"x"}').slice(0, 2), ...real.slice(1), ...submit('{"a":"x"}').slice(2)]],
  ] as [string, Part[]][])("%s it is left out, openly", async (_, parts) => {
    const { message, calls, warnings } = await replyTo([...textParts("So."), ...parts, finish("tool-calls")]);
    expect(message).toMatchObject({
      content: [...text("So."), { type: "tool_call", id: "c", name: "search", arguments: '{"q":1}' }],
      stopReason: "tool_calls",
    });
    expect(calls).toHaveLength(3);
    expect(warnings).toEqual(["output_beside_calls"]);
  });

  test("an id that is used again belongs to what began last", async () => {
    const half = callParts("s", "search", '{"q"').slice(0, 2);
    const { message, deltas } = await replyTo([...submit('{"a":"x"}'), ...half, finish("length")]);
    expect(deltas).toEqual(['{"a":"x"}']);
    expect(message.content).toMatchObject([{ type: "tool_call", name: "search", arguments: '{"q"', partial: true }]);
  });

  test("where no call is allowed it counts", async () => {
    const { message, warnings } = await replyTo([...real, ...submit("{}"), finish("tool-calls")], object, {
      toolChoice: "none",
    });
    expect(message.content).toMatchObject([...text("{}"), { type: "tool_call", name: "search" }]);
    expect(warnings).toEqual([]);
  });
});

describe("cut", () => {
  test("inside: text that was cut", async () => {
    const { message } = await replyTo([...textParts("So"), ...submit('{"a":"x').slice(0, 2), finish("length")]);
    expect(message).toMatchObject({ content: text('{"a":"x'), stopReason: "length" });
  });

  test("also where the provider ends the half call", async () => {
    const { message } = await replyTo([...submit('{"a":"x'), finish("length")]);
    expect(message).toMatchObject({ content: text('{"a":"x'), stopReason: "length" });
  });

  test("inside a wrapping: without the wrapping's beginning", async () => {
    const { message, deltas } = await replyTo([...submit('{"value": ["x').slice(0, 2), finish("length")], list);
    expect(deltas).toEqual([]);
    expect(message).toMatchObject({ content: text('["x'), stopReason: "length" });
  });

  test("before it began", async () => {
    for (const schema of [object, list]) {
      const { message } = await replyTo([...textParts("So"), ...submit().slice(0, 1), finish("length")], schema);
      expect(message).toMatchObject({ content: text("So"), stopReason: "length" });
    }
    const { message } = await replyTo([...submit(), finish("length")]);
    expect(message).toMatchObject({ content: [], stopReason: "length" });
  });

  test("a stream that merely ends", async () => {
    const { message } = await replyTo(submit('{"a":').slice(0, 2));
    expect(message).toMatchObject({ content: text('{"a":'), stopReason: "length" });
  });

  test("behind a whole one: the cut stays a cut", async () => {
    const { message } = await replyTo([...submit('{"a":"x"}'), finish("length")]);
    expect(message).toMatchObject({ content: text('{"a":"x"}'), stopReason: "length" });
  });

  test("by an error", async () => {
    const { message, end } = await replyTo([...submit('{"a":').slice(0, 2), { type: "error", error: "lost" }]);
    expect(message).toMatchObject({ content: text('{"a":'), stopReason: "error" });
    expect(end.error?.message).toBe("lost");
  });
});

test("goes back as text, so that any provider can read it", async () => {
  const language = modelV4([{ parts: [...submit('{"a":"x"}'), finish("tool-calls")] }]);
  const model = aiSdk(language);
  const request = { tools, toolChoice: "auto", output: { schema: object } } as const;
  const { end } = await ask(model, { ...request, messages: [{ role: "user", content: "Hi" }] });
  await ask(model, {
    ...request,
    messages: [{ role: "user", content: "Hi" }, end.message, { role: "user", content: "Go" }],
  });
  expect(language.calls[1]?.prompt[1]).toEqual({ role: "assistant", content: text('{"a":"x"}') });
});

test("any order of parts: whole submissions and calls, and what streamed makes the same text", async () => {
  const piece = fc.oneof(
    fc.constant("call" as const),
    fc.record({ deltas: fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), id: fc.constantFrom("", "s", "t") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), fc.boolean(), async (pieces, none) => {
      const parts = pieces.flatMap((one, at) =>
        one === "call" ? callParts(`c${at}`, "search", "{}") : callParts(one.id, "final_output", ...one.deltas),
      );
      const { events, message } = await replyTo([...parts, finish("tool-calls")], object, {
        toolChoice: none ? "none" : "auto",
      });
      const calls = pieces.filter((one) => one === "call").length;
      const submitted = pieces.flatMap((one) => (one === "call" ? [] : [one.deltas.join("")]));
      expect(message.content.filter((part) => part.type === "tool_call")).toHaveLength(calls);
      const counts = submitted.length > 0 && (none || calls === 0);
      const last = submitted.at(-1) as string;
      expect(textOf(message)).toBe(counts ? (last.trim() === "" ? "{}" : last) : "");
      const streamed = collect("m");
      for (const event of events) if (event.type !== "end") streamed.push(event as ModelEvent);
      if (counts && submitted.length === 1 && last.trim() !== "") {
        expect(textOf(streamed.message("stop"))).toBe(textOf(message));
      }
    }),
    { numRuns: 500 },
  );
});
