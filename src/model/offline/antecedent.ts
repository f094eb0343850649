import type { Mention } from "./mentions.ts";
import { partOf, type Reading } from "./reading.ts";

const pronoun = /\b(?:it|(?:this|that|the)(?:\s+same)?\s+(?:file|folder|directory))\b(?!['’]s\s+\w+ing)/iu;
const possessive = /\bits\s+(?=\S)/iu;

/**
 * "Do not change a.txt, just read it": what a clause points at stands in the one before, of which nothing is to be done.
 * The name is put in the place of the pronoun. A clause that asks for a change is left as it is.
 */
export function withAntecedents(readings: readonly Reading[]): readonly Reading[] {
  const all: Reading[] = [];
  for (const reading of readings) {
    const name = antecedentIn(all.at(-1));
    all.push(name === undefined ? reading : named(reading, name));
  }
  return all;
}

function antecedentIn(before: Reading | undefined): string | undefined {
  if (before?.clause.barred !== "negated") return undefined;
  const files = before.mentions.filter(isFile);
  return files.length === 1 ? files[0]?.value : undefined;
}

function isFile({ kind, value }: Mention): boolean {
  return (kind === "path" || kind === "folder") && !/\s/u.test(value);
}

function named(reading: Reading, name: string): Reading {
  const { text, refers, writes, clause, mentions } = reading;
  if (refers !== "one" || writes || clause.barred || mentions.some(isFile)) return reading;
  if (possessive.test(text)) return partOf(reading, `${text.replace(possessive, "the ")} of ${name}`);
  return pronoun.test(text) ? partOf(reading, text.replace(pronoun, name)) : reading;
}
