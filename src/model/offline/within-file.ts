import { stem } from "../../ranker/stem.ts";
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

/** Whether a clause speaks of a part of a file, or of something to be added to it. */
export function inPart({ text, mentions }: Reading): boolean {
  let plain = text;
  for (const { kind, start, end } of mentions.toReversed())
    if (kind === "quoted" || kind === "path")
      plain = `${plain.slice(0, start)}${kind === "path" ? "F" : '"'}${plain.slice(end)}`;
  return part.test(plain.replace(/\s+/gu, " "));
}

/** A tool that makes a file of what it is given, and leaves nothing of what was in it. */
export const writesWhole = ({ writes, families, parameters }: Profile): boolean =>
  writes && families.has("create") && !families.has("change") && parameters.some(({ kind }) => kind === "path");
