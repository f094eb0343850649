import { callsOf, type Message } from "../../src/message/message.ts";
import { must, same } from "./must.ts";

/** Fails unless any provider would take these messages; `ended`: they are what a run left, so they may end with a reply. */
export function mustBeValid(messages: readonly Message[], where: string, ended = false): void {
  const ids = new Set<string>();
  let open: string[] = [];
  let last: Message | undefined;
  for (const message of messages) {
    must(last !== undefined || message.role === "user", `${where} begins with a user message`);
    if (message.role === "tool") {
      same(message.callId, open.shift(), `${where}: results stand behind their calls, in call order`);
    } else {
      same(open, [], `${where}: no call is left open`);
    }
    must(message.content.length > 0, `${where}: no message is empty`);
    if (message.role === "assistant") {
      for (const call of callsOf(message)) {
        must(!ids.has(call.id), `${where}: the call id ${call.id} is used once`);
        ids.add(call.id);
      }
      open = callsOf(message).map(({ id }) => id);
      must(
        last?.role !== "assistant" || last.stopReason === "pause",
        `${where}: no two replies in a row but behind a pause`,
      );
    }
    last = message;
  }
  same(open, [], `${where}: no call is left open at the end`);
  const paused = last?.role === "assistant" && last.stopReason === "pause";
  must(ended || last?.role !== "assistant" || paused, `${where} ends with a user message or results`);
}
