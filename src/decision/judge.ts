import { ofPick, readArguments } from "../menu/arguments.ts";
import { isRecord } from "../menu/schema-types.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import type { Decision, Entry } from "./compile.ts";
import { parsePicks } from "./parse.ts";

/** What a reply decided, or why it decided nothing, in words for the model. */
export type Judgement =
  | { readonly valid: true; readonly entry: Entry; readonly value: unknown; readonly args: string }
  | { readonly valid: false; readonly reason: string };

/** Valid picks of a reply that are tried, from the last on, before the last is said to be invalid. */
const mostTried = 10;

/**
 * Reads the decision of a reply: its last valid pick. `value` is the result for a value or schema option, and the
 * arguments for a function. Never throws for what the reply is.
 */
export async function judgeChoice(decision: Decision, message: AssistantMessage): Promise<Judgement> {
  const parsed = parsePicks(textOf(message), decision);
  if ("problem" in parsed) return invalid(decision, parsed.problem);
  let problem: string | undefined;
  for (const { entry, args, barred } of parsed.picks.slice(0, mostTried)) {
    if (barred !== undefined) {
      problem ??= `"${entry.name}" may not be picked here: ${barred}.`;
      continue;
    }
    if (entry.kind === "value") return { valid: true, entry, value: entry.value, args };
    const input = entry.kind === "function" ? entry.tool.input : entry.input;
    const read = await readArguments(input, args, entry.name, ofPick);
    if ("value" in read) {
      return { valid: true, entry, value: entry.kind === "schema" ? decided(entry, read.value) : read.value, args };
    }
    problem ??= read.problem;
  }
  return invalid(decision, problem!);
}

/** What a schema option yields: its fields beside its name; what a transform made no object of stands under `value`. */
function decided({ name, declared }: Extract<Entry, { kind: "schema" }>, value: unknown): object {
  if (!isRecord(value)) return { decision: name, value };
  const fields = declared ? Object.entries(value).filter(([key]) => declared.has(key)) : Object.entries(value);
  // Last and so in force, but first in order.
  return Object.fromEntries([["decision", name], ...fields, ["decision", name]]);
}

/** The reason that a pick cannot be taken, with all that is needed to do better. */
export function invalid({ menu }: Decision, problem: string): { readonly valid: false; readonly reason: string } {
  return { valid: false, reason: `${problem}\n\n${menu}\n` };
}
