// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text that cannot move the cursor, change colours or reverse what stands beside it; line ends and tabs stay. */
export function harmless(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(controls, "");
}

/** Characters that are not seen, or change how others look; line ends and tabs are seen. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text with nothing hidden in it, for somebody who is to judge it: as {@link harmless}, but what that drops is written out. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => {
    if (char === "\r") return "\\r";
    const code = char.codePointAt(0)!;
    const hex = code.toString(16);
    if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** A text on one line, cut to a length in characters. */
export function oneLine(text: string, length: number): string {
  const line = harmless(text.slice(0, length * 8))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join("")}…`;
}

/** The first line that says something, cut, and how many lines follow it. */
export function head(text: string, length: number): string {
  const lines = harmless(text).trim().split("\n");
  const more = lines.length - 1;
  const rest = more === 0 ? "" : ` (+${more} ${more === 1 ? "line" : "lines"})`;
  return `${oneLine(lines[0] ?? "", length)}${rest}`;
}

/** `1 round`, `12,345 tokens`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** `350 ms`, `2.4 s`, `3 min 20 s`. */
export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
