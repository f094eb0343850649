import { fold } from "./hosts.ts";
import type { Pieces } from "./pattern.ts";

/** A text with `%` undone wherever that can be, so that one sign that means nothing does not hide the others. */
export const undone = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));

/** How often `%` is undone: a server may do it, and what stands before or behind it once more. */
const most = 4;

/** What servers may make of a path and query: each time that `%` is undone, plain or as it is, with its query and without. */
export function pathReadings(path: string, query: string): readonly string[] {
  const all = new Set([fold(path + query)]);
  let [before, at, asked] = ["", path, query];
  for (let n = 0; n <= most && before !== at + asked; n++) {
    before = at + asked;
    all.add(fold(before));
    const plain = plainOf(at);
    for (const one of [at, plain, `${plain}/`]) for (const end of ["", asked]) all.add(fold(one + end));
    [at, asked] = [undone(at), undone(asked)];
  }
  return [...all];
}

/** A path without what servers leave out: empty parts, `.` and `..`, parameters behind `;`, a slash at the end. */
function plainOf(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    const name = part.replace(/;.*$/s, "");
    if (name === "..") parts.pop();
    else if (name !== "" && name !== ".") parts.push(name);
  }
  return `/${parts.join("/")}`;
}

// Letters of nobody, which stand for the stars while a path is made plain.
const stars = ["\u{f8f01}", "\u{f8f02}"] as const;

/** The same of the path and query of a rule. */
export function patternReadings(pieces: Pieces): readonly Pieces[] {
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : stars[piece - 1])).join("");
  const end = text.indexOf("?");
  const [path, query] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  return [...new Set([path + query, undone(path + query), plainOf(undone(path)) + undone(query)])].map(withStars);
}

const withStars = (text: string): Pieces =>
  text.split(/(\u{f8f01}|\u{f8f02})/u).flatMap((part, at): Pieces => {
    if (at % 2 === 1) return [part === stars[0] ? 1 : 2];
    return part === "" ? [] : [fold(part)];
  });

/** Whether a part of a path leads upwards, however it is written. */
export function leadsUp(path: string): boolean {
  for (let n = 0, at = path, before = ""; n <= most && at !== before; n++) {
    if (/(?:^|[/\\])\.\.(?:[/\\;?]|$)/.test(at)) return true;
    [before, at] = [at, undone(at)];
  }
  return false;
}
