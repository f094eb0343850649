import type { Json } from "../../message/json.ts";
import { itemsOf, resultLines, resultText, wholeText } from "./found.ts";
import type { Done } from "./history.ts";
import { linesIn } from "./lines-said.ts";
import { asObject } from "./parameters.ts";
import type { Step } from "./step.ts";

/** How many things a step found. */
export type Count = {
  /** As a number to hand on; left out where the result is not all of it, or it is not sure what its lines are. */
  readonly number?: number;
  readonly said: string;
  /** The note under a result that says what is missing. */
  readonly note?: string;
};

const noun =
  "(?:results?|matches|hits|occurrences|matching lines|entries|items|ones|(?<files>files)|(?<folders>folders|directories)|(?<lines>lines))";
const asks = [
  new RegExp(
    `^(?:count|tally)(?: up)?(?: all(?: of)?)? (?:them|these|those|the(?: found)? ${noun})(?: up| all)?$`,
    "iu",
  ),
  new RegExp(
    `^(?:(?:tell|show|give)(?: me| us)? |(?:say|report) )?(?:how many|the number of)(?: of)?(?: (?:them|these|those|${noun}))?(?: (?:there|they|are|were|you|it|that|is|found|have|did|find|in total|altogether|all))*$`,
    "iu",
  ),
];

/** What is to be counted. */
export type Counted = "files" | "folders" | "lines" | "all";

/** Whether a clause asks how many the step before found, and of what; "how many files" alone asks anew. */
export function countAsked(text: string): Counted | undefined {
  const found = asks[0]?.exec(text) ?? asks[1]?.exec(text);
  if (!found) return undefined;
  const named = (["files", "folders", "lines"] as const).find((one) => found.groups?.[one]);
  return named ?? "all";
}

const place = /^\S[^:]*[./][^:]*:\d+:/u;
const entry = /^(?:\S*[./]\S*|\S.* -> .*|\S.* \(.*(?:\d (?:bytes?|[KMGT]B)|size unknown|cannot be read).*\))$/u;

/** How many things a step found that looked for several; undefined if its result is no list. */
export function countOf({ reading, done }: Step, of: Counted = "all"): Count | undefined {
  const { families } = reading;
  if (done.result.isError || reading.extreme) return undefined;
  const rows = families.has("read") ? undefined : rowsOf(done);
  if (rows !== undefined) return { number: rows, said: plural(rows, "entry", "entries") };
  if (of === "lines" && families.has("read")) return linesOf(done, reading.text);
  if (!families.has("list") && !families.has("find") && !families.has("search")) return undefined;
  const lines = resultLines(done.result);
  if (lines.length === 0 || lines.includes("--")) return undefined;
  const note = noteUnder(done);
  const count = (number: number, said: string): Count => (note === undefined ? { number, said } : { said, note });
  const items = itemsOf(done);
  const inFiles = lines.every((line) => place.test(line));
  const sum = sumOf(done);
  if (of === "folders" && (inFiles || sum !== undefined)) return undefined;
  if (inFiles) {
    const files = plural(items.length, "file", "files");
    const found = plural(lines.length, "matching line", "matching lines");
    return count(of === "files" ? items.length : lines.length, `${found} in ${files}`);
  }
  if (sum !== undefined && of !== "lines") return count(items.length, plural(items.length, "file", "files"));
  if (!lines.some((line) => entry.test(line)) || !lines.every((line) => entry.test(line) || /^\S+$/u.test(line))) {
    const said = plural(lines.length, "line", "lines");
    return note === undefined ? { said } : { said, note };
  }
  if (of === "lines") return undefined;
  const folders = lines.filter((line) => line.endsWith("/") && !line.includes(" -> ")).length;
  const files = lines.length - folders;
  const wanted = of === "all" && /\bfiles\b/iu.test(reading.text) ? "files" : of;
  const number = wanted === "files" ? files : wanted === "folders" ? folders : lines.length;
  const said = [
    ...(files > 0 || folders === 0 ? [plural(files, "file", "files")] : []),
    ...(folders > 0 ? [plural(folders, "folder", "folders")] : []),
  ];
  return count(number, said.join(" and "));
}

/** The lines of a file that was read as a whole. */
function linesOf(done: Done, asked: string): Count | undefined {
  const text = linesIn(asked)?.last === undefined ? wholeText(done) : undefined;
  if (text === undefined) return undefined;
  const number = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { number, said: plural(number, "line", "lines") };
}

/** The sum of what a step counted file by file. */
export function sumOf(done: Done): number | undefined {
  const items = itemsOf(done);
  if (items.length === 0 || items.some(({ count }) => count === undefined) || noteUnder(done) !== undefined)
    return undefined;
  return items.reduce((total, { count = 0 }) => total + count, 0);
}

/** The rows of a structured result that is a list, or holds one and no other. */
function rowsOf({ result }: Done): number | undefined {
  const [part, ...more] = result.content;
  if (part?.type !== "json" || more.length > 0) return undefined;
  const lists: readonly Json[] = Array.isArray(part.value)
    ? [part.value]
    : Object.values(asObject(part.value)).filter(Array.isArray);
  const [only, ...others] = lists;
  return Array.isArray(only) && others.length === 0 ? only.length : undefined;
}

function noteUnder({ result }: Done): string | undefined {
  const last = resultText(result).trimEnd().split("\n").at(-1) ?? "";
  return /^\[.*\]$/u.test(last) ? last : undefined;
}

function plural(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}
