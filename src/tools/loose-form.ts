/** A text without white space. */
export const noSpace = (line: string): string => line.replace(/\s+/g, "");

/** A text without characters that nobody sees. */
export const noUnseen = (line: string): string =>
  isPlain(line) ? line : line.replace(/\p{Default_Ignorable_Code_Point}+/gu, "");

/** Whether a text is all ASCII. */
export const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** A text with plain characters for those that look like them. */
export const lookAlikes = (line: string): string =>
  isPlain(line)
    ? line.replaceAll("`", "'")
    : noUnseen(composed(line, "NFKC"))
        .replace(/[\u2018\u2019\u201a\u2032\u00b4`]/g, "'")
        .replace(/[\u201c\u201d\u201e\u2033\u00ab\u00bb]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, "-")
        .replaceAll("\u2026", "...")
        .replaceAll("\ufffd", "");

/** What is left of a text if white space, case and characters that look alike do not count. */
export const loose = (line: string): string => noSpace(lookAlikes(line)).toLowerCase();

/** A text in a normal form of Unicode. In pieces, because of a long row of accents each one is moved past all others. */
export const composed = (line: string, form: "NFC" | "NFKC"): string =>
  line.replace(/[\0-\x7f]?[^\0-\x7f]{1,64}/g, (part) => part.normalize(form));
