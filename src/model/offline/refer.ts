import type { Json } from "../../message/json.ts";
import type { Feed } from "./fill.ts";
import { fieldsOf, type Item, itemsOf } from "./found.ts";
import { handedOn, type Previous, takesText } from "./handed.ts";
import { withoutLines } from "./lines-said.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { describedFiles } from "./standing.ts";
import type { Step } from "./step.ts";

const ordinals: readonly (readonly [RegExp, number])[] = [
  [/\bsecond\b/iu, 1],
  [/\bthird\b/iu, 2],
  [/\blast\b/iu, -1],
];

/**
 * What the steps before a clause offer to its parameters. Failed steps offer nothing. As a whole only the clause right
 * before is handed on: where nothing came of that one, "it" is not what came before.
 */
export function feedOf(reading: Reading, steps: readonly Step[], previous?: Previous): Feed {
  const usable = steps.filter(({ done }) => !done.result.isError);
  const whole = reading.hands !== undefined;
  return (parameter, sure) => {
    const { kind } = parameter;
    if (takesText(parameter)) {
      const text = handedOn(reading, previous);
      if (text !== undefined) return text;
    }
    const last = usable.at(-1);
    if (!last || (sure && last.several)) return undefined;
    // "Save it in docs": the file that was read is no place to save it.
    if (kind === "path" || kind === "folder")
      return whole && reading.writes ? undefined : pathFor(parameter, reading, usable, sure);
    const found = fieldsOf(last.done.result, parameter.name);
    return sure && found.length > 1 && !theFirst.test(reading.text) ? undefined : typed(parameter, found[0]);
  };
}

const theFirst = /\bfirst (?:match|result|hit|one|file|entry|of them)\b/iu;

function pathFor(parameter: Parameter, reading: Reading, steps: readonly Step[], sure: boolean): string | undefined {
  const last = steps.at(-1);
  if (!last) return undefined;
  if (reading.refers === "many") {
    const items = itemsOf(last.done);
    return items.length === 1 ? items[0]?.path : undefined;
  }
  const folders = parameter.about.has("folder") || parameter.about.has("directory");
  const folder = folders && /\b(?:it|folder|directory)\b/iu.test(reading.text) ? folderOf(last) : undefined;
  const path =
    folder ?? (reading.extreme ? ranked(reading, steps) : (ordinal(reading, last) ?? subject(reading, last, sure)));
  // A parameter that takes folders only gets no file.
  return path !== undefined && parameter.kind === "folder" && /\.\w+$/u.test(path) ? undefined : path;
}

/** The folder that a step was about, if it looked at nothing else. */
function folderOf({ done }: Step): string | undefined {
  const { path, ...others } = done.arguments;
  return typeof path === "string" && !/\.\w+$/u.test(path) && Object.keys(others).length === 0 ? path : undefined;
}

/** Which file is the longest: from the last step that counted. */
function ranked(reading: Reading, steps: readonly Step[]): string | undefined {
  for (const { done, reading: asked } of steps.toReversed()) {
    const path = extreme(itemsOf(done), reading.extreme ?? "most", isSource(reading) || isSource(asked));
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The item with the highest or lowest count. Tests are no source files where there are others. */
export function extreme(items: readonly Item[], which: "most" | "least", source: boolean): string | undefined {
  const counted = items.filter((item): item is Required<Item> => item.count !== undefined);
  const wanted = source ? counted.filter(({ path }) => !/[.-](?:test|spec|test-d)\.\w+$/u.test(path)) : counted;
  const sign = which === "most" ? 1 : -1;
  return [...(wanted.length > 0 ? wanted : counted)].sort((a, b) => sign * (b.count - a.count))[0]?.path;
}

/** The clause speaks of source files, so tests do not count. */
export function isSource({ text }: Reading): boolean {
  return /\bsource\b/iu.test(text);
}

function ordinal(reading: Reading, last: Step): string | undefined {
  // "The last line of it" says nothing of which file.
  const text = withoutLines(reading.text);
  const place = ordinals.find(([word]) => word.test(text))?.[1];
  return place === undefined ? undefined : itemsOf(last.done).at(place)?.path;
}

/** What "it" is: the file of the last step, or the first that it found; where it must be `sure`, the only one. */
function subject(reading: Reading, last: Step, sure: boolean): string | undefined {
  const { path } = last.done.arguments;
  if (typeof path === "string" && /\.\w+$/u.test(path)) return path;
  const first = theFirst.test(reading.text);
  const items = itemsOf(last.done);
  if (!first && last.reading.described) {
    const [best, ...others] = describedFiles(last.reading, last.done);
    if (best !== undefined) return sure && others.length > 0 ? undefined : best;
  }
  const best = last.reading.extreme && extreme(items, last.reading.extreme, isSource(last.reading));
  return best ?? (sure && !first && items.length > 1 ? undefined : items[0]?.path);
}

function typed({ kind, options }: Parameter, value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  if (kind === "enum") return options.includes(value) ? value : undefined;
  if (kind === "number") return typeof value === "number" ? value : undefined;
  if (kind === "boolean") return typeof value === "boolean" ? value : undefined;
  if (kind === "list" || kind === "object") return undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
