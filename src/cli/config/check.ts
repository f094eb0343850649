import { nearestNames } from "../../ranker/nearest.ts";
import { usageError } from "../usage-error.ts";
import { below, type Parsed } from "./parse-json.ts";

/** Tells what is wrong with the value at a JSON path; a function where it takes time to say. */
export type Report = (at: string, problem: string | (() => string)) => void;

/** Looks at a value and reports what is wrong with it. */
export type Check = (value: unknown, at: string, report: Report) => void;

export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : isRecord(value) ? "an object" : `a ${typeof value}`;

/** Text that is not empty; `what` says what it stands for. */
export const text =
  (what: string): Check =>
  (value, at, report) => {
    if (typeof value === "string" && value.trim() !== "" && !value.includes("\0")) return;
    report(at, `must be ${what}${typeof value === "string" ? ", which is not empty" : `, not ${kindOf(value)}`}`);
  };

export const oneOf =
  (...words: readonly string[]): Check =>
  (value, at, report) => {
    if (words.includes(value as string)) return;
    const [near] = typeof value === "string" ? nearestNames(value, words, 1) : [];
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    report(at, `must be one of ${words.map((word) => `"${word}"`).join(", ")}${hint}`);
  };

export const listOf =
  (item: Check): Check =>
  (value, at, report) => {
    if (!Array.isArray(value)) return report(at, `must be an array, not ${kindOf(value)}`);
    for (const [index, one] of value.entries()) item(one, below(at, index), report);
  };

/** An object whose keys are names of the user's own. */
export const recordOf =
  (field: Check): Check =>
  (value, at, report) => {
    if (!isRecord(value)) return report(at, `must be an object, not ${kindOf(value)}`);
    for (const [key, one] of Object.entries(value)) field(one, below(at, key), report);
  };

/** An object with these keys and no other; `elsewhere` says of further ones where they belong. */
export const object =
  (fields: { readonly [key: string]: Check }, elsewhere: { readonly [key: string]: string } = {}): Check =>
  (value, at, report) => {
    if (!isRecord(value)) return report(at, `must be an object, not ${kindOf(value)}`);
    for (const [key, one] of Object.entries(value)) {
      const here = below(at, key);
      if (Object.hasOwn(fields, key)) fields[key]?.(one, here, report);
      else if (Object.hasOwn(elsewhere, key)) report(here, elsewhere[key] ?? "");
      else report(here, () => unknownKey(key, Object.keys(fields)));
    }
  };

function unknownKey(key: string, known: readonly string[]): string {
  const [near] = nearestNames(key, known, 1);
  return near === undefined
    ? `is not known here; there are ${known.join(", ")}`
    : `is not known; did you mean "${near}"?`;
}

/** Problems that are told of at once. */
const most = 5;

/** Throws a usage error that names each problem with its place and JSON path. */
export function checkParsed(parsed: Parsed, check: Check): void {
  const problems: string[] = [];
  let count = 0;
  check(parsed.value, "", (at, problem) => {
    // To find a place costs as much as the file is long, and there may be one on every line.
    if (count++ >= most) return;
    const what = typeof problem === "string" ? problem : problem();
    problems.push(`${parsed.where(at)}: ${at === "" ? "the configuration" : at} ${what}`);
  });
  if (count === 0) return;
  const more = count > most ? `; and ${count - most} more` : "";
  throw usageError(`${parsed.path}:${problems.join("; ")}${more}`);
}
