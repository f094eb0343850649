import { isPlainVerb } from "./lexicon.ts";
import { longestQuote, masked, unmasked } from "./masking.ts";
import { bindsBack, isQuestion, isWary, looksBack } from "./wary.ts";

/** A part of a request that asks for one thing. */
export type Clause = {
  readonly text: string;
  /** Why nothing may be picked for it, whatever it says. */
  readonly barred?: "negated" | "question" | "condition" | "length" | "untold";
  /** Its sentence holds a "not", an "if", a "would" …, or asks: nothing may be changed for it. */
  readonly wary?: true;
  /** Long quotes that stand in the text as marks. */
  readonly held?: readonly string[];
};

const splitVerbs =
  "read|show|open|print|list|find|locate|search|grep|glob|count|get|fetch|give|tell|check|calculate|compute|convert|create|write|add|send|delete|remove|update|set|turn|switch|run|summari[sz]e|report|explain|compare|translate|book|reserve|schedule|look|cat|say|order|email|mail|replace|change|edit|save|store|make|put|evaluate|execute|rename|move|view|display|append|insert|cancel|track|work out|don't|do not|never";
const splitQuestions = "what|which|where|how many|how much|who|when";

const sentenceEnd = /(?<!\b(?:e\.g|i\.e|Dr|Mr|Mrs|Ms|St|vs|etc|No)\.)(?<=[.!?…])\s+(?=[\p{L}\p{N}(\uE000])/u;
const listMark = /(?:^|\s)\(?\d{1,2}[.)]\s+(?=[\p{L}\uE000])/u;
const connective =
  /[,.]?\s+(?:and\s+)?(?:then|afterwards|after that)\b[,:]?\s*|,\s*(?:and\s+)?(?:next|finally)\b[,:]?\s*|,?\s+but\s+|,\s*(?:just|instead|rather)\s+|,\s*i\s+(?:just|only)\s+(?:want|need)\s+to\s+/iu;
/** Behind what is not wanted: "do not change a.txt, only read it", "without changing anything show a.txt". */
const onlyVerb = new RegExp(`[,.]?\\s+(?:(?:just|only|simply|merely|please)\\s+)+(?=(?:${splitVerbs})\\s)`, "iu");
const adverbial = new RegExp(
  `^((?:without|instead of|rather than)\\s+\\w+ing\\b.*?)[,\\s]\\s*(?=(?:${splitVerbs})\\s)`,
  "iu",
);
const nextVerb = new RegExp(`(?:,\\s*(?:and\\s+)?|\\s+and\\s+)(?=(?:${splitVerbs}|${splitQuestions})\\s)`, "iu");
const condition = /^(?:if|when|whenever|unless|once|in case|otherwise|else|as soon as)\b/iu;
const negation =
  /^(?:do not|don['’]t|never|avoid|stop|no need|refrain from|(?:without|instead of|rather than)\s+\w+ing\b|(?:you\s+)?(?:must|should|may|shall|need)(?:\s+not|n['’]t)\b|(?:make sure|be careful|take care|remember)\s+(?:not|never)\s+to\b|i\s+(?:do not|don['’]t|never)\s+(?:want|need|wish)\b)/iu;
const question =
  /^(?:(?:(?:show|tell|teach|explain|describe|demonstrate|let|help)\s+(?:(?:to\s+)?(?:me|us)\s+)?(?:know\s+|understand\s+|learn\s+)?)?(?:how (?:do|does|did|can|could|would|should|to|i|you|we|one|people|somebody|someone)|why)\b|(?:should|may|must) (?:i|we)\b)/iu;
const politeness =
  /^(?:(?:hi|hello|hey|ok|okay|thanks|thank you|please|now|also|so|well|and|just|kindly|then|first|firstly|second|secondly|third|next|lastly|finally)\s*[,:!]\s*|(?:please|also|now|just|kindly|and|then|finally)\s+|(?:can|could|would|will) you\s+|i(?:'d| would)? (?:want|need|like)(?: you)? to\s+|i want you to\s+|let['’]s\s+|let us\s+|go ahead and\s+|(?:only|simply|merely)\s+(?=(?:read|show|print|open|display|list|view|find|search|look|tell|give)\s)|(?:start|begin|continue|keep)\s+(?=\w+ing\b))/iu;
// What is reported anyway.
const reporting =
  /^(?:tell|show|give|report|let)(?: me| us)?(?: know| back| what)?(?: (?:the|its|their|your|all))?(?: (?:result|output|answer|outcome|value|finding)s?)?(?: (?:is|are|of it|please))?$/iu;
const greeting =
  /^(?:hi|hello|hey|thanks|thank you|ok|okay|please|good (?:morning|day|evening))(?: there| a lot| so much| very much)?$/iu;

/** More than this of a request is not read at once: characters outside of quotes, and clauses. */
const mostChars = 6000;
const mostClauses = 32;
const longestClause = 1500;

/**
 * Splits a request into clauses, in order: sentences, lines, list items, "…, then …", ";", and a comma or "and" before a
 * verb. What stands in quotes is never split. Greetings are dropped.
 */
export function clausesOf(request: string): readonly Clause[] {
  const { text, held } = masked(request);
  const read = cut(text, mostChars);
  const sentences = read
    .replace(/:[ \t]*\n\s*(?=\uE000)/gu, ": ")
    .split(/\n[ \t]*\n\s*/u)
    .flatMap(paragraph)
    .flatMap(({ text, wary }) => {
      const whole = wary || (text.includes(";") && isWary(bare(text)));
      return text.split(/;\s*/u).flatMap((part) => listItems(part).map((item) => ({ text: item, wary: whole })));
    })
    .flatMap(({ text, wary }) => text.split(sentenceEnd).map((sentence) => ({ text: sentence, wary })));
  const all = boundByLater(sentences)
    .flatMap(({ text, wary }) => scoped(text, wary))
    .map(({ text, wary }) => ({ text: bare(text), wary }))
    .filter(
      ({ text: part }) => /[\p{L}\p{N}]/u.test(unmasked(part, held, Number.POSITIVE_INFINITY)) && !greeting.test(part),
    )
    .filter(({ text: part }, index) => index === 0 || !reporting.test(part));
  const clauses = all
    .slice(0, mostClauses)
    .map((part) => clauseOf(unmasked(cut(part.text, longestClause), held), held, part.wary));
  const left =
    all[mostClauses]?.text ?? (read.length < text.length ? text.slice(read.length, read.length + 200).trim() : "");
  return left === "" ? clauses : [...clauses, { text: unmasked(left, held), barred: "length" }];
}

/** A whole request as one clause, as far as it is read. */
export function wholeOf(request: string): Clause {
  const { text, held } = masked(request);
  const wary = text
    .split(/\n+/u)
    .some((line) =>
      line.split(sentenceEnd).some((one) => isWary(bare(one)) || isQuestion(one) || looksBack(bare(one))),
    );
  return { text: unmasked(cut(text, longestClause), held), held, ...(wary && { wary }) };
}

/** The lines of a paragraph. Behind the first, and not under a heading of it, they are what the request is about. */
function paragraph(text: string, index: number, all: readonly string[]): readonly Scoped[] {
  const begins = index === 0 || (/:\s*$/u.test(all[0]!) && heading.test(bare(lastLine(all[0]!))));
  return text
    .split(/\n+/u)
    .flatMap(told)
    .map((line) => (begins ? line : { ...line, wary: true }));
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

type Scoped = { readonly text: string; readonly wary: boolean };

const heading =
  /^(?:do|run|perform|follow|complete|carry|here|these|the following|steps?|tasks?|to-?do|what to do)\b/iu;

/** Marks of a line that is quoted, a heading, a comment, a line of a log, done or struck out: no plain demand. */
const setApart = /^\s*(?:>|#|\/[/*]|<!--|\[\p{L}+\]\s|(?:[-*+]\s+)?\[x\])|~~/iu;

/** A line "Bob said:" makes the lines below it his, up to the next one of that kind. */
function told(line: string, index: number, lines: readonly string[]): Scoped {
  if (setApart.test(line)) return { text: line, wary: true };
  const above = lines.slice(0, index).findLast((one) => /:\s*$/u.test(one));
  return { text: line, wary: above !== undefined && (!heading.test(bare(above)) || isWary(bare(above))) };
}

const leading = new RegExp(
  `^(?:${splitVerbs}|${splitQuestions}|what['’]?s|in|on|at|under|inside|within|for|from|with|use|call|if)(?![\\p{L}\\p{N}])`,
  "iu",
);

/** "List the commands: …", "Explain: …": what stands behind the colon is spoken of. */
const spokenOf =
  /^(?:list|show|print|explain|describe|translate|quote|repeat|spell|consider|analy[sz]e|review|summari[sz]e|classify|count)\b[^:]*:\s/iu;

function leads(text: string): boolean {
  return leading.test(text) || isPlainVerb((/^\p{L}+/u.exec(text)?.[0] ?? "").toLowerCase());
}

/** The clauses of a sentence. What is wary in it counts for all of them, but for those before a "but". */
function scoped(sentence: string, wary: boolean): readonly Scoped[] {
  let before = wary || isQuestion(sentence);
  const parts = sentence.split(/,?\s+but\s+/iu);
  return parts.flatMap((part, index) => {
    const next = parts[index + 1];
    before ||= isWary(bare(part));
    const bound = before || (next !== undefined && bindsBack(next));
    // "My boss wants to open a and write b": what goes on from a statement is no demand either.
    const led = leads(bare(part)) && !spokenOf.test(bare(part));
    return steps(part).map((text, place) => ({ text, wary: bound || (place > 0 && !led) }));
  });
}

/** "Write it. Only if it is new.", "Write it. No, wait.": what stands behind a sentence may leave no plain demand of it. */
function boundByLater(sentences: readonly Scoped[]): readonly Scoped[] {
  const looks = sentences.map(({ text }) => looksBack(bare(text)));
  const back = looks.lastIndexOf("all");
  return sentences.map(({ text, wary }, index) => ({
    text,
    wary: wary || index < back || looks[index + 1] !== undefined,
  }));
}

/** The beginning of a text, up to a blank. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const blank = text.lastIndexOf(" ", most);
  return text.slice(0, blank > 0 ? blank : most);
}

function listItems(line: string): readonly string[] {
  const text = line.replace(/^\s*[-*•]\s+/u, "");
  const marks = text.split(listMark);
  // One number in a sentence is a number; a list has two items or starts with its mark.
  return marks.length > 2 || marks[0]?.trim() === "" ? marks : [text];
}

function steps(sentence: string): readonly string[] {
  const text = bare(sentence);
  if (condition.test(text)) return [text];
  const aside = adverbial.exec(text)?.[1];
  if (aside !== undefined) return [aside, ...steps(text.slice(aside.length))];
  if (negation.test(text) && onlyVerb.test(text)) return text.split(onlyVerb).flatMap(wanted);
  return wanted(text);
}

const onlyPlace =
  /^(?:in|inside|under|within|on|at)\s+(?:the\s+)?(?:(?:file|folder|directory)\s+)?[^\s,]+(?:\s+(?:file|folder|directory))?$/iu;

/** "Edit a.txt and replace x by y": the first verb says only where. */
const onlyFile = /^(?:edit|update|modify|change)\s+(?:the\s+)?(?:file\s+)?\S*\.\w+$/iu;
const changes = /^(?:replace|change|rename|substitute)\s/iu;

function wanted(text: string): readonly string[] {
  return text.split(connective).flatMap((part) => {
    const pieces: string[] = [];
    for (const piece of part.split(nextVerb)) {
      // "Search and replace x": a verb alone is no clause of its own, nor is "in docs".
      const last = pieces.at(-1);
      if (last !== undefined && !/\S\s+\S/u.test(last)) pieces[pieces.length - 1] = `${last} and ${piece}`;
      else if (last !== undefined && (onlyPlace.test(last) || (onlyFile.test(last) && changes.test(piece))))
        pieces[pieces.length - 1] = `${last}, ${piece}`;
      else pieces.push(piece);
    }
    return pieces;
  });
}

function bare(text: string): string {
  let rest = text.trim().replace(/[\s,;:.!?…]+$/u, "");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(politeness, "").trimStart();
  }
  return rest;
}

function clauseOf(text: string, held: readonly string[], wary: boolean): Clause {
  const clause = {
    text,
    ...(held.some(({ length }) => length > longestQuote) && { held }),
  };
  if (negation.test(text)) return { ...clause, barred: "negated" };
  if (condition.test(text)) return { ...clause, barred: "condition" };
  if (question.test(text)) return { ...clause, barred: "question" };
  return wary ? { ...clause, wary } : clause;
}
