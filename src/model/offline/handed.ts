import { stem } from "../../ranker/stem.ts";
import { type Count, countOf, sumOf } from "./counted.ts";
import { itemsOf, resultLines, wholeText } from "./found.ts";
import { familiesOf, isWriting } from "./lexicon.ts";
import { linesIn } from "./lines-said.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import type { Step } from "./step.ts";

/** What the clause before came to. A clause of which nothing came leaves none: then "it" stands for nothing. */
export type Previous = {
  readonly step: Step;
  /** Its tool changed something: what that answered is not what was made. */
  readonly writes: boolean;
  /** Steps of this request so far of which "them" could be said. */
  readonly lists: number;
  /** The clause only counted what the step had found. */
  readonly count?: Count;
};

/** A clause that only looks may say more of the result: "translate the result from English into French". */
const someResult = /\b(?:the|its|that) (?:result|output|outcome|answer)\b(?! (?:is|of)\b)/iu;

/** The text that a clause hands on from the one before; undefined if it hands on none, or that text is not known. */
export function handedOn(reading: Reading, previous: Previous | undefined): string | undefined {
  const object = reading.hands ?? (onlyLooks(reading) && someResult.test(reading.text) ? "result" : undefined);
  if (object === undefined || !previous || (!onlyLooks(reading) && mayOnlyLook(reading))) return undefined;
  const { step, count, writes, lists } = previous;
  const { reading: asked, done } = step;
  // What was looked for is not what the tool answered: which is the longest, the last lines.
  if (asked.extreme || linesIn(asked.text)?.last !== undefined) return undefined;
  if (count && object !== "them" && object !== "list")
    return object === "contents" || object === "matches" ? undefined : count.number?.toString();
  if (writes && object !== "result") return undefined;
  const counted = object === "number" || (object === "it" && asked.counts) ? sumOf(done) : undefined;
  // A file is handed on to the letter.
  const text = () => (asked.families.has("read") ? wholeText(done) : wholeText(done)?.trim());
  switch (object) {
    case "number":
      return counted?.toString() ?? (asked.arithmetic ? text() : undefined);
    case "it":
      // A file that was found is the file, not its name.
      return counted?.toString() ?? (asked.described?.one || onlyPaths(step) ? undefined : text());
    case "them":
      return lists === 1 && isList(step) ? text() : undefined;
    case "list":
      return countOf(step) ? text() : undefined;
    case "matches":
      return asked.families.has("search") && countOf(step) ? text() : undefined;
    case "contents":
      return asked.families.has("read") ? text() : undefined;
    case "result":
      return text();
    case "altered":
      return undefined;
  }
}

/** Texts that only name or describe something else: no result belongs there. */
const labels: ReadonlySet<string> = new Set("subject title query topic keyword term pattern".split(" ").map(stem));

/** Whether a parameter takes a whole text. */
export function takesText({ kind, named }: Parameter): boolean {
  return kind === "text" && ![...named].some((word) => labels.has(word));
}

/** Whether "them" may be said of what a step found. */
export function isList(step: Step): boolean {
  return countOf(step) !== undefined || (step.reading.families.has("read") && linesIn(step.reading.text) !== undefined);
}

function onlyPaths(step: Step): boolean {
  return step.reading.families.has("find") && itemsOf(step.done).length === resultLines(step.done.result).length;
}

function onlyLooks({ demands }: Reading): boolean {
  const families = demands.flatMap((verb) => [...familiesOf(stem(verb))]);
  return families.length > 0 && !families.some(isWriting);
}

/** "Open it in b.txt" may ask to look at it as well as to make it. */
function mayOnlyLook({ demands }: Reading): boolean {
  return demands.some((verb) => [...familiesOf(stem(verb))].some((family) => !isWriting(family)));
}
