import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { Profile } from "./profile.ts";
import type { Reading } from "./reading.ts";

const adding = new Set("append prepend insert".split(" ").map(stem));
const toFile = /\b(?:to|in|into)\s+(?:the\s+file\s+)?[^\s"'`]*\.\w+/iu;

/** Whether this verb asks to add something to what is there. */
export const addsTo = (verb: string, text: string): boolean =>
  adding.has(stem(verb)) || (stem(verb) === stem("add") && toFile.test(text));

const piece =
  "(?:lines?|rows?|entry|entries|items?|paragraphs?|sentences?|words?|sections?|bullets?|headings?|titles?)";
const ordinal = "(?:first|second|third|fourth|fifth|last|next|\\d+(?:st|nd|rd|th))";
/** A place in a text, or one thing more in it. What is quoted stands as `"`, a file as `F`. */
const part = new RegExp(
  [
    "\\b(?:at|on|in|into|to|onto|from|near) (?:the )?(?:very )?(?:end|top|bottom|beginning|start|head|front|middle|tail)\\b",
    `\\b(?:at|on|in|into|to|onto|as) (?:the |an? |its )?(?:very )?(?:${ordinal}|new|own|separate) ${piece}\\b`,
    "\\b(?:at|on|in|into|to|onto|as) (?:the )?(?:line|row) \\d",
    `\\b(?:below|above|under|after|before) (?:the )?(?:${ordinal} )?(?:${piece}|\\d|")`,
    "\\b(?:behind|beneath|underneath|between|beside|next to|in front of)\\b",
    `\\b(?:additional|another|extra|further|(?:one )?more) ${piece}\\b`,
    `\\b(?:an?|the|this) ${piece}:? "`,
    "\\b(?:also|additionally) (?:to|in|into)\\b|\\b(?:too|as well|additionally|in addition)[.!]?$",
  ].join("|"),
  "iu",
);

/** All that a plain demand to write a quoted text to a file is made of, beside the text and the file. */
const plainWords: ReadonlySet<string> = new Set(
  `write save put store create make compose record use call run tool please now then and also so just kindly can could you will i want
  a an the this that it its my our new exact exactly following file folder directory document text content contents word words string
  message to in into as at of with from for by named called titled saying says contain contains containing reading holding path me us`.split(
    /\s+/,
  ),
);

/**
 * Whether a clause speaks of a part of a file, or of something to be added to it; or, where it quotes the text, says anything
 * more than which text is to be in which file: "over", "twice", "but keep the rest" are as many ways to mean something else.
 */
export function inPart({ text, mentions }: Reading, tool: string): boolean {
  let [plain, quotes] = [text, false];
  for (const { kind, value, start, end } of mentions.toReversed()) {
    if (kind !== "quoted" && kind !== "path" && kind !== "folder" && value !== tool) continue;
    quotes ||= kind === "quoted";
    plain = `${plain.slice(0, start)}${kind === "quoted" ? '"' : "F"}${plain.slice(end)}`;
  }
  if (part.test(plain.replace(/\s+/gu, " "))) return true;
  const own = new Set(words(tool));
  return quotes && words(plain.replace(/\bF\b/gu, " ")).some((word) => !plainWords.has(word) && !own.has(word));
}

/** A tool that makes a file of what it is given, and leaves nothing of what was in it. */
export const writesWhole = ({ writes, families, parameters }: Profile): boolean =>
  writes && families.has("create") && !families.has("change") && parameters.some(({ kind }) => kind === "path");
