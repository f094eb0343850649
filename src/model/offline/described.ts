import { stopWords } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import { escaped } from "./take.ts";

/** How the text that is looked for stands in the file that is looked for. */
export type Standing = "defined" | "imported" | "used" | "somewhere";

/** A thing that is told by the text in it: "the file that defines parseDate". */
export type Described = {
  readonly standing: Standing;
  /** One is looked for; several are found by the very words. */
  readonly one: boolean;
  /** The words of what it holds, as offsets in the clause; and the verb before or behind them. */
  readonly start: number;
  readonly end: number;
  readonly verb: { readonly start: number; readonly end: number };
};

/** Nouns of what is a file; and of what may be part of one, or something else altogether. */
export const fileNouns = "file|module|script|document|doc|readme|stylesheet|notebook";
const partNouns = "source|page|class|function|method|component|test|code|place|guide|note";
const nouns = `${fileNouns}|${partNouns}`;
const symbols = "function|class|method|const|constant|variable|type|interface|component|hook|enum|struct|trait|symbol";
const where = "(?:\\s+(?:in|under|inside|within)\\s+(?:the\\s+)?[\\w./*-]+(?:\\s+(?:folder|directory))?)?";
const looks =
  "(?:find|locate|identify|search(?:\\s+for)?|look(?:ing)?\\s+for|get|figure out|find out|tell me|show me|work out)";
const verbs =
  "defin\\w+|declar\\w+|implement\\w*|export\\w*|contain\\w*|mention\\w*|import\\w*|us(?:es?|ing)|calls?|calling|referenc\\w+|refers? to|includ\\w+|ha(?:s|ve|ving)|handl\\w+|sets?|setting|holds?|holding|talks?(?: about)?|talking about|describ\\w+|explain\\w*|discuss\\w*|says?|saying|configur\\w+|creat\\w+|registers?|throws?|(?!(?:is|was|does|ends|begins|starts|matches)\\b)\\p{L}{3,}s";
const participles =
  "defining|declaring|implementing|exporting|containing|mentioning|importing|using|calling|referencing|including|describing|with the (?:text|word|words|phrase|string)";
const passive =
  "defined|declared|implemented|exported|imported|used|called|mentioned|set|configured|handled|described|documented|explained|created|registered|thrown";
const noun = `(?:[\\p{L}-]+\\s+){0,2}?(?:(?:${fileNouns})(?<many>s)?|(?<part>${partNouns}))`;
const article = "(?:(?:all(?:\\s+the)?|the|a|an|whichever|whatever|any|that|one|our|my)\\s+)";

/** A form with the groups "verb" and "what"; `code`: only names of code, or a quote, can be meant. */
type Form = { readonly pattern: RegExp; readonly code?: true };
const of = (pattern: string): Form => ({ pattern: new RegExp(pattern, "diu") });
const ofCode = (pattern: string): Form => ({ ...of(pattern), code: true });

const forms: readonly Form[] = [
  of(`^${looks}\\s+${article}?${noun}${where}\\s+(?:that|which)\\s+(?<verb>${verbs})\\s+(?<what>.+)$`),
  of(`^${looks}\\s+${article}?${noun}${where}\\s+(?<verb>${participles})\\s+(?<what>.+)$`),
  of(`^${looks}\\s+${article}?${noun}${where}\\s+(?<verb>with)\\s+(?<what>(?:the\\s+)?(?:most|fewest|least)\\s+.+)$`),
  of(
    `^(?:${looks}\\s+)?(?:${article}?${noun}${where}\\s+(?:where|in which)|where)\\s+(?<what>.+?)\\s+(?:is|are|gets?)\\s+(?<verb>${passive})\\b`,
  ),
  of(`^(?:${looks}\\s+)?(?:out\\s+)?(?:which|what)\\s+${noun}${where}\\s+(?<verb>${verbs})\\s+(?<what>.+)$`),
  ofCode(`^where\\s+(?:is|are)\\s+(?<what>.+?)\\s+(?<verb>${passive})\\b`),
  ofCode(
    `^${looks}\\s+${article}?(?<verb>definition|declaration|implementation|usages?|uses?|references?|callers?|calls?)\\s+(?:of|to)\\s+(?<what>.+)$`,
  ),
  ofCode(`^${looks}\\s+${article}?(?<verb>${symbols})\\s+(?<what>\\S+)`),
];

const hint = new RegExp(
  `\\b(?:${nouns}|${symbols}|where|definition|declaration|implementation|usage|use|reference|call|caller)s?\\b`,
  "iu",
);

/** What a clause says of the text in the thing that it looks for; undefined if it describes none. */
export function describedIn(text: string, mentions: readonly Mention[]): Described | undefined {
  if (!hint.test(text)) return undefined;
  for (const { pattern, code } of forms) {
    const found = pattern.exec(text);
    const [what, verb] = [found?.indices?.groups?.what, found?.indices?.groups?.verb];
    if (!what || !verb || measure.test(text.slice(...what))) continue;
    const start = what[0] + (labels.exec(text.slice(...what))?.[0].length ?? 0);
    const end = endOf(text, start, what[1], mentions);
    if (end <= start || ((code || found?.groups?.part) && !isCode(mentions, start, end))) continue;
    const one = found?.groups?.many === undefined;
    return { standing: standingOf(text.slice(...verb)), one, start, end, verb: { start: verb[0], end: verb[1] } };
  }
  return undefined;
}

const units = "(?:lines?|words?|bytes|characters|text|content)";
/** "The most lines", "more than 100 lines": to be counted, not looked for. */
const measure = new RegExp(
  `^(?:the\\s+)?(?:(?:most|fewest|least|greatest|highest|lowest)\\s+(?:number of\\s+)?|(?:more|fewer|less|at least|at most|over|under|exactly|only)\\s+(?:than\\s+)?[\\w,]+\\s+|any\\s+|no\\s+)${units}$`,
  "iu",
);

/** "The word tax" is "tax", and so is "the fewest tax". */
const labels =
  /^(?:the\s+)?(?:(?:(?:most|fewest|least)\s+)(?:(?:uses?|occurrences?|mentions?)\s+of\s+)?|(?:words?|terms?|text|strings?|phrase)\s+)(?=\S)/iu;

/** Where the folder in which is looked begins, or a remark behind a comma, what is looked for ends. */
function endOf(text: string, start: number, end: number, mentions: readonly Mention[]): number {
  const inside = mentions.filter((one) => one.start >= start && one.end <= end);
  const places = inside
    .filter(({ kind }) => placeKinds.has(kind))
    .flatMap((one) => {
      const lead = /\s+(?:somewhere\s+)?(?:in|under|inside|within|from|across|of|below)\s+(?:the\s+|all\s+)?$/iu.exec(
        text.slice(start, one.start),
      );
      return lead ? [start + lead.index] : [];
    });
  const commas = [...text.slice(start, end).matchAll(/,\s/gu)]
    .map(({ index }) => start + index)
    .filter((at) => !inside.some((one) => one.start <= at && one.end > at));
  return Math.min(end, ...places, ...commas);
}

const placeKinds: ReadonlySet<string> = new Set(["path", "folder", "glob", "filetype"]);
const codeKinds: ReadonlySet<string> = new Set(["identifier", "quoted", "acronym", "regex"]);

function isCode(mentions: readonly Mention[], start: number, end: number): boolean {
  return mentions.some((one) => codeKinds.has(one.kind) && one.start < end && one.end > start);
}

function standingOf(verb: string): Standing {
  if (
    /^(?:defin|declar|implement|export|function|class|method|const|variable|type|interface|component|hook|enum|struct|trait|symbol|creat)/iu.test(
      verb,
    )
  )
    return "defined";
  if (/^import/iu.test(verb)) return "imported";
  return /^(?:us|call|refer)/iu.test(verb) ? "used" : "somewhere";
}

/** Plain words as a pattern: without articles around them, whatever stands between them, also in the singular. */
export function looseWords(text: string): string | undefined {
  const said = trimmed(text);
  const last = said.pop();
  if (last === undefined) return undefined;
  const singular = /\p{L}{3}[^su]s$/iu.test(last) ? last.slice(0, -1) : last;
  return [...said, singular].map(escaped).join("[\\s_-]*");
}

/** Plain words as they are, without articles around them. */
export function plainWords(text: string): string | undefined {
  const said = trimmed(text);
  return said.length === 0 ? undefined : said.map(escaped).join(" ");
}

function trimmed(text: string): string[] {
  const said = text.split(/[\s_-]+/u).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  while (said.length > 0 && empty(said[0])) said.shift();
  while (said.length > 0 && empty(said.at(-1))) said.pop();
  return said;
}

function empty(word: string | undefined): boolean {
  return word !== undefined && (word === "" || stopWords.has(word.toLowerCase()));
}
