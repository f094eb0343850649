/** What two texts have in common at both ends, in characters of whole lines. */
export type SameEnds = { readonly head: number; readonly tail: number };

export function sameEnds(before: string, after: string): SameEnds {
  const shorter = Math.min(before.length, after.length);
  const same = sameLength(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const head = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
  const [oldEnd, newEnd] = [before.length, after.length];
  const behind = sameLength(
    shorter - head,
    (from, to) => before.slice(oldEnd - to, oldEnd - from) === after.slice(newEnd - to, newEnd - from),
  );
  const line = before.indexOf("\n", oldEnd - behind);
  return { head, tail: line === -1 ? 0 : oldEnd - line - 1 };
}

/** Up to where all is the same; compared in pieces first, which is much faster than one character after the other. */
function sameLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let at = 0;
  for (let piece = 0x10_000; piece >= 1; piece >>= 4) while (at + piece <= most && isSame(at, at + piece)) at += piece;
  return at;
}

/** Tells how many line ends there are before a place; asked for in ascending order it goes through the text once. */
export function breaksBefore(text: string): (at: number) => number {
  let [count, next] = [0, text.indexOf("\n")];
  return (at) => {
    for (; next !== -1 && next < at; next = text.indexOf("\n", next + 1)) count++;
    return count;
  };
}

/** How many line ends a text has. */
export const countBreaks = (text: string): number => breaksBefore(text)(text.length);

/** How many lines a text has; one without an end counts too. */
export const countLines = (text: string): number =>
  text === "" || text.endsWith("\n") ? countBreaks(text) : countBreaks(text) + 1;

/** Where the line begins that is so many lines before the one that begins here. */
export function linesBack(text: string, from: number, lines: number): number {
  let at = from;
  for (let i = 0; i < lines && at > 0; i++) at = at === 1 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

/** Where so many lines end that begin here. */
export function linesAhead(text: string, from: number, lines: number): number {
  let at = from;
  for (let i = 0; i < lines && at < text.length; i++) at = text.indexOf("\n", at) + 1 || text.length;
  return at;
}

/** The first lines of a text, each with its end. */
export const firstLines = (text: string, most: number): string[] =>
  text.slice(0, linesAhead(text, 0, most)).match(/[^\n]*\n|[^\n]+$/g) ?? [];
