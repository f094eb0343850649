/** Scripts in which joiners say how letters are drawn. */
const joining = ["Arab", "Syrc", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym"]
  .concat(["Sinh", "Khmr", "Mymr", "Tibt"])
  .map((script) => `\\p{Script=${script}}`)
  .join("");

const picture = "\\p{Extended_Pictographic}";

/** Where a character that is not seen changes how its neighbours look, as whoever wrote them wanted. */
const honest = [
  // Which form an emoji has, and what makes several one.
  `(?<=${picture})[\\ufe0e\\ufe0f]|[\\ufe0e\\ufe0f](?=\\u20e3)`,
  `(?<=${picture}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${picture})`,
  "(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0020}-\\u{e007f}](?=[\\u{e0020}-\\u{e007e}]*\\u{e007f}|(?<=\\u{e007f}))",
  `(?<=[${joining}])[\\u200c\\u200d]`,
  "(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]",
  "(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]",
].join("|");

/**
 * Characters of a name that nobody sees, and that make it look like another one: spaces without width, byte order marks,
 * fillers, direction marks, tags. Not among them are those that stand where they are used for what they are for.
 */
export const hidden = `(?!${honest})[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`;

const anyHidden = new RegExp(hidden, "u");

/** The first such character of a name, as `U+200B`; undefined if it has none. */
export function hiddenIn(name: string): string | undefined {
  const code = anyHidden.exec(name)?.[0].codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
