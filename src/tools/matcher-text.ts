/** A class, a count, a lookaround, an escape, or one character. */
const pieces = /\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?<?[=!]|\\.|./gsu;

/**
 * A text that stands in each line that the regular expression matches: the longest that is plain to see, `""` if there
 * is none. To look for it in a file is many times faster than to match each line.
 */
export function sureText({ source, ignoreCase }: RegExp): string {
  if (ignoreCase) return "";
  let [longest, run, depth] = ["", "", 0];
  const end = () => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  for (const [piece] of source.matchAll(pieces)) {
    // What a lookaround says is not said of the match, and these escapes go on behind their letter.
    if (/^(?:\(\?.|\\[cukpx\d])/i.test(piece)) return "";
    // Either side of it may match.
    if (piece === "|" && depth === 0) return "";
    if (piece === "(") depth++;
    if (piece === ")") depth--;
    // What may be there any number of times may be there not at all.
    if (/^[*?{]/.test(piece)) run = run.slice(0, -1);
    const char = /^\\[!-/:-@[-`{-~]$/.test(piece) ? piece.slice(1) : piece;
    // Of a character that has two units, a count may be about the second one alone.
    const plain = char !== piece || /^[^\\^$.*+?()[\]{}|\uFFFD\uD800-\uDFFF]$/.test(char);
    if (depth === 0 && plain) run += char;
    else end();
  }
  end();
  return longest;
}

/** Escapes that go on behind their letter or may stand for a line break, but for those that {@link scanSource} knows. */
const unsure = /^\\[pPuxc0n]/;

/**
 * The source of a regular expression that finds something in a whole text, with the flag `m`, if the given one does in one
 * of its lines; never does it look beyond the end of a line. What it finds may still be nothing. Undefined where such a
 * one is not simple to make.
 */
export function scanSource({ source }: RegExp): string | undefined {
  let scan = "";
  for (const [piece] of source.matchAll(pieces)) {
    // What is around a line is not around it in the text.
    if (piece.startsWith("(?") || unsure.test(piece)) return undefined;
    if (piece.startsWith("[^")) {
      if (piece[2] === "-") return undefined;
      scan += `[^\\n${piece.slice(2)}`;
    } else if (/^(?:\\[sWD]$|\[.*[\\\p{Cc}])/su.test(piece)) scan += `(?:(?!\\n)${piece})`;
    else scan += piece;
  }
  return scan;
}
