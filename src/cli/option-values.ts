import type { ToolChoice } from "../agent/options.ts";
import { parseRule } from "../menu/approval/rule.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { nearestNames } from "../ranker/nearest.ts";
import { unmarked } from "./typed-arguments.ts";
import { usageError } from "./usage-error.ts";

const milliseconds: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest time that a timer can wait. */
const longestMs = 2_147_483_647;

/** A time such as `90`, `90s`, `1.5m`, `500ms` or `2h`, in milliseconds; a bare number is seconds. */
export function durationOf(option: string, value: string): number {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)?$/.exec(value.trim()) ?? [];
  const ms = amount === undefined ? Number.NaN : Number(amount) * (milliseconds[unit] ?? Number.NaN);
  if (!(ms > 0)) throw usageError(`${option}: "${value}" is not a time; write for instance 90, 90s, 2m or 500ms`);
  if (ms > longestMs) throw usageError(`${option}: "${value}" is too long; at most 24 days (576h)`);
  return ms;
}

/** A number, also a negative or broken one (the loop says what those mean), or `Infinity`. */
export function numberOf(option: string, value: string): number {
  const text = value.trim();
  if (/^infinity$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(text)) return Number(text);
  throw usageError(`${option}: "${value}" is not a number; write for instance 10, or Infinity for no limit`);
}

/** Names separated by commas; blanks around them and empty ones are dropped. */
export function namesOf(value: string): readonly string[] {
  return value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** One of a few words. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word === value);
  if (found !== undefined) return found;
  const [near] = nearestNames(value, allowed, 1);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw usageError(`${option}: "${value}" is not one of ${allowed.join(", ")}${hint}`);
}

/** `auto`, `required`, `none`, or names of tools of which one must be picked. */
export function toolChoiceOf(option: string, value: string): ToolChoice {
  const names = namesOf(value);
  const [first] = names;
  if (first === undefined) throw usageError(`${option}: write auto, required, none, or the name of a tool`);
  if (names.length > 1) return names;
  if (first === "auto" || first === "required" || first === "none") return first;
  return { type: "function", name: first };
}

/** Every value that an option was given, in order. */
function valuesOf(parsed: unknown): readonly string[] {
  if (parsed === undefined) return [];
  return (Array.isArray(parsed) ? parsed : [parsed]).map((value) => unmarked(String(value)));
}

/** The names of models, each once. */
export function modelsOf(parsed: unknown): readonly string[] {
  const names = valuesOf(parsed);
  for (const [at, name] of names.entries()) {
    if (name.trim() === "") throw usageError("--model: the name is empty");
    if (names.indexOf(name) < at) throw usageError(`--model: "${name}" was given twice; once is enough`);
  }
  return names;
}

/** The one value of an option; a usage error for several. */
export function single(parsed: unknown, option: string): string | undefined {
  const values = valuesOf(parsed);
  if (values.length > 1) throw usageError(`${option} was given ${values.length} times; once is enough`);
  return values[0];
}

/** Lists add up when an option is repeated. */
export function list(parsed: unknown): readonly string[] | undefined {
  return parsed === undefined ? undefined : valuesOf(parsed).flatMap(namesOf);
}

/** What `--deny` says: rules about calls, and those among them that are the name of a tool, which is then not offered at all. */
export type Denied = { readonly rules: readonly string[]; readonly names: readonly string[] };

/** As {@link list}, but a comma within the brackets of a rule belongs to it. Undefined if it was not given. */
export function deniedOf(parsed: unknown): Denied | undefined {
  if (parsed === undefined) return undefined;
  const rules = valuesOf(parsed)
    .flatMap(outsideBrackets)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  for (const one of rules) {
    try {
      parseRule(one);
    } catch (error) {
      throw usageError(`--deny: ${thrownMessage(error)}`);
    }
  }
  return { rules, names: rules.filter((one) => !one.includes("(")) };
}

/** Parts between commas. A usage error where a bracket does not close in front of one: a rule behind it would be lost in the one before. */
function outsideBrackets(text: string): readonly string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const [char] of text.matchAll(/\\?[\s\S]/gu)) {
    if (char === "(") depth++;
    if (char === ")" && depth > 0) depth--;
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  const last = parts.at(-1)!;
  if (depth === 0 || !last.includes(",")) return parts;
  const told = JSON.stringify(last.trim());
  throw usageError(
    `--deny: where ${told} ends cannot be told, for a bracket in it does not close; write it as \\( in a pattern`,
  );
}
