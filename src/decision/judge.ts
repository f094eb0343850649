import { readArguments } from "../menu/arguments.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import type { Decision, Entry } from "./compile.ts";
import { parsePick } from "./parse.ts";

/** What a reply decided, or why it decided nothing, in words for the model. */
export type Judgement =
  | { readonly valid: true; readonly entry: Entry; readonly value: unknown; readonly args: string }
  | { readonly valid: false; readonly reason: string };

/**
 * Reads the decision of a reply. `value` is the result for a value or schema option, and nothing for a function, whose
 * arguments are still to be read. Never throws for what the reply is.
 */
export function judgeChoice(decision: Decision, message: AssistantMessage): Judgement | Promise<Judgement> {
  const parsed = parsePick(textOf(message), decision);
  if ("problem" in parsed) return invalid(decision, parsed.problem);
  const { entry, args } = parsed;
  if (entry.kind === "value") return { valid: true, entry, value: entry.value, args };
  if (entry.kind === "function") return { valid: true, entry, value: undefined, args };
  const read = readArguments(entry.input, args, entry.name);
  const judge = (result: Awaited<typeof read>): Judgement =>
    "problem" in result
      ? invalid(decision, result.problem)
      : { valid: true, entry, value: { decision: entry.name, ...(result.value as object) }, args };
  return read instanceof Promise ? read.then(judge) : judge(read);
}

/** The reason that a pick cannot be taken, with all that is needed to do better. */
export function invalid({ menu }: Decision, problem: string): { readonly valid: false; readonly reason: string } {
  return { valid: false, reason: `${problem}\n\n${menu}\n` };
}
