import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { ToolDeclaration } from "../model.ts";
import { familiesOf, isNounish, isWriting, stopWords } from "./lexicon.ts";

// Verbs of reading that say something else as often: "open the valve", "return the book", "print a label".
const doubtful = new Set("open give return report print say tell dump mention scan".split(" ").map(stem));
// More verbs that only look; they tell tools, not requests.
const looking = new Set(
  "analyze analyse verify validate inspect describe explain summarize summarise recommend suggest rank classify detect identify predict simulate parse test is has preview browse explore monitor track query lookup filter compare"
    .split(" ")
    .map(stem),
);
const thing =
  /^(?:(?:the|an?)\s+(?!tool|function|utility|command|way|api|method|service|helper|action)|(?:current|latest|daily|weekly|monthly|hourly|recent|available|live|historical|details?|information|info|number|amount|status|prices?|weather|forecasts?|statistics|overview|summary|list)\b)/iu;
// A name that begins so is that of a thing: "bestSeason", "current_weather".
const adjectives: ReadonlySet<string> = new Set(
  "best worst current latest recent nearest closest next previous top average total max maximum min minimum number".split(
    " ",
  ),
);

/**
 * Whether a tool may change something outside. It does unless its author says otherwise, its name begins with a verb of
 * reading, or, where the name has no verb that we know, its description does or only names a thing.
 */
export function writesOutside({ name, description, readOnly }: ToolDeclaration): boolean {
  if (readOnly === true) return false;
  const said = words(name).map(stem);
  const verb = stem(leadingVerb(description));
  if (onlyWrites(verb)) return true;
  const reads = (word: string) => onlyReads(word) && !doubtful.has(word);
  if (said.some((word) => onlyWrites(word) && !isNounish(word))) return true;
  if (/^check[_-]?(?:in|out)(?![a-z])/iu.test(name) || /^checks? (?:in|out)\b/iu.test(description)) return true;
  const first = heads(name);
  if (first.some(reads)) return false;
  if (first.some((word) => doubtful.has(word))) return true;
  if (adjectives.has(words(name)[0] ?? "")) return false;
  return !(onlyReads(verb) || thing.test(description.trim()));
}

/** The stems of the verbs that demand a tool: those of its name that we know, else its first word; and its description's. */
export function actionsOf({ name, description }: ToolDeclaration): ReadonlySet<string> {
  const known = words(name)
    .map(stem)
    .filter((word) => familiesOf(word).size > 0 && !isNounish(word));
  const verb = leadingVerb(description);
  return new Set([...(known.length > 0 ? known : heads(name)), ...(verb === "" ? [] : [stem(verb)])]);
}

/** The first word of a description that says something. */
export function leadingVerb(description: string): string {
  return words(description).find((word) => !stopWords.has(word)) ?? "";
}

/** The stems of the first words of a name and of its last part: "files.get_size". */
function heads(name: string): readonly string[] {
  const last = name.split(/[./:]|__/u).at(-1) ?? name;
  return [...new Set([words(last)[0] ?? "", ...(/[./:]|__/u.test(name) ? [] : [words(name)[0] ?? ""])])].map(stem);
}

function onlyWrites(word: string): boolean {
  const families = [...familiesOf(word)];
  return families.length > 0 && families.every(isWriting);
}

function onlyReads(word: string): boolean {
  const families = [...familiesOf(word)];
  return looking.has(word) || (families.length > 0 && !families.some(isWriting));
}
