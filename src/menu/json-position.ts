/** Where a text stops being JSON: `at` counts UTF-16 units from 0; `ended` if it only ends too early. */
export type JsonBreak = { readonly at: number; readonly ended: boolean };

type Expected = "value" | "item or ]" | "key or }" | "key" | ":" | ", or end" | "nothing";

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words = ["true", "false", "null"];
const hex = /[0-9a-fA-F]/;

/** End of the string that opens at `start`, or where it breaks. */
function stringEnd(text: string, start: number): number | JsonBreak {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') return at + 1;
    if (char < " ") return { at, ended: false };
    if (char !== "\\") continue;
    at++;
    if (at >= text.length) break;
    if (text[at] === "u") {
      for (let digit = 0; digit < 4; digit++) {
        at++;
        if (at >= text.length) return { at: text.length, ended: true };
        if (!hex.test(text[at] as string)) return { at, ended: false };
      }
    } else if (!'"\\/bfnrt'.includes(text[at] as string)) return { at, ended: false };
  }
  return { at: text.length, ended: true };
}

/** End of the number or word that starts at `start`, or where it breaks. */
function scalarEnd(text: string, start: number): number | JsonBreak {
  const word = words.find((candidate) => candidate[0] === text[start]);
  if (word !== undefined) {
    if (text.startsWith(word, start)) return start + word.length;
    let at = start;
    while (at < text.length && text[at] === word[at - start]) at++;
    return { at, ended: at === text.length };
  }
  number.lastIndex = start;
  const end = number.test(text) ? number.lastIndex : start;
  const rest = text.slice(end, end + 3);
  if (end > start && !/^[.eE]/.test(rest)) return end;
  // Such as `-`, `1.` or `1e+` at the very end: a digit may have been about to come.
  const unfinished = end === start ? rest === "-" : /^(?:\.|[eE][+-]?)$/.test(rest);
  return { at: unfinished ? text.length : end, ended: unfinished };
}

/**
 * Finds where a text breaks the grammar of JSON; undefined if it does not. `JSON.parse` says so only sometimes, and in
 * words that differ between engines.
 */
export function jsonBreak(text: string): JsonBreak | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  for (let at = 0; ; ) {
    while (" \t\n\r".includes(text[at] ?? "x")) at++;
    const char = text[at];
    if (char === undefined) return expected === "nothing" ? undefined : { at, ended: true };
    const closes = open.at(-1) === "{" ? "}" : "]";
    if (
      char === closes &&
      (expected === ", or end" || expected === `item or ${char}` || expected === `key or ${char}`)
    ) {
      open.pop();
      at++;
    } else if (expected === ", or end" && char === ",") {
      at++;
      expected = closes === "}" ? "key" : "value";
      continue;
    } else if (expected === ":" && char === ":") {
      at++;
      expected = "value";
      continue;
    } else if (expected === "key" || expected === "key or }") {
      const end = char === '"' ? stringEnd(text, at) : { at, ended: false };
      if (typeof end !== "number") return end;
      at = end;
      expected = ":";
      continue;
    } else if (expected !== "value" && expected !== "item or ]") {
      return { at, ended: false };
    } else if (char === "{" || char === "[") {
      open.push(char);
      at++;
      expected = char === "{" ? "key or }" : "item or ]";
      continue;
    } else {
      const end = char === '"' ? stringEnd(text, at) : scalarEnd(text, at);
      if (typeof end !== "number") return end;
      at = end;
    }
    expected = open.length === 0 ? "nothing" : ", or end";
  }
}
