import { RondoError } from "../error.ts";
import { withoutSecrets } from "../message/redact.ts";
import { coerce } from "./coerce.ts";
import type { Issue, Validated } from "./issue.ts";
import { jsonBreak } from "./json-position.ts";
import type { CompiledInput } from "./schema.ts";
import { isRecord } from "./schema-types.ts";

/** The arguments of a call: what `execute` gets, or what the model is told instead. */
export type ReadArguments = { readonly value: unknown; readonly repairs: number } | { readonly problem: string };

/** Longest message of one issue, and longest problem, in characters. */
const maxMessage = 300;
const maxProblem = 4_000;

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** One line of an issue, on one line whatever a schema's author wrote. */
function line({ path, message }: Issue): string {
  return `- ${clip(path, 200) || "(all arguments)"}: ${clip(message.replace(/\s+/g, " ").trim(), maxMessage)}`;
}

/** How a problem is told: of a call, which was not run for it, or of a pick, which was to be the decision. */
export type Wording = { readonly so: string; readonly again: string };

const ofCall: Wording = { so: ", so it was not run", again: "Call it again" };
export const ofPick: Wording = { so: "", again: "Pick it again" };

function invalid(toolName: string, issues: readonly Issue[], { so, again }: Wording): ReadArguments {
  const head = `The arguments of "${toolName}" are not valid${so}:`;
  const tail = `${again} with arguments that fit its schema.`;
  const room = maxProblem - head.length - tail.length - 40;
  const lines: string[] = [];
  let length = 0;
  for (const issue of issues) {
    const text = line(issue);
    if (length + text.length > room) break;
    lines.push(text);
    length += text.length + 1;
  }
  if (lines.length < issues.length) lines.push(`- and ${issues.length - lines.length} more`);
  // What a check of the author's says or throws may quote a key.
  return { problem: withoutSecrets([head, ...lines, tail].join("\n")) };
}

function notJson(toolName: string, raw: string, { so, again }: Wording): ReadArguments {
  const { at, ended } = jsonBreak(raw) ?? { at: 0, ended: false };
  const what = ended
    ? `they end too early, at position ${at}, and may have been cut off. ${again} with complete arguments; if they are long, split the work over several calls.`
    : `they break at position ${at}, near ${JSON.stringify(raw.slice(Math.max(0, at - 20), at + 20))}. ${again} with one JSON object and nothing around it.`;
  return { problem: `The arguments of "${toolName}" are not valid JSON${so}: ${what}` };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function then<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function repair(
  input: CompiledInput,
  given: unknown,
  toolName: string,
  issues: readonly Issue[],
  words: Wording,
): ReadArguments | Promise<ReadArguments> {
  const { value, repairs } = coerce(input.jsonSchema, given);
  if (!isRecord(value)) {
    return invalid(toolName, [{ path: "", message: `must be a JSON object, not ${kindOf(value)}` }], words);
  }
  if (repairs === 0) return invalid(toolName, issues, words);
  return then(input.validate(value), (result) =>
    result.issues === undefined ? { value: result.value, repairs } : invalid(toolName, result.issues, words),
  );
}

/**
 * Reads the arguments of a call as the model wrote them. They are validated as they are; only if that fails, repairs
 * without loss are tried (see `coerce`) and counted. Else `problem` tells the model what is wrong, one line per issue,
 * and how to mend it. Each call gets objects of its own, so what a tool does to its arguments changes nothing else.
 * Synchronous unless the schema is not; never throws for what the arguments are.
 */
export function readArguments(
  input: CompiledInput,
  raw: string,
  toolName: string,
  words = ofCall,
): ReadArguments | Promise<ReadArguments> {
  let given: unknown;
  try {
    given = JSON.parse(raw);
  } catch {
    if (raw.trim() !== "") return notJson(toolName, raw, words);
    given = "";
  }
  if (!isRecord(given)) return repair(input, given, toolName, [], words);
  return then<Validated, ReadArguments>(input.validate(given), (result) =>
    result.issues === undefined
      ? { value: result.value, repairs: 0 }
      : repair(input, given, toolName, result.issues, words),
  );
}

/**
 * Checks arguments that code gives, as they are: what they come to behind the schema's defaults and transforms.
 *
 * @throws RondoError `invalid_arguments`, naming path and problem
 */
export function checkArguments(input: CompiledInput, given: unknown, name: string): unknown {
  return then(input.validate(given), (result) => {
    if (result.issues === undefined) return result.value;
    const lines = result.issues.slice(0, 20).map(line);
    throw new RondoError("invalid_arguments", [`The arguments of "${name}" are not valid:`, ...lines].join("\n"));
  });
}
