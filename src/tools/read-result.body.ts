import { currentScope } from "../agent/scope.ts";
import type { ToolContext } from "../menu/context.ts";
import { mostKeptChars } from "../menu/kept-results.ts";
import { splitsPair } from "../message/pairs.ts";
import { showCount } from "./show-size.ts";

/** Arguments of `read_result`. */
export type ReadResultArguments = { readonly id: string; readonly offset?: number; readonly limit?: number };

/** Room for what stands behind a page. */
const noteChars = 120;

/** The body of `read_result`. */
export function readResult({ id, offset = 0, limit = Infinity }: ReadResultArguments, ctx: ToolContext): string {
  const text = keptText(id);
  if (offset >= text.length)
    throw new Error(`The result "${id}" has ${showCount(text.length)} characters, so there are none at ${offset}.`);
  const most = Math.max(1, Math.min(limit, ctx.maxResultChars - noteChars));
  // A character that is a pair of units is given whole, also to who asks for less: by the page that it begins in.
  const start = splitsPair(text, offset) ? offset - 1 : offset;
  const stop = Math.min(text.length, start + most);
  const whole = splitsPair(text, stop) ? stop - 1 : stop;
  const end = whole > start ? whole : stop + 1;
  const rest = end < text.length ? `; go on with offset ${end}` : ", the end";
  return `${text.slice(start, end)}\n[characters ${start} to ${end} of ${text.length}${rest}]`;
}

function keptText(id: string): string {
  const kept = currentScope()?.run?.kept();
  const found = kept?.find(id);
  if (typeof found === "object") return found.text;
  if (found === "gone")
    throw new Error(
      `The text of "${id}" is gone: a run keeps ${showCount(mostKeptChars)} characters of cut results, and the oldest go first. Call the tool again for what you need of it.`,
    );
  const ids = kept?.ids() ?? [];
  const known =
    ids.length === 0
      ? "No cut result is kept here."
      : `There are: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}.`;
  throw new Error(
    `There is no result "${id.slice(0, 80)}" in this run. Ids stand in results that were cut, and are good in the run that made them only. ${known}`,
  );
}
