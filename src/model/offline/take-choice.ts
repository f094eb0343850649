import type { Json } from "../../message/json.ts";
import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { synonyms } from "./lexicon.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { mayHold, spelled, type Take, taken, within } from "./take.ts";

/** One of the listed values, if the clause says it. `vocabulary` holds the words that the tool itself is about. */
export function takeOption(vocabulary: ReadonlySet<string>): Take {
  return (parameter, reading, free) => {
    if (parameter.options.length === 1 && parameter.required) return taken(parameter.options[0] as Json);
    if (reading.counts && parameter.options.includes("count")) return taken("count");
    const said = parameter.options.filter((option) => says(option, parameter, reading, vocabulary));
    // "very high" also says "high": the longer value is meant.
    const value = said.sort((a, b) => String(b).length - String(a).length)[0];
    if (value === undefined) return undefined;
    const at = new RegExp(spelled(String(value)), "iu").exec(reading.text);
    const used = at ? within(free, at.index, at.index + at[0].length) : [];
    return taken(value, ...used.filter(({ kind }) => kind !== "path"));
  };
}

/** All the listed values that the clause says, for a list of such. */
export const optionsSaid: Take = (parameter, reading, free) => {
  const said = parameter.options.filter((option) => says(option, parameter, reading, none));
  const used = said.flatMap((option) => {
    const at = new RegExp(spelled(String(option)), "iu").exec(reading.text);
    return at ? within(free, at.index, at.index + at[0].length) : [];
  });
  return said.length > 0 ? taken([...said], ...used) : undefined;
};

const none: ReadonlySet<string> = new Set();

function says(option: Json, parameter: Parameter, reading: Reading, vocabulary: ReadonlySet<string>): boolean {
  if (typeof option === "number")
    return reading.mentions.some(({ kind, value }) => kind === "number" && Number(value) === option);
  if (typeof option !== "string" || option === "" || !mayHold(reading.text, option)) return false;
  const word = `(?<![\\p{L}\\p{N}])${spelled(option)}(?:s|es)?(?![\\p{L}\\p{N}])`;
  if (!new RegExp(word, "iu").test(reading.text)) return false;
  const own = words(option)
    .map(stem)
    .some((token) => vocabulary.has(token));
  if (parameter.required || !own) return true;
  // A word that the tool is about anyway ("files") chooses nothing unless it is asked for.
  const asked = `(?:^|\\b(?:which|what|only|just|as|output|format|mode|names of(?: the)?)\\s+)(?:of\\s+)?(?:the\\s+|these\\s+)?(?:\\p{L}+\\s+)?${word}`;
  const described = `${word}\\s+(?:that|which|who|whose|containing|mentioning|using|importing|with|contain|mention|use|import|include|have)\\b`;
  return new RegExp(`${asked}|${described}`, "iu").test(reading.text);
}

const onWords = /\b(?:on|enable[ds]?|activate|true|yes)\b/iu;
const offWords = /\b(?:off|disable[ds]?|deactivate|false|no)\b/iu;
const switches = new Set(["on", "enabl", "activ", "state", "power", "stat"]);

// Words of names that say nothing of what is switched.
const generic = new Set(
  "only the a an of to enabl includ flag show want has is with allow requir use mark status".split(" "),
);

/** True or false, if the clause says the parameter's name, with or without a "not" before it. */
export const takeBoolean: Take = (parameter, reading) => {
  if ([...parameter.named].some((word) => switches.has(word))) {
    if (offWords.test(reading.text)) return taken(false);
    if (onWords.test(reading.text)) return taken(true);
    return undefined;
  }
  // Words that describe a thing are looked for however they are written; a name of code as it is.
  const { described, mentions } = reading;
  if (
    described?.one &&
    described.standing === "somewhere" &&
    parameter.named.has(stem("case")) &&
    parameter.named.has(stem("ignore"))
  )
    return mentions.some(({ start, end }) => start < described.end && end > described.start) ? undefined : taken(true);
  const said = words(reading.text)
    .flatMap((word) => [word, ...words(synonyms[word] ?? "")])
    .map(stem);
  const telling = [...parameter.named].filter((word) => !generic.has(word));
  const asked = telling.length > 0 ? telling : [...parameter.named];
  if (!asked.every((word) => said.includes(word))) return undefined;
  const negated = new RegExp(`\\b(?:not|no|without|don['’]t|never)\\s+(?:\\w+\\s+)?${spelled(parameter.name)}`, "iu");
  return taken(!negated.test(reading.text));
};
