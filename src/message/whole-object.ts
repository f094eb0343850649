/** Where in the text of a JSON object its reader stands. */
export type ObjectText = { text: string; depth: number; inString: boolean; escaped: boolean; whole: boolean };

export const objectText = (): ObjectText => ({ text: "", depth: 0, inString: false, escaped: false, whole: false });

/**
 * Adds a piece; `whole` from the brace on that closes the object, and never again once anything but blanks stands behind
 * it. Looks at each character once, however the text is cut.
 */
export function grow(object: ObjectText, piece: string): void {
  object.text += piece;
  for (const character of piece) {
    if (object.whole) {
      object.whole = /\s/.test(character);
      if (!object.whole) object.depth = never;
    } else if (object.escaped) object.escaped = false;
    else if (object.inString) {
      if (character === "\\") object.escaped = true;
      else if (character === '"') object.inString = false;
    } else if (character === '"') object.inString = true;
    else if (character === "{" || character === "[") object.depth += 1;
    else if (character === "}" || character === "]") {
      object.depth -= 1;
      object.whole = object.depth === 0;
      if (object.depth < 0) object.depth = never;
    }
  }
}

/** From here no brace leads back to a whole object. */
const never = Number.POSITIVE_INFINITY;
