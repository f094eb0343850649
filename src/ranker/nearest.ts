import { edits } from "./edits.ts";
import { words } from "./tokens.ts";

/** Longer names are compared by their beginning: what a model makes up has no bound of its own. */
const longest = 64;

type Form = { readonly letters: string; readonly sorted: string };

function formOf(name: string): Form {
  const parts = words(name.slice(0, longest));
  return parts.length === 0
    ? { letters: name.slice(0, longest).toLowerCase(), sorted: "" }
    : { letters: parts.join(""), sorted: parts.sort().join(" ") };
}

/** How far a name is from the one that was meant: 0 the same, below 1 near, 1 not near. */
function distance(meant: Form, name: Form): number {
  if (meant.letters === name.letters) return 0;
  if (meant.sorted !== "" && meant.sorted === name.sorted) return 0.05;
  const [short, long] = [meant.letters, name.letters].sort((a, b) => a.length - b.length) as [string, string];
  const most = Math.floor(long.length / 3);
  const changed = edits(meant.letters, name.letters, most);
  const byEdits = changed <= most ? 0.1 + (0.8 * changed) / long.length : 1;
  if (short.length < 3 || !long.includes(short)) return byEdits;
  const missing = 1 - short.length / long.length;
  return Math.min(byEdits, (long.startsWith(short) ? 0.15 : 0.3) + 0.3 * missing);
}

/**
 * The names that were most likely meant by one that does not exist, nearest first and at most `limit`; empty if none is
 * near. Case and separators do not count (`readFile` is `read_file`), nor does the order of the words; a name that
 * holds the other is near, and so is one that differs in few letters. Equally near names keep their order.
 */
export function nearestNames(name: string, names: readonly string[], limit = 3): string[] {
  const meant = formOf(name);
  if (meant.letters === "") return [];
  return names
    .map((candidate) => ({ candidate, far: distance(meant, formOf(candidate)) }))
    .filter(({ far }) => far < 1)
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
