/** A pattern in pieces: text as it is, and the stars between. */
export type Pieces = readonly (string | Star)[];
/** 1: `*`; 2: `**` or more of them. */
export type Star = 1 | 2;

/** Takes a pattern apart; a backslash takes the character behind it as it is. */
export function piecesOf(pattern: string): Pieces {
  const pieces: (string | Star)[] = [];
  let text = "";
  const put = (star: Star) => {
    if (text !== "") pieces.push(text);
    text = "";
    pieces.push(star);
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "\\" && at + 1 < pattern.length) text += pattern[++at];
    else if (char !== "*") text += char;
    else {
      const from = at;
      while (pattern[at + 1] === "*") at++;
      put(at > from ? 2 : 1);
    }
  }
  if (text !== "") pieces.push(text);
  return pieces;
}

/** The pattern that stands for this text alone. */
export function literally(text: string): string {
  const escaped = text.replace(/[\\*]/g, "\\$&");
  // A rule may not have a pattern of blanks alone.
  return escaped.trim() === "" ? `\\${escaped}` : escaped;
}

/** The pieces with each text changed. */
export const changed = (pieces: Pieces, change: (text: string) => string): Pieces =>
  pieces.map((piece) => (typeof piece === "string" ? change(piece) : piece));

/**
 * Whether a text from `from` to its end fits, where each star stands for anything. The pieces are looked for from left
 * to right, each as early as it comes: there is nothing to go back to.
 */
export function fitsText(pieces: Pieces, text: string, from = 0): boolean {
  let at = from;
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece !== "string") continue;
    const last = i === pieces.length - 1;
    if (i === 0 && !text.startsWith(piece, at)) return false;
    if (last)
      return i === 0 ? text.length - at === piece.length : text.length - at >= piece.length && text.endsWith(piece);
    const found = i === 0 ? at : text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pieces.length > 0 || at === text.length;
}
