import type { Json } from "../../message/json.ts";
import { kindOfQuoted, type Mention } from "./mentions.ts";
import { asObject, type Parameter, parametersOf } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { type Taken, taken } from "./take.ts";

type Found = {
  readonly values: readonly (readonly [Parameter, Taken])[];
  /** Parameters that nothing else may fill. */
  readonly closed: ReadonlySet<Parameter>;
};

const nothing: Found = { values: [], closed: new Set() };

/**
 * The texts to replace and those to put in their place, for a tool that changes a part of a file. They are only taken from
 * a plain demand, of which every word is understood: 'replace "a" with "b" in x.txt'. With any other word it means
 * something else ('in line 2', 'to uppercase', 'except in comments'), and a wrong edit is worse than none. Texts are
 * quoted, or are a pair of names as code has them.
 */
export function takeReplacement(
  parameters: readonly Parameter[],
  reading: Reading,
  mentions: readonly Mention[],
  assigned: (parameter: Parameter) => boolean,
): Found {
  const slots = parameters.some(({ kind }) => kind === "path") ? slotsOf(parameters) : undefined;
  if (!slots) return nothing;
  const all = [slots.flat, slots.list].flatMap((one) => (one ? [one.from, one.to, ...(one.all ? [one.all] : [])] : []));
  const closed = new Set([...all, ...(slots.list ? [slots.list.parameter] : [])]);
  if (parameters.some((one) => closed.has(one) && assigned(one))) return { values: [], closed };
  const said = replacementsIn(reading.text, mentions);
  const used = said?.pairs.flat() ?? [];
  if (!said || (!slots.list && said.pairs.length > 1)) return { values: [], closed };
  if (slots.list) {
    const { from, to, all: every, parameter } = slots.list;
    const edits: Json = said.pairs.map(([old, now]) => ({
      [from.name]: old.value,
      [to.name]: now.value,
      ...(said.every && every && { [every.name]: true }),
    }));
    return { values: [[parameter, taken(edits, ...used)]], closed };
  }
  const { from, to, all: every } = slots.flat as Slots;
  const [[old, now]] = said.pairs as [readonly [Mention, Mention]];
  const values: (readonly [Parameter, Taken])[] = [
    [from, taken(old.value, old)],
    [to, taken(now.value, now)],
  ];
  if (said.every && every) values.push([every, taken(true)]);
  return { values, closed };
}

type Slots = { readonly from: Parameter; readonly to: Parameter; readonly all: Parameter | undefined };

function slotsOf(parameters: readonly Parameter[]) {
  const flat = pairOf(parameters);
  const lists = parameters.flatMap((parameter) => {
    const pair = parameter.kind === "list" ? pairOf(parametersOf(asObject(parameter.schema.items))) : undefined;
    return pair ? [{ ...pair, parameter }] : [];
  });
  return flat || lists[0] ? { flat, list: lists[0] } : undefined;
}

const olds = ["old", "before", "previou", "search", "find"];
const news = ["new", "after", "replac", "replacement"];

function pairOf(parameters: readonly Parameter[]): Slots | undefined {
  const named = (words: readonly string[]) =>
    parameters.find(({ kind, named }) => (kind === "name" || kind === "text") && words.some((word) => named.has(word)));
  const [from, to] = [named(olds), named(news)];
  const all = parameters.find(({ kind, named }) => kind === "boolean" && named.has("all"));
  return from && to && from !== to ? { from, to, all } : undefined;
}

type Said = { readonly pairs: readonly (readonly [Mention, Mention])[]; readonly every: boolean };

// Mentions stand in the text as one character each, so that whole demands can be matched.
const base = 0xe100;

/** Every pair of texts of which a clause says that the one is to be replaced by the other; undefined if it says more. */
function replacementsIn(text: string, mentions: readonly Mention[]): Said | undefined {
  if (/[\uE100-\uE1FF]/u.test(text)) return undefined;
  let shape = text;
  for (const [index, { start, end }] of [...mentions.entries()].toReversed())
    shape = `${shape.slice(0, start)}${String.fromCharCode(base + index)}${shape.slice(end)}`;
  const file = signs(mentions, ({ kind, value }) => kind === "path" || quotedPath(kind, value));
  const any = signs(mentions, (mention) => formOf(mention, text) !== undefined);
  if (any === none) return undefined;
  const { whole, pair } = grammar(file, any);
  const found = whole.exec(shape);
  if (!found) return undefined;
  const pairs = [...shape.matchAll(pair)].map(
    ({ groups }) => [at(mentions, groups?.old), at(mentions, groups?.now)] as const,
  );
  // "Change 'a' to BOLD": what stands without quotes beside a quote is no text.
  if (pairs.some(([old, now]) => formOf(old, text) !== formOf(now, text))) return undefined;
  return { pairs, every: /\b(?:all|every|each|everywhere|throughout)\b/iu.test(shape) };
}

const at = (mentions: readonly Mention[], sign = "") => mentions[sign.charCodeAt(0) - base] as Mention;
const quotedPath = (kind: Mention["kind"], value: string) => kind === "quoted" && kindOfQuoted(value) === "path";

const none = "(?!)";

function signs(mentions: readonly Mention[], fits: (mention: Mention) => boolean): string {
  const found = mentions.flatMap((mention, index) => (fits(mention) ? [String.fromCharCode(base + index)] : []));
  return found.length > 0 ? `[${found.join("")}]` : none;
}

/** How a text is told: in quotes, or as a name or a number that stands there as it is. */
function formOf({ kind, value, start, end }: Mention, text: string): string | undefined {
  if (kind === "quoted") return kind;
  if (text.slice(start, end) !== value) return undefined;
  if (/^\p{Lu}{2,}$/u.test(value)) return "capitals";
  return kind === "identifier" || kind === "id" || kind === "number" ? kind : undefined;
}

const verbs =
  "replace|change|substitute|turn|rename|update|edit|modify|correct|fix|convert|alter|(?:find|search) and replace";

function grammar(file: string, any: string) {
  const named = `(?:(?:the|my|our|this|that) )?(?:(?:text )?file )?${file}(?: file)?`;
  const one = `(?:${named}|it|there|(?:the|that|this) (?:same |found |first |second |third |last |only |longest |shortest |largest |smallest )?(?:file|one|match|result|hit))`;
  const place = `(?:in|inside|within|of|from|throughout) (?:all of |both |each of )?(?:${one}|them)(?:(?:,| and|, and) (?:the (?:file )?)?${file})*`;
  const what = "(?:exact )?(?:text|string|phrase|typo|term|value)";
  const old = `(?:(?:all|every|each|any)(?: of)? )?(?:the )?(?:(?:occurrences?|instances?) of (?:the )?)?(?:${what} )?(?<old>${any})`;
  const pair = `${old} (?:${place} )?(?:to|by|with|into|->|→|=>) (?:the )?(?:${what} )?(?<now>${any})`;
  const nameless = pair.replace(/\?<(?:old|now)>/gu, "?:");
  const asked = "(?:please )?(?:now |just |also )?";
  const demand = `(?:${asked}(?:${verbs}) )?${nameless}`;
  const lead = `(?:(?:use|with|using|call|via|run) (?:the )?(?:tool )?[\\w.-]+(?: tool)?(?:,|:| to| and)? )?(?:(?:${place}|(?:in |edit |change |update |open |for )?${one})(?:,|:| and| to)? )?`;
  const end = `(?: (?:everywhere|throughout))?(?: ${place})?(?: (?:everywhere|throughout|please|for me|now|too|as well|,))*`;
  return {
    whole: new RegExp(
      `^${spaced(lead)}${spaced(demand)}(?:(?:,|;|,? and) ${spaced(demand)})*${spaced(end)}[.!]?$`,
      "iu",
    ),
    pair: new RegExp(spaced(pair), "giu"),
  };
}

const spaced = (pattern: string) => pattern.replace(/ /gu, "\\s+");
