import type { Clause } from "./clauses.ts";
import { fileNouns } from "./described.ts";
import { mentionsOf } from "./mentions.ts";
import { readingOf } from "./reading.ts";

const lead =
  "(?:read|show|open|print|display|view|see|cat|dump|load|get|fetch|give|look at|head|tail|let me (?:see|read|look at|view|have)|what(?:['’]?s| is| are| does)?|the|which)";
const kind = "(?:[\\p{L}-]+\\s+){0,2}?";
const article = "(?:the|a|an|whichever|whatever|any|that|our|my)";
const place = "(?:\\s+(?:in|under|inside|within|of)\\s+(?:the\\s+)?[\\w./*-]+(?:\\s+(?:folder|directory))?)?";
const content =
  "(?:that|which|where|in which|having|with(?=\\s.+\\s(?:in|inside|within)\\s+it$)|containing|defining|mentioning|importing|exporting|using|declaring|implementing|calling|whose|with the (?:text|words?|phrase|string|name))";
const sizes = "(?:longest|largest|biggest|shortest|smallest)";

// "Read the file that defines X": the file has to be found before it can be read.
const byText = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\b(?<what>${article}\\s+${kind}(?:${fileNouns})${place}\\s+${content}\\s+.+)$`,
  "iu",
);
const whichever = new RegExp(
  `^(?<lead>${lead}\\b.*?)\\b(?:whichever|whatever)\\s+(?<noun>${kind}(?:${fileNouns})${place})\\s+(?!that\\b|which\\b|named\\b|called\\b)(?<rest>\\p{L}+s\\s.+)$`,
  "iu",
);
// "Search for x in the file that defines y", "count the lines of the file that …": the same for what looks into it.
const within = new RegExp(
  `^(?<lead>(?:(?:search|grep|look|scan)\\b.+?\\s(?:in|inside|within|through)|(?:count|how many|tell me how many)\\b.+?\\s(?:in|of)))\\s+(?<what>${article}\\s+${kind}(?:${fileNouns})${place}\\s+${content}\\s+.+)$`,
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
 * One that no search can tell ("the file that Bob likes") is not looked for: what is found would be any file.
 */
export function hoisted(clause: Clause, index: number, all: readonly Clause[], anew: boolean): readonly Clause[] {
  if (clause.barred) return [clause];
  const { text } = clause;
  if (tellsByLack(text)) return [{ ...clause, barred: "untold" }];
  if (pointsBack.test(text)) return [clause];
  const any = whichever.exec(text);
  const found = any ?? byText.exec(text) ?? within.exec(text) ?? byName.exec(text);
  const before = all.slice(0, index).some((one) => measuring.test(one.text));
  const sized = found || before || !anew ? null : (owner.exec(text) ?? bySize.exec(text));
  const {
    lead: first,
    part,
    place: folder = "",
    noun,
    rest,
    what = `the ${noun} that ${rest}`,
  } = (found ?? sized)?.groups ?? {};
  if (first === undefined) return [clause];
  // "Which is the largest file" only looks for it.
  if (/^(?:which|the)\b/iu.test(first) && !/\blines?\b/iu.test(first)) return [clause];
  if (/^what(?:['’]?s| is| are)\s*$/iu.test(first)) return [clause];
  const question = /^what\b/iu.test(first);
  if (question && !/\b(?:lines?|in)\b/iu.test(first) && !asks.test(text)) return [clause];
  const thing = plainly((question ? what.replace(asks, "") : what).trim());
  const find = `find ${sized ? `the ${thing}` : thing}${part === undefined ? "" : folder}`;
  if (found && !isTelling(find)) return [{ ...clause, barred: "untold" }];
  const begin = question
    ? first.replace(/^what(?:['’]?s| is| are| does)?\s+/iu, "read ").replace(/\bin\s*$/iu, "")
    : first.replace(/^let me \p{L}+(?: at)?\b/iu, "show");
  const read = part === undefined ? `${begin.trim()} it` : `${begin.trim()} the ${part} of it`;
  return [
    { ...clause, text: find },
    { ...clause, text: read },
  ];
}

/** "With x in it", "that has x in it": that contains it. */
function plainly(thing: string): string {
  const held = /^(.+?)\s+(?:with|having|(?:that|which)\s+has)\s+(.+?)\s+(?:in|inside|within)\s+it$/iu.exec(thing);
  return held ? `${held[1]} that contains ${held[2]}` : thing;
}

/** "The files without TODO": no search finds what is not there, and one for it finds the others. */
function tellsByLack(text: string): boolean {
  const found = lacking.exec(text);
  if (!found) return false;
  const end = found.index + found[0].length;
  return !mentionsOf(text).some(({ kind, start, end: to }) => kind === "quoted" && start < end && to > found.index);
}

const lacking = new RegExp(
  `^(?:find|list|show|search|grep|locate|read|open|print|display|count|which|what|how many|give|get|look|tell)\\b.*?\\b(?:${fileNouns}|line|place)s?\\s+(?:without|lacking|missing|not\\s+\\p{L}+ing|(?:(?:that|which|where|in which)\\s+)?(?:\\S+\\s+)?(?:do|does|did|is|are)(?:\\s+not|n['’]t)|(?:that|which)\\s+(?:never|lacks?|misses))\\b`,
  "iu",
);
const pointsBack =
  /\b(?:that|which)\s+(?:(?:you|we|i|it|was|were|has|have|been|just|already|the search)\s+)*(?:found|listed|matched|named|mentioned|came up|shown|read|opened)$/iu;

/** Whether a search can tell the file: by a text in it, its name, its kind or its size; not by what is not in it. */
function isTelling(find: string): boolean {
  const { described, extreme, mentions, text } = readingOf({ text: find });
  if (described && negated.test(text.slice(0, described.start))) return false;
  if (described || extreme !== undefined) return true;
  return named.test(find) || mentions.some(({ kind }) => /^(?:glob|filetype|path|quoted)$/u.test(kind));
}

const negated = /\b(?:not|no|never|without|neither)\b|n['’]t\b/iu;
const named = /\b(?:named|called|whose (?:file )?name|with (?:the )?name)\b/iu;
