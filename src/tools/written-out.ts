/** Characters that nobody sees, or takes for others, and what they are. */
const names: Readonly<Record<string, string>> = {
  "\t": "tab",
  "\r": "carriage return",
  " ": "space",
  "\u00a0": "no-break space",
  "\u00ad": "soft hyphen",
  "\u2007": "figure space",
  "\u2009": "thin space",
  "\u200a": "hair space",
  "\u200b": "zero width space",
  "\u200c": "zero width non-joiner",
  "\u200d": "zero width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u061c": "Arabic letter mark",
  "\u2028": "line separator",
  "\u2029": "paragraph separator",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of a direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u202f": "narrow no-break space",
  "\u2060": "word joiner",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of an isolate",
  "\u3000": "ideographic space",
  "\ufeff": "byte order mark",
};

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
const [allUnseen, unseenOrMarks] = [new RegExp(unseen, "gu"), new RegExp(`${unseen.source}|\\p{M}`, "gu")];

/** What a character is, if it is not one that everybody sees; undefined for the others. */
function nameOf(char: string): string | undefined {
  const name = names[char];
  if (name !== undefined) return name;
  if (/\p{M}/u.test(char) && !/\p{Default_Ignorable_Code_Point}/u.test(char)) return "combining mark";
  if (/\p{Zs}/u.test(char)) return "a space";
  if (/\p{Cc}/u.test(char)) return "control character";
  return unseen.test(char) ? "character that is not seen" : undefined;
}

/**
 * A text as JSON, with characters that are not seen written out; `marks`: those that are put on letters too. A long one is
 * cut to what is around the character `at`.
 */
export function writtenOut(text: string, at: number, marks: boolean): string {
  const json = JSON.stringify(around(text, at));
  return json.replace(marks ? unseenOrMarks : allUnseen, (char) =>
    Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** Characters of a text that are shown. */
const most = 300;

function around(text: string, at: number): string {
  const start = at < most - 100 ? 0 : Math.max(0, Math.min(at - 100, text.length - most));
  const part = text
    .slice(start, start + most)
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/[\ud800-\udbff]$/, "");
  return `${start > 0 ? "…" : ""}${part}${start + most < text.length ? "…" : ""}`;
}

/** Says what the escapes in texts written out stand for: those behind an even number of backslashes. */
export function legend(shown: string): string {
  const told = new Map<string, string>();
  for (const [found] of shown.matchAll(/(?<!\\)(?:\\\\)*\\u(?:d[89ab]..\\ud[c-f]..|....)/g)) {
    const plain = found.replace(/^(?:\\\\)+/, "");
    told.set(plain, nameOf(JSON.parse(`"${plain}"`)) ?? "");
  }
  const all = [...told].slice(0, 5).map(([written, name]) => `${written} ${name}`);
  return all.length === 0 ? "" : ` Written out: ${all.join(", ")}.`;
}

/** Characters by their codes and names, equal ones together. */
export function namesOf(text: string): string {
  if (text === "") return "nothing";
  const runs = [...text].reduce<{ char: string; times: number }[]>((all, char) => {
    const last = all.at(-1);
    if (last?.char === char) last.times++;
    else all.push({ char, times: 1 });
    return all;
  }, []);
  const told = runs.slice(0, 4).map(({ char, times }) => (times > 1 ? `${times} × ${one(char)}` : one(char)));
  return told.join(" ") + (runs.length > 4 ? " …" : "");
}

function one(char: string): string {
  const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = nameOf(char);
  return name === undefined ? `"${char}" (${code})` : `${code} (${name})`;
}
