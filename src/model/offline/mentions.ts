import { stem } from "../../ranker/stem.ts";
import { datePatterns, isoDate } from "./dates.ts";
import { codeWords, currencies, extensions, familiesOf, fileKinds, folderNames, stopWords } from "./lexicon.ts";
import { listIn, listPattern } from "./literals.ts";
import { mark, withoutQuotes } from "./masking.ts";
import { digits, digitsValue, spoken, spokenValue } from "./numbers.ts";

export type MentionKind =
  | "quoted"
  | "list"
  | "regex"
  | "url"
  | "email"
  | "glob"
  | "path"
  | "folder"
  | "filetype"
  | "date"
  | "time"
  | "number"
  | "id"
  | "identifier"
  | "acronym"
  | "name"
  | "code"
  /** Plain words that may be meant; only made where a parameter needs some. */
  | "phrase";

/** Something in a clause that can become an argument; `start` and `end` are offsets in its text. */
export type Mention = {
  readonly kind: MentionKind;
  readonly value: string;
  readonly start: number;
  readonly end: number;
};

type Rule = {
  readonly kind: MentionKind;
  readonly pattern: RegExp;
  value?(match: RegExpExecArray): string | undefined;
  /** Whether a match stands where it may; in `rest` what has been found already is blank. */
  fits?(match: RegExpExecArray, rest: string, text: string): boolean;
};

// Letters of all languages stand in the names of files, and what may stand beside a name belongs to another.
const letter = "\\p{L}\\p{N}\\p{M}_";
const file = `[${letter}@~-][${letter}@.+~-]*\\.(?:${extensions})`;
const before = `(?<![${letter}@./*$%#:\\\\-])`;
/** A piece of a path: also "[id].ts" and "(group)/page.tsx". */
const piece = `(?:[${letter}@.+~-]|\\[[\\w.-]+\\](?=[./\\w])|\\([\\w-]+\\)(?=\\/))`;
const notPaths = /^(?:and\/or|he\/she|his\/her|n\/a|w\/o|[a-z]{1,2}\/[a-z]|\p{Lu}+\/\p{Lu}+|[\d/.]+)$/u;
const capital = "(?:(?:Inc|Co|Ltd|Corp|Jr|Sr|St|Dr|Mr|Mrs|Ms|Mt)\\.|(?:\\p{Lu}\\.){1,4}|\\p{Lu}[\\p{L}\\p{M}'’-]+)";
const joined = "(?:de |da |la |of |the |& )?";

const notFolders: ReadonlySet<string> = new Set(
  "and or for in is are was were of with that which called named to the has have had does do did can contain contains hold holds from on at".split(
    " ",
  ),
);
/** What leads up to a folder that stands beside others, which are blank by then. */
const besideFolders =
  /\b(?:in|under|inside|within|across|list)\s+(?:the\s+)?[\s,]{3,}(?:\band\s+|\bor\s+)?(?:the\s+)?$/iu;

// In order of precedence: what an earlier rule has taken is blank for the later ones.
const rules: readonly Rule[] = [
  { kind: "quoted", pattern: /```[\w-]*\n([\s\S]*?)\n?```/gu, value: (m) => m[1] },
  {
    kind: "list",
    pattern: listPattern,
    value: (m) => (listIn(m[0]) ? m[0] : undefined),
    fits: ({ index, 0: { length } }, rest) =>
      !insideQuotes(rest, index) && rest[index - 1] !== "/" && !/^[./]\w/u.test(rest.slice(index + length)),
  },
  {
    kind: "quoted",
    pattern:
      /"([^"\n]+)"|“([^“”\n]+)”|`([^`\n]+)`|«([^«»\n]+)»|‘([^‘’\n]+)’|(?<![\p{L}\p{N}])'((?:[^'\n]|(?<=\p{L})'(?=\p{L}))+)'(?![\p{L}\p{N}])/gu,
    value: (m) => m.slice(1).find((group) => group !== undefined),
  },
  { kind: "url", pattern: /\bhttps?:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]/gu },
  { kind: "email", pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu },
  {
    kind: "regex",
    pattern: /(?<=^|\s)\/((?:\\.|[^/\s\\])+)\/[gimsuy]*(?=$|[\s,.;?!])/gu,
    value: (m) => (/[\\^$*+?|()[\]]/u.test(m[1] ?? "") ? m[1] : undefined),
  },
  {
    kind: "glob",
    pattern: /(?<=^|[\s(])[^\s"'`,;()]*(?:\*\*|\*[./]|[./]\*|\*\.)(?:\{[^}\s]*\}|[^\s"'`,;(){}])*/gu,
    value: (m) => m[0].replace(/[.?!:]+$/u, ""),
  },
  {
    kind: "filetype",
    pattern: new RegExp(
      `(?<=^|\\s)\\.?(${extensions})(?= files?\\b)|(?:end(?:s|ing)? (?:in|with)|extension) \\*?\\.?(${extensions})\\b`,
      "giu",
    ),
    value: (m) => `*.${(m[1] ?? m[2] ?? "").toLowerCase()}`,
  },
  {
    kind: "filetype",
    pattern: new RegExp(
      `\\b(${Object.keys(fileKinds).join("|")})(?: source)?(?= (?:files?|scripts?|modules?|documents?|notebooks?|pages?)\\b)`,
      "giu",
    ),
    value: (m) => fileKinds[(m[1] ?? "").toLowerCase()],
  },
  ...datePatterns.map(
    (pattern): Rule => ({
      kind: "date",
      pattern,
      value: (m) => isoDate(m[0]),
      fits: ({ index, 0: { length } }, rest) => !inFileName(rest, index, index + length),
    }),
  ),
  {
    kind: "folder",
    pattern: /\b(?:folder|directory)\s+([\w.@-]+(?:\/[\w.@-]+)*)\/?(?=$|[\s,.;?!])/gu,
    value: (m) => (notFolders.has(m[1] ?? "") ? undefined : m[1]),
  },
  {
    kind: "path",
    pattern: new RegExp(
      `${before}(?:~\\/|\\.{1,2}\\/|\\/)?${piece}*\\/(?:${piece}|\\/)*(?![${letter}@.+~/[({$%#\\\\-])`,
      "gu",
    ),
    value: (m) => pathOf(m[0]),
  },
  { kind: "path", pattern: new RegExp(`${before}${file}(?![${letter}@/~#$%+\\\\-]|\\.[${letter}])`, "gu") },
  {
    kind: "path",
    pattern: /(?<![\w./-])(?:README|CHANGELOG|AGENTS|CONTRIBUTING)(?![\w./-])/gu,
    value: (m) => `${m[0]}.md`,
  },
  {
    kind: "path",
    pattern: /(?<![\w./-])(?:LICENSE|Makefile|Dockerfile)(?![\w./-])|(?<=^|\s)\.[a-z][\w-]+(?:\.\w+)*/gu,
    fits: ({ index }, _rest, text) => index === 0 || !/\S/u.test(text[index - 1] ?? "") || text[index] !== ".",
  },
  {
    kind: "folder",
    pattern: /(?<![\w.@-])([\w.@-]+)\s+(?:folder|directory|dir)\b/giu,
    value: (m) =>
      /^(?:the|a|this|that|which|current|working|same|its|each|every|any|root|project)$/iu.test(m[1] ?? "")
        ? undefined
        : m[1],
  },
  {
    kind: "folder",
    pattern:
      /\b(?:in|under|inside|within|below|of|list|across|from|search)\s+(?:the\s+)?([a-z][\w.-]*)(?=$|[\s,?!)])/giu,
    value: (m) =>
      folderNames.has(m[1] ?? "") || /^(?:under|inside|below)\s+(?:the\s+)?\p{Ll}/u.test(m[0]) ? m[1] : undefined,
  },
  // "In docs and src".
  {
    kind: "folder",
    pattern: new RegExp(
      `(?<=(?:,|\\band|\\bor)\\s+(?:the\\s+)?)(?:${[...folderNames].join("|")})(?=$|[\\s,?!)])`,
      "gu",
    ),
    value: (m) => m[0],
    fits: ({ index }, rest) => besideFolders.test(rest.slice(Math.max(0, index - 120), index)),
  },
  { kind: "name", pattern: /(?<![\w#&/])#[a-z][\w-]*/giu },
  { kind: "time", pattern: /\b\d{1,2}:\d{2}(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b/giu },
  { kind: "id", pattern: /(?<![\w.-])(?:\p{Lu}+-?\d[\w-]*|[a-z]+[-_]\d[\w-]*)(?![\w])|#\d+\b/gu },
  // A number of a telephone is one thing, and no amount.
  {
    kind: "id",
    pattern:
      /(?<![\w.,/-])(?:\+\d{1,3}[ -]?)?(?:\(\d{2,4}\)[ -]?)?\d{3}[ -]?\d{3}[ -]\d{4}(?![\w/-]|[.,]\d)|(?<![\w.,/-])\d{3}-\d{4}(?![\w/-]|[.,]\d)|(?<![\w.,/-])\+\d{1,3}(?:[ -]?\d{2,5}){2,4}(?![\w/-]|[.,]\d)/gu,
  },
  {
    kind: "acronym",
    pattern: new RegExp(`\\b(?:${currencies.map(([name]) => `(${name}s?)`).join("|")})\\b`, "giu"),
    value: (m) => currencies[m.slice(1).findIndex((group) => group !== undefined)]?.[1],
  },
  { kind: "acronym", pattern: /[$€£¥](?=\s?\d)/gu, value: (m) => signs[m[0]] },
  { kind: "number", pattern: digits, value: (m) => digitsValue(m[0]) },
  { kind: "number", pattern: spoken, value: (m) => spokenValue(m[0]) },
  {
    kind: "name",
    pattern: new RegExp(`(?<=\\S\\s+)${capital}(?: ${joined}${capital})+(?:,\\s\\p{Lu}{2}\\b)?`, "gu"),
    value: (m) => nameIn(m[0]),
  },
  {
    kind: "identifier",
    pattern: /(?<![\w.-])(?:[a-z$][\w$]*\p{Lu}[\w$]*|\p{Lu}[a-z0-9]+\p{Lu}[\w$]*|[A-Za-z]+_\w+)(?:\(\))?/gu,
    value: (m) => m[0].replace(/\(\)$/u, ""),
  },
  {
    kind: "code",
    pattern: new RegExp(`\\b(${Object.keys(codeWords).join("|")})\\b`, "giu"),
    value: (m) => codeWords[(m[1] ?? "").toLowerCase()],
  },
  { kind: "acronym", pattern: /(?<!\p{L},\s)\b\p{Lu}{2}\b|\b\p{Lu}{3,5}\b/gu },
  // "From A to B": letters that stand for things.
  { kind: "name", pattern: /(?<=\b(?:from|to|into)\s)[A-HJ-Z](?=\s|[,.;?!]|$)/gu },
  {
    kind: "name",
    pattern: new RegExp(`(?<=\\S\\s+)${capital}(?:,\\s\\p{Lu}{2}\\b)?`, "gu"),
    value: (m) => nameIn(m[0]),
  },
];

const behindDate = new RegExp(`^[\\w+-]*\\.(?:${extensions})\\b`, "u");

/** "Notes of 2026-03-01.md" names a file, not a day. */
function inFileName(text: string, start: number, end: number): boolean {
  return (
    behindDate.test(text.slice(end, end + 60)) || /[\w/]\/$|[\w-]-$/u.test(text.slice(Math.max(0, start - 2), start))
  );
}

/** The sign of a currency before an amount: it is that currency to who asks for one, and nothing else to anybody. */
export function isSign({ kind, start, end }: Mention): boolean {
  return kind === "acronym" && end - start === 1;
}

const signs: { readonly [sign: string]: string } = { $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY" };

/** Everything in a clause that can become an argument, in order. */
export function mentionsOf(text: string, held: readonly string[] = []): readonly Mention[] {
  const found: Mention[] = [];
  let rest = text;
  for (const match of held.length > 0 ? text.matchAll(mark) : []) {
    const value = held[Number(match[1])] ?? "";
    const [start, end] = [match.index, match.index + match[0].length];
    found.push({ kind: value.startsWith("http") ? "url" : "quoted", value: withoutQuotes(value), start, end });
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  }
  for (const { kind, pattern, value, fits } of rules) {
    for (const match of rest.matchAll(pattern)) {
      if (fits && !fits(match, rest, text)) continue;
      const read = value ? value(match) : match[0];
      if (read === undefined || read === "") continue;
      // A pattern may reach over words that only lead up to the value, such as "in the"; those stay free.
      const inside = kind === "folder" || kind === "path" || kind === "name" ? Math.max(0, match[0].indexOf(read)) : 0;
      const start = match.index + inside;
      const end = match.index + match[0].length;
      found.push({ kind, value: read, start, end });
      rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
    }
  }
  return found.sort((a, b) => a.start - b.start).slice(0, mostMentions);
}

/** More in one clause than anybody means. */
const mostMentions = 60;

/** What a quoted text would be without its quotes: a path, a glob, a url … */
export function kindOfQuoted(value: string): MentionKind | undefined {
  if (value.length > 500 || /\s/u.test(value)) return undefined;
  const [only, ...more] = mentionsOf(value);
  return only && more.length === 0 && only.end - only.start === value.length ? only.kind : undefined;
}

function pathOf(found: string): string | undefined {
  const path = found.replace(/[.:]+$/u, "");
  if (!/[\w]/u.test(path) && !/^(?:\.{1,2}|~)?\/$/u.test(path)) return undefined;
  return notPaths.test(path) ? undefined : path;
}

function insideQuotes(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return ['"', "`"].some((quote) => before.split(quote).length % 2 === 0);
}

/** A name without the words of a new sentence before it and the full stop behind it. */
function nameIn(found: string): string | undefined {
  const parts = found.replace(/['’]s$/u, "").split(" ");
  while (parts.length > 0 && grammatical(parts[0] ?? "")) parts.shift();
  return parts.join(" ");
}

function grammatical(word: string): boolean {
  const plain = word.toLowerCase().replace(/['’.].*$/u, "");
  return stopWords.has(plain) || stopWords.has(word.toLowerCase()) || familiesOf(stem(plain)).size > 0;
}
