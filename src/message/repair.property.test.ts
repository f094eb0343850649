import fc from "fast-check";
import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { checkHistory } from "./history.ts";
import { type AssistantContent, callsOf, type Message, type ToolResultMessage } from "./message.ts";
import { repairHistory } from "./repair.ts";
import { noUsage } from "./usage.ts";

/** Every call of a valid history has a number, which its arguments and its result tell. */
const round = fc.record({
  said: fc.constantFrom("", "I will look."),
  thought: fc.boolean(),
  calls: fc.integer({ min: 0, max: 3 }),
  steered: fc.boolean(),
});
const history = fc.array(round, { minLength: 1, maxLength: 6 }).map((rounds) => {
  const messages: Message[] = [{ role: "user", content: "begin" }];
  let number = 0;
  for (const { said, thought, calls, steered } of rounds) {
    const ids = Array.from({ length: calls }, () => number++);
    const content: AssistantContent[] = [{ type: "text", text: calls === 0 ? "so far" : said }];
    if (thought) content.unshift({ type: "reasoning", text: "hm" });
    for (const id of ids) content.push({ type: "tool_call", id: `c${id}`, name: "look", arguments: `${id}` });
    messages.push({ role: "assistant", content, model: "m", usage: noUsage, stopReason: "stop" });
    for (const id of ids) messages.push(result(`c${id}`, `${id}`));
    if (steered) messages.push({ role: "user", content: "go on" });
  }
  return messages;
});

function result(callId: string, text: string): ToolResultMessage {
  return { role: "tool", callId, toolName: "look", content: [{ type: "text", text }], isError: false };
}

/** Sets one field of a call or result, where the message has it. */
function withField(message: Message, field: "id" | "name" | "arguments", value: string): Message {
  if (message.role === "tool") {
    return field === "arguments" ? message : { ...message, [field === "id" ? "callId" : "toolName"]: value };
  }
  if (message.role === "user" || (message.content as unknown) === null) return message;
  const content = message.content.map((part) => (part.type === "tool_call" ? { ...part, [field]: value } : part));
  return { ...message, content };
}

type Damage = (messages: Message[], at: number, to: number) => void;

/** Damage after which ids still tell which result is whose. */
const gentle: readonly Damage[] = [
  (messages, at) => messages.splice(at, 1),
  (messages, at, to) => messages.splice(to, 0, ...messages.splice(at, 1)),
  (messages, at, to) => messages[at]?.role === "tool" && messages.splice(to, 0, messages[at]),
  (messages, at) => messages.splice(at, 0, { role: "user", content: "between" }),
  (messages, at) => messages.splice(at, 0, { role: "user", content: "" }),
  (messages, at) => messages.splice(at, 0, result("nobody", "lost")),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "name", "")),
  (messages, at) => messages.splice(at, 1, { ...messages[at], content: null } as unknown as Message),
  (messages, at) => messages.splice(at, 0, { role: "assistant", content: [] } as unknown as Message),
];
const rough: readonly Damage[] = [
  ...gentle,
  (messages, at, to) => messages.splice(to, 0, messages[at] as Message),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "id", "")),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "id", "c0")),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "id", "c0_2")),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "id", "x\ud800")),
  (messages, at) => messages.splice(at, 1, withField(messages[at] as Message, "arguments", "\udfff")),
];

function damaged(kinds: readonly Damage[], from: number): fc.Arbitrary<Message[]> {
  const step = fc.tuple(fc.nat(kinds.length - 1), fc.nat(40), fc.nat(40));
  return fc.tuple(history, fc.array(step, { maxLength: 8 })).map(([messages, steps]) => {
    const changed = [...messages];
    for (const [kind, at, to] of steps) {
      const place = (n: number): number => from + (n % (changed.length - from));
      if (changed.length > from) kinds[kind]?.(changed, place(at), place(to));
    }
    return changed;
  });
}

function callsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" && (message.content as unknown) !== null
      ? callsOf(message).map((call) => `${call.name || "unnamed_tool"} ${call.arguments.replace("\udfff", "\ufffd")}`)
      : [],
  );
}

test("whatever was done to a history, it is repaired, keeps its calls, and stays repaired", () => {
  fc.assert(
    fc.property(damaged(rough, 1), (messages) => {
      const repaired = repairHistory(messages);
      expect(checkHistory(repaired.messages)).toEqual([]);
      expect(callsIn(repaired.messages)).toEqual(callsIn(messages));
      expect(repaired.messages === messages).toBe(repaired.repairs.length === 0);
      const again = repairHistory(repaired.messages);
      expect(again.messages).toBe(repaired.messages);
      expect(again.repairs).toEqual([]);
    }),
    { numRuns: 3000 },
  );
}, 60_000);

test("no call gets the result of another, and none is lost that stands behind its call", () => {
  fc.assert(
    fc.property(damaged(gentle, 1), (messages) => {
      const repaired = repairHistory(messages).messages;
      const argumentsOf = new Map<string, string>();
      for (const message of repaired) {
        if (message.role === "assistant") for (const call of callsOf(message)) argumentsOf.set(call.id, call.arguments);
        if (message.role !== "tool" || message.isError) continue;
        const [part] = message.content;
        if (part?.type === "text" && part.text !== "(no content)") {
          expect(part.text).toBe(argumentsOf.get(message.callId));
        }
      }
      for (const [at, message] of messages.entries()) {
        if (message.role !== "tool" || (message.content as unknown) === null) continue;
        const isBehind = messages
          .slice(0, at)
          .some(
            (earlier) => callsIn([earlier]).length > 0 && JSON.stringify(earlier).includes(`"id":"${message.callId}"`),
          );
        if (!isBehind) continue;
        expect(
          repaired.some((other) => other.role === "tool" && other.callId === message.callId && !other.isError),
        ).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
}, 60_000);

test("damage at the beginning too: repaired, or refused because the user does not begin", () => {
  fc.assert(
    fc.property(damaged(rough, 0), (messages) => {
      try {
        expect(checkHistory(repairHistory(messages).messages)).toEqual([]);
      } catch (error) {
        if (!RondoError.isInstance(error)) throw error;
        expect(error.message).toMatch(/message \d+ comes first and has role "assistant"/);
      }
    }),
    { numRuns: 1000 },
  );
}, 60_000);
