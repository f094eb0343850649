import type { AssistantContent, AssistantMessage } from "../message/message.ts";
import { unnamedTool } from "../message/repair.ts";
import type { LoopRun } from "./run.ts";

/**
 * The reply as the history can take it, and the very same one if nothing is wrong: ids that are missing or taken and
 * missing names are filled in, calls through `call_tool` stand for what they call, broken text is made well-formed, calls that never ended are left out of a reply that
 * failed, and the cost is put to its usage.
 */
export function mended(run: LoopRun, message: AssistantMessage): AssistantMessage {
  const { content, usage, stopReason } = message;
  const failed = stopReason === "aborted" || stopReason === "error" || stopReason === "refusal";
  let changed: AssistantContent[] | undefined;
  for (let i = 0; i < content.length; i++) {
    const part = content[i]!;
    const dropped = failed && part.type === "tool_call" && part.partial === true;
    const good = dropped ? undefined : mendedPart(run, part, i, changed ?? content);
    if (good !== part) changed ??= content.slice(0, i);
    if (changed && good) changed.push(good);
  }
  const { costOf } = run.input;
  const cost = costOf && usage.cost === undefined ? costOf(usage, message.model) : undefined;
  if (!changed && cost === undefined) return message;
  return { ...message, content: changed ?? content, usage: cost === undefined ? usage : { ...usage, cost } };
}

function mendedPart(
  run: LoopRun,
  part: AssistantContent,
  index: number,
  content: readonly AssistantContent[],
): AssistantContent {
  if (part.type !== "tool_call") return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };
  const taken = (id: string) => id === "" || run.callIds.has(id) || standsBefore(content, index, id);
  const call = run.input.menu.unwrap?.(part) ?? part;
  let { id } = call;
  for (let n = 0; taken(id); n++) id = `call_${run.state.requests}_${index}${n > 0 ? `_${n}` : ""}`;
  if (id === call.id && call.name !== "" && call.arguments.isWellFormed()) return call;
  return { ...call, id, name: call.name === "" ? unnamedTool : call.name, arguments: call.arguments.toWellFormed() };
}

function standsBefore(content: readonly AssistantContent[], index: number, id: string): boolean {
  for (let i = 0; i < index; i++) {
    const part = content[i];
    if (part?.type === "tool_call" && part.id === id) return true;
  }
  return false;
}
