/** Where in the text of a JSON object its reader stands. */
export type ObjectText = { text: string; depth: number; inString: boolean; escaped: boolean; whole: boolean };

export const objectText = (): ObjectText => ({ text: "", depth: 0, inString: false, escaped: false, whole: false });

/**
 * Adds a piece; `whole` from the brace on that closes the object, and never again once anything but blanks stands behind
 * it. Looks at each character once, however the text is cut.
 */
export function grow(object: ObjectText, piece: string): void {
  object.text += piece;
  for (let i = 0; i < piece.length; i++) {
    const code = piece.charCodeAt(i);
    if (object.whole) {
      object.whole = isBlank(code);
      if (!object.whole) object.depth = never;
    } else if (object.escaped) object.escaped = false;
    else if (object.inString) {
      if (code === backslash) object.escaped = true;
      else if (code === quote) object.inString = false;
    } else if (code === quote) object.inString = true;
    else if (code === openBrace || code === openBracket) object.depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      object.depth -= 1;
      object.whole = object.depth === 0;
      if (object.depth < 0) object.depth = never;
    }
  }
}

/** Whether nothing stands in a whole object: that may be what is there until the arguments come. */
export const isBare = ({ text }: ObjectText): boolean => text.length < 1_000 && /^\s*\{\s*\}\s*$/.test(text);

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** What JSON has as blanks (RFC 8259, section 2). */
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** From here no brace leads back to a whole object. */
const never = Number.POSITIVE_INFINITY;
