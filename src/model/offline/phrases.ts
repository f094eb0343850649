import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { familiesOf, isNounish, isPlainVerb, stopWords } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import type { Reading } from "./reading.ts";

const word = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
// Words that speak of time or of the request itself.
const times: ReadonlySet<string> = new Set(
  `now today tomorrow tonight yesterday currently please pls plz thanks me degrees week weekend month year day days next last first second
  third result results output outcome another know knowing interested curious planning plan plans uses including include includes specifically working
  made located considering prefer preferably different following additionally name named information info details detail regarding
  related based provide provided given able take taking going kind sure answer question task tasks help called titled entitled`.split(
    /\s+/,
  ),
);

/**
 * Runs of plain words that could be meant as a value: what is left of a clause without what else was found in it, without
 * grammar, verbs of requests, and words that the tool itself is about.
 */
export function phrasesOf({ text, mentions }: Reading, vocabulary: ReadonlySet<string>): readonly Mention[] {
  const phrases: Mention[] = [];
  let run: { start: number; end: number } | undefined;
  const close = () => {
    if (run) phrases.push({ kind: "phrase", value: text.slice(run.start, run.end), ...run });
    run = undefined;
  };
  let first = true;
  for (const match of text.matchAll(word)) {
    const start = match.index;
    const end = start + match[0].length;
    const gap = run ? text.slice(run.end, start) : " ";
    if (!/^[ -]$/u.test(gap)) close();
    const taken = mentions.some((mention) => mention.start < end && mention.end > start);
    if (
      taken ||
      (first && familiesOf(stem(match[0].toLowerCase())).size > 0) ||
      !(telling(match[0], vocabulary) || between(text, match[0], start, vocabulary))
    )
      close();
    else run = run ? { start: run.start, end } : { start, end };
    first = false;
    if (phrases.length >= most) break;
  }
  close();
  return phrases;
}

const most = 40;

function telling(said: string, vocabulary: ReadonlySet<string>): boolean {
  const plain = words(said)[0] ?? "";
  return plain !== "" && !stopWords.has(plain) && !times.has(plain) && !verbal(plain) && !vocabulary.has(stem(plain));
}

/** "From checking to savings": what stands there is a name, though it looks like a verb. */
function between(text: string, said: string, start: number, vocabulary: ReadonlySet<string>): boolean {
  const plain = said.toLowerCase();
  if (stopWords.has(plain) || isPlainVerb(plain) || vocabulary.has(stem(plain))) return false;
  const lead = text.slice(Math.max(0, start - 12), start);
  return /\bfrom\s+(?:my\s+)?$/iu.test(lead) || (/\bto\s+(?:my\s+)?$/iu.test(lead) && /\bfrom\b/iu.test(text));
}

function verbal(plain: string): boolean {
  const stemmed = stem(plain);
  return familiesOf(stemmed).size > 0 && !isNounish(stemmed);
}
