import type { AssistantContent, Message, ToolResultMessage, UserMessage } from "../message/message.ts";
import { userMessages } from "./pending.ts";
import type { LoopRecord, NotRun, State, Step } from "./state.ts";
import { forcedNotice, notRunText } from "./texts.ts";

/** The messages that a step adds to the history when it is begun. */
export function addedByStep(s: State, step: Step): readonly Message[] {
  switch (step.do) {
    case "finish":
      return answers(s, s.calls.length, s.outcome!);
    case "answer":
      return answers(s, step.to, step.why);
    case "enter":
      return userMessages(s.pending);
    case "notice":
      return [notice(forcedNotice(typeof s.config.toolChoice === "object" ? s.config.toolChoice.names : undefined))];
    case "ask":
      return step.notice === undefined ? [] : [notice(step.notice)];
    default:
      return [];
  }
}

/** The messages that a record adds. A reply without content is not history. */
export function added(record: LoopRecord): readonly Message[] {
  if (record.type === "result") return [record.message];
  return record.type === "reply" && hasContent(record.message.content) ? [record.message] : [];
}

/** Whether a reply says anything: blank text alone is nothing, and no provider takes it back. */
export const hasContent = (content: readonly AssistantContent[]) =>
  content.some((part) => part.type === "tool_call" || part.type === "reasoning" || part.text.trim() !== "");

const notice = (content: string): UserMessage => ({ role: "user", content });

function answers(s: State, to: number, why: NotRun): ToolResultMessage[] {
  return s.calls.slice(s.next, to).map(({ call, verdict }) => {
    const reason = why === "denied" ? s.approval?.reason : verdict.problem;
    const text = notRunText(why, reason);
    return { role: "tool", callId: call.id, toolName: call.name, content: [{ type: "text", text }], isError: true };
  });
}
