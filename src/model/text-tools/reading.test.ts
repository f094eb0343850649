import fc from "fast-check";
import { expect, test } from "vitest";
import { request } from "../../../test/wires/ask.ts";
import { scripted } from "../../testing/index.ts";
import { replyFromEvents } from "../collect.ts";
import type { Model, ModelEvent, ModelFailure, ToolDeclaration } from "../model.ts";
import { textTools } from "./text-tools.ts";

const tools: readonly ToolDeclaration[] = [
  { name: "weather", description: "", parameters: { type: "object", properties: {} } },
];
const signal = () => new AbortController().signal;

/** All that a model streams, pieces of one kind joined. */
async function streamed(model: Model, given: AbortSignal = signal()) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...request(), tools }, given)) events.push(event);
  const joined: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if ("delta" in event && last?.type === event.type) last.delta += event.delta;
    else joined.push({ ...event });
  }
  return { events, joined };
}

const pieces = [
  "<tool_call>",
  "</tool_call>",
  "<|tool_call|>",
  "<function=weather>",
  "[TOOL_CALLS]",
  "```json\n",
  "```",
  "```python\n",
  "Action: weather\nAction Input: ",
  '{"name": "weather", ',
  '"arguments": {"a": "b\\"}"}}',
  '{"name": "x", "arguments": ',
  "<think>",
  "</think>",
  "\n",
  " ",
  "Observation: ok",
  "[",
  "]",
  "{",
  "}",
  '"',
  "\\",
  "`",
  "<",
  "ß…😀",
  "word",
];
const withAnyUsage = (event: Record<string, unknown>) =>
  event.type === "end" ? { ...event, message: { ...(event.message as object), usage: expect.anything() } } : event;

const replies = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));

/** The text in deltas, each as long as the next of these numbers says; deltas of half a character too. */
const cut = (text: string, sizes: readonly number[]): string[] => {
  const deltas: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    deltas.push(text.slice(at, at + size));
    at += size;
  }
  return deltas;
};

test("SHAPE-05 however a reply is cut into deltas, the same comes of it", async () => {
  const read = (deltas: readonly string[], stopReason: "stop" | "length") => {
    const inner: ModelEvent = {
      type: "end",
      message: {
        role: "assistant",
        content: deltas.length === 0 ? [] : [{ type: "text", text: deltas.join("") }],
        model: "m",
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        stopReason,
      },
    };
    return streamed(textTools(scripted([{ deltas: [...deltas, inner] }]), { newId: () => "id" }));
  };
  await fc.assert(
    fc.asyncProperty(
      replies,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom("stop" as const, "length" as const),
      async (reply, sizes, stop) => {
        const whole = await read(reply === "" ? [] : [reply], stop);
        const inPieces = await read(cut(reply, sizes), stop);
        // Where the model is stopped it tells no usage.
        expect(inPieces.joined).toEqual(whole.joined.map(withAnyUsage));
        const calls = whole.events.filter(({ type }) => type === "call_start");
        expect(calls.length).toBeLessThanOrEqual(1);
        if (calls.length === 0 && !reply.trimStart().startsWith("<think>")) {
          expect(whole.joined[0]?.delta ?? "").toBe(reply);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("text that begins no action is passed on at once", async () => {
  const seen: string[] = [];
  const deltas = ["Sun", "ny", " and", " 3 <", " 4.\n", "{", '"a"', ": 1}\n", '{"na', 'me": "x"', "} ", "end"];
  for await (const event of textTools(scripted([{ deltas }])).stream({ ...request(), tools }, signal())) {
    if (event.type === "text") seen.push(event.delta);
  }
  // White space and what may begin an action wait for what comes next.
  expect(seen).toEqual(["Sun", "ny", " and", " 3", " <", " 4.", '\n{"a"', ": 1}", '\n{"name": "x"', "}", " end"]);
});

test("arguments stream as they come", async () => {
  const deltas = ["<tool_call>\n", '{"name": "wea', 'ther", "argu', 'ments": {"a": "', "b", 'c"}', "}\n</tool_call>"];
  const { events } = await streamed(textTools(scripted([{ deltas }]), { newId: () => "id" }));
  expect(events.slice(0, -1)).toEqual([
    { type: "call_start", id: "id", name: "weather" },
    { type: "call_delta", id: "id", delta: '{"a": "' },
    { type: "call_delta", id: "id", delta: "b" },
    { type: "call_delta", id: "id", delta: 'c"}' },
    { type: "call_end", id: "id" },
  ]);
});

test("a model that knows no end is stopped behind its action, and for good", async () => {
  let stopped = 0;
  const endless: Model = {
    id: "m",
    async *stream(_, given) {
      given.addEventListener("abort", () => stopped++);
      yield { type: "text", delta: '<tool_call>{"name": "weather", "arguments": {}}' };
      for (;;) {
        yield { type: "text", delta: " Observation: ok" };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
  const { events } = await streamed(textTools(endless));
  expect(events.at(-1)).toMatchObject({ type: "end", message: { stopReason: "tool_calls" } });
  expect(stopped).toBe(1);
});

test("usage that a stopped model tells is kept, reasoning with its data too", async () => {
  const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
  const thought = { type: "reasoning", text: "Hm", providerData: { p: { signature: "s" } } } as const;
  const model: Model = {
    id: "m",
    async *stream(_, given) {
      yield { type: "reasoning", delta: "Hm" };
      yield { type: "text", delta: '<tool_call>{"name": "weather", "arguments": {}} and' };
      // It is stopped before it is asked for more.
      expect(given.aborted).toBe(true);
      const message = { role: "assistant", content: [thought], model: "m", usage, stopReason: "aborted" } as const;
      yield { type: "end", message, error: { kind: "aborted", message: "" } };
    },
  };
  const { events } = await streamed(textTools(model));
  expect(events.at(-1)).toMatchObject({ message: { usage, content: [thought, { type: "tool_call" }] } });
  expect(events.at(-1)).not.toHaveProperty("error");
});

test("failures, retries and warnings pass through; what came before a retry is forgotten", async () => {
  const error: ModelFailure = { kind: "overloaded", message: "busy" };
  const passing: ModelEvent[] = [
    { type: "warning", code: "c", message: "w" },
    { type: "text", delta: "<tool_call>" },
    { type: "retry", attempt: 1, delayMs: 0, error },
  ];
  const model = textTools(scripted([{ deltas: [...passing, "Hello."] }, { error }, { throwAfter: 0 }]));
  const { events } = await streamed(model);
  expect(events.slice(0, 3)).toEqual([passing[0], passing[2], { type: "text", delta: "Hello." }]);
  expect((await streamed(model)).events).toMatchObject([{ type: "end", error, message: { stopReason: "error" } }]);
  await expect(streamed(model)).rejects.toThrow("breaks");
});

test("a stream that merely ends is a cut reply", async () => {
  const { events } = await streamed(textTools(scripted([{ text: "I <tool_ca", cut: 1 }])));
  expect(events.at(-1)).toMatchObject({ message: { stopReason: "length", content: [{ text: "I <tool_ca" }] } });
});

test("an abort ends a reply as aborted, also behind its action", async () => {
  const abort = new AbortController();
  const model = textTools(scripted([{ deltas: ['<tool_call>{"name": "weather", "arguments": {}}'], hang: true }]));
  let last: ModelEvent | undefined;
  for await (const event of model.stream({ ...request(), tools }, abort.signal)) {
    if (event.type === "call_end") abort.abort();
    last = event;
  }
  expect(last).toMatchObject({ type: "end", error: { kind: "aborted" }, message: { stopReason: "aborted" } });
});

test("a refusal is one behind an action too", async () => {
  const said = '<tool_call>{"name": "weather", "arguments": {}}</tool_call>';
  const model: Model = {
    id: "m",
    async *stream() {
      yield { type: "text", delta: said };
      yield { type: "end", message: replyFromEvents("m", [{ type: "text", delta: said }], "refusal") };
    },
  };
  const { events } = await streamed(textTools(model));
  expect(events.at(-1)).toMatchObject({ type: "end", message: { stopReason: "refusal" } });
});

test("a model that calls natively after all is left alone", async () => {
  const call = { name: "weather", arguments: { a: 1 }, id: "own" };
  const { events } = await streamed(textTools(scripted([{ text: "I <", calls: [call, { ...call, id: "other" }] }])));
  expect(events.at(-1)).toMatchObject({
    message: { content: [{ text: "I <" }, { type: "tool_call", id: "own" }, { type: "tool_call", id: "other" }] },
  });
});

test("without tools all is text, and the request has no menu", async () => {
  const inner = scripted(['<tool_call>{"name": "weather"}</tool_call>']);
  const events: ModelEvent[] = [];
  for await (const event of textTools(inner).stream(request(), signal())) events.push(event);
  expect(events.map(({ type }) => type)).toEqual(["text", "end"]);
  expect(inner.requests[0]).not.toHaveProperty("system");
});

test.each([
  ["of marks", "<".repeat(1_000_000)],
  ["of half marks", "<tool_call>".repeat(90_000)],
  ["of white space", " \n".repeat(500_000)],
  ["of white space in a mark", `<tool_call>${" ".repeat(1_000_000)}`],
  ["of openings", '{"arguments": '.repeat(70_000)],
  ["of lists", "[\n".repeat(500_000)],
  ["of fences", "```json\n".repeat(125_000)],
  ["of broken objects", '{"name": "weather" x\n'.repeat(50_000)],
  ["of escapes", `<tool_call>{"name": "weather", "arguments": {"a": "${"\\\\".repeat(500_000)}`],
  ["of line breaks in a string", `<tool_call>{"name": "weather", "arguments": {"a": "${"\n<".repeat(500_000)}`],
  ["of brackets", `<tool_call>{"name": "weather", "arguments": ${"[".repeat(1_000_000)}`],
  ["of thoughts", `<think>${"</thin".repeat(160_000)}`],
  ["behind an action", `<tool_call>{"name": "weather"}${" ".repeat(1_000_000)}`],
])("a megabyte %s takes time that grows with its length alone", async (_, text) => {
  // Anything that looked back over the reply at every delta would take minutes.
  const deltas = text.match(/[\s\S]{1,24}/g)!;
  const model: Model = {
    id: "m",
    async *stream() {
      for (const delta of deltas) yield { type: "text", delta };
    },
  };
  const { events } = await streamed(textTools(model));
  expect(events.at(-1)?.type).toBe("end");
});
