import type { Secret } from "./environment-secrets.ts";

/*
 * A tool cuts long lines before anybody looks for secrets in them. Where it does, it writes an ellipsis, and beside that may
 * stand all but a few characters of a secret.
 */

/** Fewer characters of a secret tell nothing. */
const least = 6;

const ellipsis = "…";

/** The secrets of which a piece stands at a cut of this text. */
export function heldAtCut(text: string, secrets: readonly Secret[]): readonly Secret[] {
  if (!text.includes(ellipsis)) return [];
  // Nearly no text holds the beginning or the end of a secret.
  const near = secrets.filter(
    ({ value }) => text.includes(value.slice(0, least)) || text.includes(value.slice(-least)),
  );
  return near.length === 0 ? [] : near.filter((one) => withoutPieces(text, [one], () => "") !== text);
}

/** The text with placeholders for pieces of these secrets that stand before or behind an ellipsis. */
export function withoutPieces(text: string, secrets: readonly Secret[], placeholder: (name: string) => string): string {
  if (secrets.length === 0) return text;
  const parts = text.split(ellipsis);
  const last = parts.length - 1;
  return parts
    .map((part, at) => {
      const front = at > 0 ? withoutEnd(part, secrets, placeholder) : part;
      return at < last ? withoutBeginning(front, secrets, placeholder) : front;
    })
    .join(ellipsis);
}

type Placeholder = (name: string) => string;

/** What the text ends with, a blank left aside, may be the beginning of a secret. */
function withoutBeginning(text: string, secrets: readonly Secret[], placeholder: Placeholder): string {
  const blank = text.endsWith(" ") ? " " : "";
  const whole = text.slice(0, text.length - blank.length);
  for (const { name, value } of secrets) {
    const from = Math.max(0, whole.length - value.length);
    for (
      let at = whole.indexOf(value.slice(0, least), from);
      at !== -1;
      at = whole.indexOf(value.slice(0, least), at + 1)
    )
      if (value.startsWith(whole.slice(at))) return whole.slice(0, at) + placeholder(name) + blank;
  }
  return text;
}

/** What it begins with, likewise, the end of one. */
function withoutEnd(text: string, secrets: readonly Secret[], placeholder: Placeholder): string {
  const blank = text.startsWith(" ") ? " " : "";
  for (const { name, value } of secrets) {
    const near = text.slice(blank.length, blank.length + value.length);
    const end = value.slice(-least);
    for (let at = near.lastIndexOf(end); at !== -1; at = at === 0 ? -1 : near.lastIndexOf(end, at - 1)) {
      const stop = at + least;
      if (value.endsWith(near.slice(0, stop))) return blank + placeholder(name) + text.slice(blank.length + stop);
    }
  }
  return text;
}
