import type { Json } from "../../message/json.ts";

const longest = 300;

const text = (value: Json): string => {
  const json = JSON.stringify(value);
  return json.length > longest ? `${json.slice(0, longest)}…` : json;
};

const list = (value: Json): string => (Array.isArray(value) ? value.map(text).join(", ") : text(value));

const sentences: { readonly [keyword: string]: (value: Json) => string } = {
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minLength: (value) => `At least ${value} characters.`,
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `Matches the pattern ${value} .`,
  format: (value) => `Format: ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => "No item twice.",
  minProperties: (value) => `At least ${value} fields.`,
  maxProperties: (value) => `At most ${value} fields.`,
  title: (value) => `${value}.`,
  default: (value) => `Default: ${text(value)}.`,
  examples: (value) => `For example ${list(value)}.`,
  const: (value) => `Always ${text(value)}.`,
  enum: (value) => `One of ${list(value)}.`,
};

/** What a keyword says, as a sentence for a description; clipped, as the original schema is what decides. */
export function inWords(keyword: string, value: Json): string {
  const sentence = sentences[keyword]?.(value) ?? `Has to fit ${text({ [keyword]: value })}.`;
  return sentence.length > longest + 20 ? `${sentence.slice(0, longest)}….` : sentence;
}

const mostNotes = 1_000;

/** A description with notes behind it; undefined if there is nothing to say. */
export function described(description: Json | undefined, notes: readonly string[]): string | undefined {
  const said = [...new Set(notes)].join(" ");
  const clipped = said.length > mostNotes ? `${said.slice(0, mostNotes)}…` : said;
  const own = typeof description === "string" ? description.trimEnd() : "";
  const all = [own, clipped].filter((part) => part !== "").join(own.includes("\n") ? "\n" : " ");
  return all === "" ? undefined : all;
}
