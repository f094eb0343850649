import { linesIn } from "./lines-said.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { type Taken, taken, within } from "./take.ts";
import { windowOf } from "./take-number.ts";

type Found = {
  readonly values: readonly (readonly [Parameter, Taken])[];
  /** Mentions that say which lines are meant. */
  readonly used: readonly Mention[];
  /** Parameters that no other number may fill. */
  readonly closed: ReadonlySet<Parameter>;
};

const nothing: Found = { values: [], used: [], closed: new Set() };

/**
 * Which lines a clause means, for parameters that say where to begin and how many: "lines 10 to 20", "the third line".
 * Lines counted from the end cannot be said so: then all are taken, and the report quotes the last.
 */
export function takeLines(parameters: readonly Parameter[], reading: Reading): Found {
  const window = windowOf(parameters);
  const lines = window && linesIn(reading.text);
  if (!window || !lines) return nothing;
  const used = within(reading.mentions, lines.start, lines.end).filter(({ kind }) => kind === "number");
  const { from, count, to } = window;
  const closed = new Set([from, ...(count ? [count] : []), ...(to ? [to] : [])]);
  if (lines.last !== undefined) return { values: [], used, closed };
  const first = lines.from ?? 1;
  const begins = lines.from !== undefined || from.required || (to !== undefined && !count);
  const values: (readonly [Parameter, Taken])[] = [];
  if (begins) values.push([from, taken(first, ...used)]);
  if (lines.count !== undefined && count) values.push([count, taken(lines.count, ...used)]);
  else if (lines.count !== undefined && to) values.push([to, taken(first + lines.count - 1, ...used)]);
  return { values, used, closed };
}
