import { words } from "../../ranker/tokens.ts";
import type { Mention } from "./mentions.ts";

/** What a clause calls the result of the one before; "altered" is one with which something has to be done first. */
export type Handed = "altered" | "it" | "them" | "result" | "number" | "list" | "matches" | "contents";

const nouns: readonly (readonly [Handed, string])[] = [
  ["result", "results?|outputs?|outcome|answer"],
  ["number", "number|count|total|sum|value"],
  ["list", "list|listing"],
  ["matches", "matches|hits|occurrences|matching lines|findings"],
  ["contents", "contents?|text"],
];
const forms: readonly (readonly [Handed, RegExp])[] = [
  ...nouns.map(([object, noun]): readonly [Handed, RegExp] => [
    object,
    new RegExp(`\\b(?:the|its|that|this|their|these|those) (?:${noun})\\b(?! (?:is|of)\\b)`, "iu"),
  ]),
  ["them", /\b(?:all (?:of )?)?(?:them|those|these)\b/iu],
  ["it", /\b(?:all of )?(?:it|that|this)\b/iu],
];

// With any other word the result is not what is wanted as it is: "write it in capitals", "write it to the end of a.txt".
const around: ReadonlySet<string> = new Set(
  "to into in as under at a an the my our new text file called named titled with subject title please for me us now too also then down out".split(
    " ",
  ),
);

/** What a clause says of the result before, if it hands all of that on as it is: "save it to b.txt". */
export function handedIn(
  text: string,
  mentions: readonly Mention[],
  demands: readonly string[],
  writes: boolean,
): Handed | undefined {
  return plainIn(text, mentions, demands) ?? (writes && object.test(text) ? "altered" : undefined);
}

/** "Write it in French": the pronoun is what is to be written, and no other word of the clause. */
const object =
  /^\p{L}+\s+(?:all of )?(?:(?:it|them|those|these)\b|(?:that|this)(?=\s+(?:to|into|in|as|under|down|for|at)\b|$))/iu;

function plainIn(text: string, mentions: readonly Mention[], demands: readonly string[]): Handed | undefined {
  const found = forms.map(([object, form]) => [object, form.exec(text)] as const).find(([, match]) => match);
  const [object, match] = found ?? [];
  if (object === undefined || !match) return undefined;
  const [start, end] = [match.index, match.index + match[0].length];
  if (mentions.some((one) => one.start < end && one.end > start)) return undefined;
  const rest = mentions.reduceRight(
    (left, one) => `${left.slice(0, one.start)}${" ".repeat(one.end - one.start)}${left.slice(one.end)}`,
    `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`,
  );
  const plain = words(rest).every((word) => around.has(word) || demands.includes(word));
  const named = mentions.map((one) => destination(one, text));
  const targets = named.filter((one) => one === "target").length;
  return plain && targets === 1 && named.every((one) => one !== undefined) ? object : undefined;
}

/** Where the result goes, or a title that it gets; anything else says what is to be done with it first. */
function destination({ kind, value, start }: Mention, text: string): "target" | "title" | undefined {
  const lead = text.slice(0, start);
  if (/\b(?:subject|titled?)\s*$/iu.test(lead)) return "title";
  if (kind === "quoted") return /[./]/u.test(value) && !/\s/u.test(value) ? "target" : undefined;
  const goes = /\b(?:to|into|in|as|under|at|file|called|named)\s+(?:the\s+|a\s+|an\s+|my\s+)?$/iu.test(lead);
  if (!goes || (kind === "path" && value.endsWith("/"))) return undefined;
  if (kind === "name") return value.startsWith("#") || /\b(?:to|into)\s+$/iu.test(lead) ? "target" : undefined;
  return kind === "path" || kind === "email" || kind === "url" || kind === "id" ? "target" : undefined;
}
