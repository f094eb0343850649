import type { Clause } from "./clauses.ts";
import { fileNouns } from "./described.ts";

const lead =
  "(?:read|show|open|print|display|view|see|cat|dump|load|get|fetch|give|look at|head|tail|what(?:['’]?s| is| are| does)?|the|which)";
const kind = "(?:[\\p{L}-]+\\s+){0,2}?";
const article = "(?:the|a|an|whichever|whatever|any|that|our|my)";
const place = "(?:\\s+(?:in|under|inside|within|of)\\s+(?:the\\s+)?[\\w./*-]+(?:\\s+(?:folder|directory))?)?";
const content =
  "(?:that|which|where|in which|containing|defining|mentioning|importing|exporting|using|declaring|implementing|calling|whose|with the (?:text|words?|phrase|string|name))";
const sizes = "(?:longest|largest|biggest|shortest|smallest)";

// "Read the file that defines X": the file has to be found before it can be read.
const byText = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\b(?<what>${article}\\s+${kind}(?:${fileNouns})${place}\\s+${content}\\s+.+)$`,
  "iu",
);
const whichever = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\b(?:whichever|whatever)\\s+(?<what>(?:${fileNouns})\\s+.+)$`,
  "iu",
);
const byName = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\b(?<what>${article}\\s+${kind}(?:${fileNouns})${place}\\s+(?:named|called)\\s+["'\`]?[\\w-]+["'\`]?(?:\\s+(?:in|under)\\s+.+)?)$`,
  "iu",
);
const bySize = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\bthe\\s+(?<what>${sizes}\\s+${kind}(?:${fileNouns})(?<place>${place}))$`,
  "iu",
);
const owner = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\bthe\\s+(?<what>${sizes}\\s+${kind}(?:${fileNouns}))['’]s\\s+(?<part>.+?)(?<place>${place})$`,
  "iu",
);

/** "What does … contain": the end of a question for what stands in a file. */
const asks = /\s+(?:contains?|says?|looks? like|holds?)$/iu;
const measuring = new RegExp(`\\b(?:${sizes}|count|how many)\\b`, "iu");

/**
 * A clause that reads a file told by its text, its name or its size, in two: find it, then read it. By its size only if
 * nothing has been measured before, which it would point back to; by its name only if that is not the name as it is.
 */
export function hoisted(clause: Clause, index: number, all: readonly Clause[], anew: boolean): readonly Clause[] {
  if (clause.barred) return [clause];
  const { text } = clause;
  const found = whichever.exec(text) ?? byText.exec(text) ?? byName.exec(text);
  const before = all.slice(0, index).some((one) => measuring.test(one.text));
  const sized = found || before || !anew ? null : (owner.exec(text) ?? bySize.exec(text));
  const { lead: first, what, part, place: folder = "" } = (found ?? sized)?.groups ?? {};
  if (first === undefined || what === undefined) return [clause];
  // "Which is the largest file" only looks for it.
  if (/^(?:which|the)\b/iu.test(first) && !/\blines?\b/iu.test(first)) return [clause];
  if (/^what(?:['’]?s| is| are)\s*$/iu.test(first)) return [clause];
  const question = /^what\b/iu.test(first);
  if (question && !/\b(?:lines?|in)\b/iu.test(first) && !asks.test(text)) return [clause];
  const thing = (question ? what.replace(asks, "") : what).trim();
  const find = `find ${sized ? `the ${thing}` : thing}${part === undefined ? "" : folder}`;
  const begin = question
    ? first.replace(/^what(?:['’]?s| is| are| does)?\s+/iu, "read ").replace(/\bin\s*$/iu, "")
    : first;
  const read = part === undefined ? `${begin.trim()} it` : `${begin.trim()} the ${part} of it`;
  return [
    { ...clause, text: find },
    { ...clause, text: read },
  ];
}
