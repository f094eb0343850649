import { callsOf } from "../../src/message/message.ts";
import { mustBeValid } from "./history.ts";
import { letters } from "./letters.ts";
import { must, same } from "./must.ts";
import type { Rule } from "./story.ts";
import { saidBy } from "./world.ts";

const never = Number.POSITIVE_INFINITY;

/** 1. `agent_end` exactly once and last; the result settles; nothing is left unhandled. */
const settles: Rule = ({ trace }) => {
  must(trace.givenUp === undefined, `the run settles, but: ${trace.givenUp}`);
  same(trace.unhandled.map(String), [], "1: unhandled rejections");
  const { events, result } = trace;
  must(result !== undefined, "1: the result settles");
  must(trace.eventsEnded, "1: the events end");
  must(events[0]?.type === "agent_start", "1: agent_start is first");
  const ends = events.filter((event) => event.type === "agent_end");
  must(ends.length === 1 && events.at(-1) === ends[0], "1: agent_end is emitted once and last");
  const { type: _type, runId: _runId, path: _path, seq: _seq, ...end } = ends[0] as (typeof ends)[number];
  for (const field of ["outcome", "text", "messages", "undelivered", "rounds", "usage"] as const) {
    same(end[field], result[field], `1: ${field} of agent_end is that of the result`);
  }
  must(
    events.every(({ seq }, index) => index === 0 || seq > (events[index - 1]?.seq ?? 0)),
    "1: events are in order",
  );
};

/** 2. Every call has one result, in call order; and `tool_start` and `tool_end`, whatever becomes of it. */
const answers: Rule = ({ trace, turns }) => {
  const starts = new Map<string, number[]>();
  const ends = new Map<string, number[]>();
  for (const [index, event] of trace.events.entries()) {
    if (event.type !== "tool_start" && event.type !== "tool_end") continue;
    const map = event.type === "tool_start" ? starts : ends;
    map.set(event.call.id, [...(map.get(event.call.id) ?? []), index]);
  }
  for (const call of turns.flatMap(({ calls }) => calls)) {
    same(call.results.length, 1, `2: results of ${call.id}`);
    const [start = [], end = []] = [starts.get(call.id), ends.get(call.id)];
    same([start.length, end.length], [1, 1], `2: tool_start and tool_end of ${call.id}`);
    must((start[0] ?? 0) < (end[0] ?? 0), `2: ${call.id} starts before it ends`);
    const told = trace.events[end[0] ?? 0];
    if (told?.type === "tool_end") same(told.result, call.results[0], `2: the event of ${call.id} holds its result`);
  }
};

/** 3. What a provider is handed is valid for it, and so is what the run leaves. */
const validity: Rule = ({ turns, messages }) => {
  for (const { request, index } of turns) mustBeValid(request.messages, `3: request ${index + 1}`);
  mustBeValid(messages, "3: the run's messages", true);
};

/** 4. Content decides: a recorded reply has the calls that the model made, under whatever stop reason. */
const content: Rule = ({ trace, turns, signalAt, faultAt, messages }) => {
  for (const turn of turns) {
    const { reply, letter } = turn;
    if (reply === undefined || signalAt < never) continue;
    const said = letters[letter];
    const calls = "calls" in said && letter !== "broken" ? said.calls.length : 0;
    same(callsOf(reply).length, calls, `4: calls of reply ${turn.index + 1} (${letter})`);
    const kept = messages.includes(reply);
    same(kept, reply.content.length > 0, `4: reply ${turn.index + 1} is in history unless it is empty`);
  }
  const ends = trace.events.filter((event) => event.type === "message_end" && event.message.role === "assistant");
  must(ends.length >= turns.length - (faultAt < never ? 1 : 0), "4: every reply has its events");
};

/** 5. What a tool does wrong becomes a result; what came too late becomes nothing. */
const results: Rule = ({ turns, messages, log, signalAt, faultAt, trace }) => {
  for (const call of turns.flatMap(({ calls }) => calls)) {
    if (!call.ran) continue;
    const interrupted = /Interrupted.*unknown/.test(call.text);
    if (interrupted) {
      must(Math.min(signalAt, faultAt) < never, `5: ${call.id} is interrupted only by an abort, or a host that fails`);
      continue;
    }
    if (call.letter === "nests" && signalAt < call.endAt) {
      same(call.results[0]?.isError, true, `5: ${call.id} begins nothing any more`);
      continue;
    }
    const value = { ok: "good", slow: "late", throws: "bad", nests: "nested" }[call.letter ?? "ok"];
    must(
      call.text.includes(`${value} ${saidBy(trace.setup, call.name, call.id)}`),
      `5: the result of ${call.id} is what it came to`,
    );
    same(call.results[0]?.isError, call.letter === "throws", `5: ${call.id} is an error if it threw`);
  }
  const settledAt = log.findIndex(({ type }) => type === "settled");
  for (const [index, entry] of log.entries()) {
    if (index < settledAt || entry.type !== "tool_end") continue;
    must(!JSON.stringify(messages).includes(`late look ${entry.callId}`), `5: ${entry.callId} came too late`);
  }
  must(trace.result?.outcome !== "diverged", "5: nothing has diverged");
};

/**
 * 6. An accepted message is in history or undelivered, once; one sent behind the close is neither and knows it at once.
 * What a callback gave is accepted, unless nobody waits for it any more because the run was ended.
 */
const delivery: Rule = ({ sent, given, closedAt, signalAt, log, faultAt }) => {
  for (const { text, endAt, inHistory, inUndelivered } of given) {
    const places = inHistory + inUndelivered;
    if (endAt < Math.min(signalAt, faultAt - 2, closedAt, log.length)) same(places, 1, `6: places of ${text}`);
    else must(places <= 1, `6: ${text} is in one place`);
  }
  if (faultAt < never) return;
  for (const message of sent) {
    same(message.accepted, message.at < closedAt, `6: ${message.text} is accepted while the inbox is open`);
    const places = message.inHistory + message.inUndelivered;
    same(places, message.accepted ? 1 : 0, `6: places of ${message.text}`);
    same(
      message.receipt.status,
      message.inHistory === 1 ? "delivered" : "undelivered",
      `6: the receipt of ${message.text}`,
    );
  }
};

export const invariants: { readonly [name: string]: Rule } = {
  settles,
  answers,
  validity,
  content,
  results,
  delivery,
};
