import type { Term } from "../../ranker/bm25.ts";
import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { Clause } from "./clauses.ts";
import { type Described, describedIn } from "./described.ts";
import { arithmeticIn } from "./formula.ts";
import { type Handed, handedIn } from "./handed-said.ts";
import { type Family, familiesOf, isNounish, isWriting, stopWords, synonyms, verbStems } from "./lexicon.ts";
import { linesIn } from "./lines-said.ts";
import { type Mention, mentionsOf } from "./mentions.ts";
import { spelling } from "./spelling.ts";

/** What one clause says, before any tool is looked at. */
export type Reading = {
  readonly clause: Clause;
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** Stems of the words that say what is wanted, arguments left out. */
  readonly content: ReadonlySet<string>;
  /** The same for the ranker, with other words for them. */
  readonly terms: readonly Term[];
  /** What its leading verbs, or the form of its question, ask for. */
  readonly families: ReadonlySet<Family>;
  /** The verbs that it begins with, in the form of a demand; none if it begins otherwise. */
  readonly demands: readonly string[];
  /** It asks for a change, in so many words. */
  readonly writes: boolean;
  readonly counts: boolean;
  /** It holds a sum to work out. */
  readonly arithmetic: boolean;
  /** It looks for a thing that is told by a text in it. */
  readonly described?: Described;
  /** "the longest", "the fewest": which of several is meant. */
  readonly extreme?: "most" | "least";
  /** It points back: at one thing ("it", "the first one"), or at several ("each of them"). */
  readonly refers?: "one" | "many";
  /** It hands on the whole result of the clause before, which it calls so: "save it to b.txt". */
  readonly hands?: Handed;
};

const arguments_: ReadonlySet<string> = new Set(
  "quoted list regex url email glob path folder date time number id name code".split(" "),
);
const most = /\b(?:longest|largest|biggest|most)\b/iu;
const least = /\b(?:shortest|smallest|fewest|least)\b/iu;
const many = /\b(?:them|those|these|each(?: one| file| of)?|every one|all of (?:them|these|those))\b/iu;
const one =
  /\b(?:it|its|(?:this|that|the|same|found) (?:same |found )?(?:file|folder|directory|one|result|match|entry|hit)|the (?:first|second|third|last|longest|largest|biggest|shortest|smallest)(?: (?:of them|one|file|result|match|entry|hit))(?! lines?))\b/iu;
const result = /\b(?:the|its|that) (?:result|output|outcome|answer)\b/iu;
const oneThing = /\b(?:it|its)\b/iu;

const asVerb = spelling(verbStems);

/** Reads a clause. */
export function readingOf(clause: Clause): Reading {
  const { text } = clause;
  const all = mentionsOf(text, clause.held);
  const described = describedIn(text, all);
  // In "the file that exports parse" the verb is no thing to look for.
  const verb = described?.verb;
  const mentions = verb ? all.filter(({ start, end }) => start >= verb.end || end <= verb.start) : all;
  const plain = blank(
    text,
    mentions.filter(({ kind }) => arguments_.has(kind)),
  );
  const spoken = words(plain);
  // A slip in the first word, which mostly is the verb.
  const said = spoken.map((word, index) =>
    index === 0 && familiesOf(stem(word)).size === 0 ? (asVerb(word) ?? word) : word,
  );
  const extreme = most.test(text) ? "most" : least.test(text) ? "least" : undefined;
  const verbs = leadingVerbs(said).filter((verb, index) => index > 0 || !isNounish(verb) || commands(text));
  const asked = askedBy(plain, mentions);
  const families = new Set([...verbs.flatMap((verb) => [...familiesOf(verb)]), ...asked]);
  // "Find the longest file" asks to count; "read the longest file" points back at what was counted.
  const measures =
    extreme !== undefined && (finding.some((family) => families.has(family)) || /^(?:what|which)\b/iu.test(text));
  const arithmetic = sums.test(text) && arithmeticIn(text) !== undefined;
  if (arithmetic) families.add("compute");
  // "The last line of a.txt": there is only one thing to do with it.
  const aFile = mentions.some(({ kind, value }) => kind === "path" && /\w$/u.test(value));
  if (families.size === 0 && aFile && linesIn(text)) families.add("read");
  // A folder is not read, and files of a kind are not listed but found.
  const kinds = new Set(mentions.map(({ kind }) => kind));
  if (families.has("read") && kinds.has("folder") && !kinds.has("path")) families.add("list");
  if (
    (families.has("list") || families.has("read")) &&
    (kinds.has("filetype") || kinds.has("glob")) &&
    !kinds.has("path")
  ) {
    families.delete("list");
    families.delete("read");
    families.add("find");
  }
  if (families.has("create") && /\b(?:e-?mail|mail|message|letter)\b/iu.test(plain)) families.add("send");
  // "Find 'x' in …" looks for the text.
  if (families.has("find") && kinds.has("quoted") && !/\b(?:named|called|matching)\b/iu.test(plain))
    families.add("search");
  if (described) {
    for (const family of ["find", "get", "list", "read"] as const) families.delete(family);
    families.add("search");
  }
  const counts = measures || /\b(?:count|how many|number of|how long is|how often)\b/iu.test(plain);
  if (counts) families.add("count");
  // "List what it exports": such a list is found by searching the text.
  const code = mentions.some(({ kind }) => kind === "code");
  if (code && (families.delete("list") || families.delete("find") || counts)) families.add("search");
  const points = many.test(plain)
    ? "many"
    : ((one.test(plain) || result.test(plain)) && !measures) || oneThing.test(plain)
      ? "one"
      : undefined;
  const content = said.filter(
    (word) => !stopWords.has(word) && !misleading(word, asked, code || described !== undefined),
  );
  const demands = demandsOf(said).filter((verb) => !isNounish(stem(verb)) || commands(text));
  const writes = verbs.some((verb) => familiesOf(verb).size > 0 && [...familiesOf(verb)].every(isWriting));
  const hands = handedIn(text, mentions, demands, writes);
  return {
    clause,
    text,
    mentions,
    content: new Set(content.map(stem)),
    terms: termsOf(content, mentions, counts),
    families,
    demands,
    writes,
    counts,
    arithmetic,
    ...(described && { described }),
    ...(extreme && { extreme }),
    ...(points && { refers: points }),
    ...(hands && { hands }),
  };
}

/** "What does it contain" does not look for something contained, nor does "list its exports" list a folder. */
function misleading(word: string, asked: readonly Family[], code: boolean): boolean {
  if (asked.includes("read") && /^(?:contains?|says?)$/u.test(word)) return true;
  if (asked.includes("search") && /^(?:calls?|uses?|imports?|refers?|includes?)$/u.test(word)) return true;
  return code && ["list", "find"].some((family) => familiesOf(stem(word)).has(family as Family));
}

const finding: readonly Family[] = ["find", "list", "search", "count"];

/** The text with blanks in the place of these mentions. */
export function blank(text: string, mentions: readonly Mention[]): string {
  let rest = text;
  for (const { start, end } of mentions) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  return rest;
}

const sums =
  /^(?:what(?:['’]?s| is| are| does)?|how much(?: is| are)?|calculate|compute|evaluate|work out|solve|run|execute|[-+(\d])/iu;

/** "In src/a.ts, replace …": a verb may come behind where it is to be done. */
const placing: ReadonlySet<string> = new Set("in on at under inside within for from with".split(" "));

function leadingVerbs(said: readonly string[]): readonly string[] {
  return said
    .filter(
      (word, index) =>
        (index === 0 ||
          said.slice(0, index).every((before) => placing.has(before)) ||
          /^(?:to|and|please|you|i|we|must|should)$/u.test(said[index - 1] ?? "")) &&
        familiesOf(stem(word)).size > 0,
    )
    .map(stem);
}

/** The first word, or the one behind where it is to be done; and a second one behind an "and". */
function demandsOf(said: readonly string[]): readonly string[] {
  const at = said.findIndex((word) => !placing.has(word));
  if (at < 0) return [];
  const second = said[at + 1] === "and" ? said[at + 2] : undefined;
  return [said[at] ?? "", ...(second === undefined ? [] : [second])];
}

function askedBy(text: string, mentions: readonly Mention[]): readonly Family[] {
  const files = mentions.some(({ kind, value }) => kind === "path" && /\.\w+$/u.test(value));
  if (/^(?:do we|do i|are there|is there)\b.*\b(?:any|a|an)\b.*\bfiles?\b/iu.test(text)) return ["find"];
  if (/^(?:what(?:['’]?s| is| are| does| do)?\b.*\b(?:in|inside|contain|say)\b|.*\bcontents? of\b)/iu.test(text))
    return files ? ["read"] : ["list"];
  if (/^(?:is|are) there\b.*\b(?:mention|reference|occurrence|use)s?\b/iu.test(text)) return ["search"];
  if (
    /^(?:is|are) there\b/iu.test(text) &&
    (files || mentions.some(({ kind }) => /^(?:path|glob|filetype)$/u.test(kind)))
  )
    return ["find"];
  if (/^(?:who|what|which \w+) (?:calls?|uses?|imports?|mentions?|contains?|refers?)\b/iu.test(text)) return ["search"];
  if (/^(?:does|do)\b.*\b(?:mention|contain|use|import|include|call|refer|have)\b/iu.test(text)) return ["search"];
  if (/^(?:is|are)\b.*\b(?:used|defined|mentioned|called|declared|imported)\b/iu.test(text)) return ["search"];
  if (/^look(?:ing)? for(?: (?:all|any|the))? files?\b/iu.test(text)) return ["find"];
  if (/^look(?:ing)? for\b/iu.test(text)) return ["search"];
  if (/^which files\b.*\b(?:contain|mention|use|import|export|include|refer|have|call)/iu.test(text)) return ["search"];
  if (/^(?:which|what) files?\b/iu.test(text)) return ["find"];
  if (/^where\b/iu.test(text))
    return mentions.some(({ kind }) => kind === "identifier" || kind === "quoted") ? ["search"] : ["find"];
  return [];
}

function termsOf(content: readonly string[], mentions: readonly Mention[], counts: boolean): readonly Term[] {
  const terms: Term[] = content.map((word) => ({ token: stem(word) }));
  const hint = (text: string, weight: number) =>
    terms.push(...words(text).map((word) => ({ token: stem(word), weight })));
  for (const word of content) hint(synonyms[word] ?? "", 0.6);
  // "The President" is a name for the grammar, and may be what a tool is about.
  for (const { kind, value } of mentions) if (kind === "name") hint(value, 0.7);
  if (mentions.some(({ kind }) => kind === "path" || kind === "filetype" || kind === "glob")) hint("file", 0.4);
  if (mentions.some(({ kind }) => kind === "folder")) hint("folder directory", 0.4);
  if (counts) hint("count", 0.8);
  if (mentions.some(({ kind }) => kind === "code")) hint("search text", 0.6);
  return terms;
}

/** A reading of a part of a clause, or of parts put together. */
export function partOf({ clause }: Reading, text: string): Reading {
  return readingOf({ ...clause, text });
}

/** A reading in which slips in words that a tool is about are corrected. */
export function respelled(reading: Reading, correct: (word: string) => string | undefined): Reading {
  const fixes = new Map(
    [...reading.content].flatMap((word) => {
      const right = familiesOf(word).size > 0 ? undefined : correct(word);
      return right === undefined ? [] : [[word, right] as const];
    }),
  );
  if (fixes.size === 0) return reading;
  return {
    ...reading,
    content: new Set([...reading.content].map((word) => fixes.get(word) ?? word)),
    terms: reading.terms.map((term) => ({ ...term, token: fixes.get(term.token) ?? term.token })),
  };
}

/** "Order a pizza" commands, "order status" names a thing: what follows such a verb is an article, a number, a quote … */
function commands(text: string): boolean {
  return /^\S+\s+(?:an?|the|my|me|us|him|her|them|it|this|that|some|all|one|two|three|\d|["'`“‘([#]|\S*[@/.]\w|\S*[-_]\d|\p{Lu}|it\b)/u.test(
    text,
  );
}
