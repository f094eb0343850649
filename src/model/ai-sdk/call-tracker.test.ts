import { describe, expect, test } from "vitest";
import { ask, ids, replyTo, request } from "../../../test/wires/ask.ts";
import { callParts, finish, modelV4, type Part } from "../../../test/wires/language-model.ts";
import { callsOf } from "../../message/message.ts";
import { aiSdk } from "./ai-sdk.ts";

describe("calls", () => {
  test("STREAM-01 pieces of calls that stream at once go to their own call", async () => {
    const { end } = await replyTo(
      { type: "tool-input-start", id: "A", toolName: "a" },
      { type: "tool-input-start", id: "B", toolName: "b" },
      { type: "tool-input-delta", id: "A", delta: '{"t":"A' },
      { type: "tool-input-delta", id: "B", delta: '{"t":"B' },
      { type: "tool-input-delta", id: "A", delta: '"}' },
      { type: "tool-input-delta", id: "B", delta: '"}' },
      { type: "tool-input-end", id: "A" },
      { type: "tool-input-end", id: "B" },
      finish("tool-calls"),
    );
    expect(callsOf(end.message)).toEqual([
      { type: "tool_call", id: "A", name: "a", arguments: '{"t":"A"}' },
      { type: "tool_call", id: "B", name: "b", arguments: '{"t":"B"}' },
    ]);
  });

  test("STREAM-07 the final call replaces what streamed, and a repeat of it is no second call", async () => {
    const final: Part = { type: "tool-call", toolCallId: "c", toolName: "f", input: '{"c":1}' };
    const { events, end } = await replyTo(
      ...callParts("c", "f", '{"c":', '{"c":1}').slice(0, -1),
      final,
      final,
      finish("stop"),
    );
    expect(callsOf(end.message)).toEqual([{ type: "tool_call", id: "c", name: "f", arguments: '{"c":1}' }]);
    expect(events.filter((event) => event.type === "call_end")).toHaveLength(1);
  });

  test("a call that comes whole streams its arguments in one piece", async () => {
    const { events } = await replyTo(
      { type: "tool-call", toolCallId: "c", toolName: "f", input: '{"a":1}' },
      finish("tool-calls"),
    );
    expect(events.slice(0, -1)).toEqual([
      { type: "call_start", id: "c", name: "f" },
      { type: "call_delta", id: "c", delta: '{"a":1}' },
      { type: "call_end", id: "c" },
    ]);
  });

  test("ID-04 calls without an id get one each, in order", async () => {
    const { end } = await replyTo(
      { type: "tool-input-start", id: "", toolName: "a" },
      { type: "tool-input-delta", id: "", delta: "1" },
      { type: "tool-input-start", id: "", toolName: "b" },
      { type: "tool-input-delta", id: "", delta: "2" },
      { type: "tool-call", toolCallId: "", toolName: "a", input: "1" },
      { type: "tool-call", toolCallId: "", toolName: "b", input: "2" },
      { type: "tool-call", toolCallId: undefined, toolName: undefined, input: "" } as unknown as Part,
      finish("tool-calls"),
    );
    expect(callsOf(end.message)).toEqual([
      { type: "tool_call", id: "new_1", name: "a", arguments: "1" },
      { type: "tool_call", id: "new_2", name: "b", arguments: "2" },
      { type: "tool_call", id: "new_3", name: "", arguments: "" },
    ]);
  });

  test("ID-02 an id that the history or the reply holds already is replaced", async () => {
    const model = aiSdk(
      modelV4([{ parts: [...callParts("x:0", "f", '{"n":2}'), ...callParts("x:0", "f", '{"n":3}'), finish("stop")] }]),
      { newId: ids() },
    );
    const { end: old } = await ask(model, request());
    expect(callsOf(old.message).map((call) => call.id)).toEqual(["x:0", "new_1"]);
    const { end } = await ask(model, request([{ role: "user", content: "Hi" }, old.message]));
    expect(callsOf(end.message).map((call) => call.id)).toEqual(["new_2", "new_3"]);
  });

  test("names that no provider takes go out and come back", async () => {
    const language = modelV4([{ parts: [] }]);
    const tools = [{ name: "fs/read.all", description: "Reads.", parameters: { type: "object" } }];
    language.doStream = async (options) => {
      const [sent] = options.tools ?? [];
      expect(sent?.name).toMatch(/^fs_read_all_[a-z0-9]+$/);
      const parts = [...callParts("c", sent?.name ?? "", "{}"), finish("tool-calls")];
      return {
        stream: new ReadableStream({
          start(out) {
            for (const part of parts) out.enqueue(part);
            out.close();
          },
        }),
      };
    };
    const { end } = await ask(aiSdk(language), { ...request(), tools });
    expect(callsOf(end.message).map((call) => call.name)).toEqual(["fs/read.all"]);
  });
});
