/** Looks for the end of the first JSON object or list in a text that comes in pieces. */
export type FirstValue = {
  /** True once, with the piece that ends it. */
  ends(piece: string): boolean;
};

/** A search in one text. Each character is looked at once. */
export function firstValue(): FirstValue {
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let over = false;
  return {
    ends(piece) {
      if (over) return false;
      for (const char of piece) {
        if (quoted) {
          if (escaped) escaped = false;
          else if (char === "\\") escaped = true;
          else if (char === '"') quoted = false;
        } else if (char === '"') quoted = depth > 0;
        else if (char === "{" || char === "[") depth++;
        else if ((char === "}" || char === "]") && --depth <= 0) over = true;
      }
      return over;
    },
  };
}
