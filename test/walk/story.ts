import type { Outcome } from "../../src/loop/outcome.ts";
import {
  type AssistantMessage,
  callsOf,
  type Message,
  type ToolResultMessage,
  textOf,
  type UserMessage,
} from "../../src/message/message.ts";
import type { ModelRequest } from "../../src/model/model.ts";
import type { Letter, ToolLetter } from "./letters.ts";
import type { Entry, Trace } from "./log.ts";
import { type Look, looksOf } from "./looks.ts";

/** A call of a recorded reply, and what became of it. */
export type Call = {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly index: number;
  readonly partial: boolean;
  readonly readOnly: boolean;
  /** When its tool began and ended. */
  readonly startAt: number;
  readonly endAt: number;
  readonly ran: boolean;
  readonly letter: ToolLetter | undefined;
  /** The argument that its tool was given. */
  readonly n: unknown;
  readonly approval: { readonly at: number; readonly endAt: number; readonly letter: string } | undefined;
  readonly results: readonly ToolResultMessage[];
  /** Text of its result. */
  readonly text: string;
};

/** One request, its reply, and what happened until the next request. */
export type Turn = {
  readonly index: number;
  /** A number, `closing` or `reask`, as the events say. */
  readonly label: number | string | undefined;
  readonly request: ModelRequest;
  readonly letter: Letter;
  /** The reply as the events show it. */
  readonly reply: AssistantMessage | undefined;
  readonly calls: readonly Call[];
  readonly looks: readonly Look[];
  readonly from: number;
  readonly to: number;
};

/** A message that was sent. */
export type Sent = {
  readonly text: string;
  readonly kind: string;
  readonly at: number;
  readonly accepted: boolean;
  readonly receipt: { readonly status: string; readonly round?: number };
  readonly inHistory: number;
  readonly inUndelivered: number;
};

/** A message that a callback was asked for and meant to give. */
export type Given = {
  readonly text: string;
  readonly at: number;
  /** When the callback gave it; what it gives behind the end of the run nobody waits for. */
  readonly endAt: number;
  readonly inHistory: number;
  readonly inUndelivered: number;
};

/** A trace, told in turns. */
export type Story = {
  readonly trace: Trace;
  readonly log: readonly Entry[];
  readonly turns: readonly Turn[];
  /** Looks before the first request. */
  readonly opening: readonly Look[];
  readonly sent: readonly Sent[];
  readonly given: readonly Given[];
  readonly messages: readonly Message[];
  readonly outcome: Outcome | undefined;
  /** When the loop began to close the inbox, and when it was closed. */
  readonly closingAt: number;
  readonly closedAt: number;
  readonly abortAt: number;
  /** How the run ends behind that. */
  readonly abortedAs: "aborted" | "timeout";
  /** When the signal fired: with the abort, or with the deadline. */
  readonly signalAt: number;
  readonly deadlineAt: number;
  /** When the host failed. */
  readonly faultAt: number;
  /** The first record behind the deadline, but for the one that closes the inbox: that knows its outcome already. */
  readonly lateAt: number;
  /** The record that closes the inbox, if that is behind the deadline. */
  readonly lateCloseAt: number;
  /** When the step of a picked function began and ended. */
  readonly decisionAt: number;
  readonly decidedAt: number;
  /** When the runs inside of tools had ended, and what they used. */
  readonly inside: readonly { readonly endAt: number; readonly tokens: number }[];
  /** When calls began, in order; a picked function is no call of a batch. */
  readonly begunAt: readonly number[];
};

/** What must hold of every trace; throws a `Violation` where it does not. */
export type Rule = (s: Story) => void;

const never = Number.POSITIVE_INFINITY;

export function tell(trace: Trace): Story {
  const { log, result } = trace;
  const messages = result?.messages ?? [];
  const starts: number[] = [];
  const begunAt: number[] = [];
  const doneAt: number[] = [];
  /** Where each thing happened first: by type, by call, and the calls and ends of the host. */
  const firsts = new Map<string, number>();
  for (const [index, entry] of log.entries()) {
    if (entry.type === "request") starts.push(index);
    if (entry.type === "tool_start" && !isDecision(entry)) begunAt.push(index);
    if (entry.type === "done") doneAt[entry.no] = index;
    const name = nameOf(entry);
    if (name !== undefined && !firsts.has(name)) firsts.set(name, index);
  }
  const at = (name: string) => firsts.get(name) ?? never;
  const looks = looksOf(log, doneAt);
  const between = (from: number, to: number) => looks.filter(({ enterAt }) => enterAt >= from && enterAt < to);
  const replies = trace.events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "assistant" ? [event.message] : [],
  );
  const labels = trace.events.flatMap((event) => (event.type === "round_start" ? [event.round] : []));
  const results = new Map<string, ToolResultMessage[]>();
  for (const message of messages) {
    if (message.role === "tool") results.set(message.callId, [...(results.get(message.callId) ?? []), message]);
  }

  const turns = starts.map((from, index): Turn => {
    const { request, letter } = log[from] as Extract<Entry, { type: "request" }>;
    const to = starts[index + 1] ?? log.length;
    const reply = replies[index];
    const calls = reply ? callsOf(reply) : [];
    return {
      index,
      label: labels[index],
      request,
      letter,
      reply,
      calls: calls.map((call, position): Call => {
        const startAt = at(`tool_start ${call.id}`);
        const start = log[startAt];
        const asked = log[at(`approve ${call.id}`)];
        const own = results.get(call.id) ?? [];
        return {
          id: call.id,
          name: call.name,
          key: `${call.name} ${call.arguments}`,
          index: position,
          partial: call.partial === true,
          readOnly: call.name === "look",
          startAt,
          endAt: at(`tool_end ${call.id}`),
          ran: start !== undefined,
          letter: start?.type === "tool_start" ? start.letter : undefined,
          n: start?.type === "tool_start" ? start.n : undefined,
          approval:
            asked?.type === "approve"
              ? { at: at(`approve ${call.id}`), endAt: at(`approve_end ${call.id}`), letter: asked.letter }
              : undefined,
          results: own,
          text: own[0] ? textOf(own[0]) : "",
        };
      }),
      looks: between(from, to),
      from,
      to,
    };
  });

  const places = (text: string) => {
    const count = (all: readonly Message[] | readonly UserMessage[]) =>
      all.filter((message) => message.role === "user" && textOf(message) === text).length;
    return { inHistory: count(messages), inUndelivered: count(result?.undelivered ?? []) };
  };
  const sent = log.flatMap((entry, index): Sent[] => {
    if (entry.type !== "send") return [];
    return [
      {
        text: entry.text,
        kind: entry.when,
        at: index,
        accepted: entry.status === "queued",
        receipt: trace.receipts.find(({ text }) => text === entry.text) ?? { status: "lost" },
        ...places(entry.text),
      },
    ];
  });
  const given = log.flatMap((entry, index): Given[] => {
    if (entry.type !== "callback" || (entry.letter !== "message" && entry.letter !== "late")) return [];
    return [{ text: entry.text, at: index, endAt: at(`callback_end ${entry.text}`), ...places(entry.text) }];
  });

  const closedAt = at("closed");
  const closed = log[closedAt];
  const abort = log[at("abort")];
  const deadline = log[at("deadline")];
  const decision = log[at("decision")];
  return {
    trace,
    log,
    turns,
    opening: between(0, starts[0] ?? never),
    sent,
    given,
    messages,
    outcome: result?.outcome,
    closingAt: Math.min(closedAt, at("enter close")),
    closedAt,
    abortAt: at("abort"),
    abortedAs: abort?.type === "abort" ? abort.as : "aborted",
    signalAt: deadline?.type === "deadline" && deadline.signal ? at("deadline") : at("abort"),
    deadlineAt: at("deadline"),
    faultAt: at("fault"),
    lateAt: at("late"),
    lateCloseAt: closed?.type === "done" && closed.late ? closedAt : never,
    decisionAt: at("decision"),
    decidedAt: (decision?.type === "enter" ? doneAt[decision.no] : undefined) ?? never,
    begunAt,
    inside: nestedIn(trace, at),
  };
}

function nestedIn({ log, inside }: Trace, at: (name: string) => number): Story["inside"] {
  if (inside.length === 0) return [];
  const outer = log.flatMap((entry) => (entry.type === "tool_start" && entry.letter === "nests" ? [entry.callId] : []));
  return inside.map(({ result }, index) => ({
    endAt: at(`tool_end ${outer[index]}`),
    tokens: result?.usage.totalTokens ?? 0,
  }));
}

/** Whether this is about the function that was picked as the decision. */
export const isDecision = (entry: Entry): boolean =>
  "callId" in entry ? entry.callId.startsWith("decision") : "key" in entry && entry.key.endsWith("/decision");

/** What an entry is looked up by. */
function nameOf(entry: Entry): string | undefined {
  if (entry.type === "done") return entry.closed ? "closed" : entry.late ? "late" : undefined;
  if (entry.type === "enter") return entry.op === "close" ? "enter close" : isDecision(entry) ? "decision" : undefined;
  if (entry.type === "callback_end") return `${entry.type} ${entry.text}`;
  return "callId" in entry ? `${entry.type} ${entry.callId}` : entry.type;
}
