import { jsonBreak } from "../menu/json-position.ts";
import { nearestNames } from "../ranker/nearest.ts";
import type { Decision, Entry } from "./compile.ts";
import { type Found, jsonIn } from "./json-in-text.ts";
import { spellings } from "./unwrap.ts";

/** A pick, with its arguments as the model wrote them. */
export type Pick = { readonly entry: Entry; readonly args: string };

/** The picks of a reply, the last first, or why there is none. */
export type Parsed = { readonly picks: readonly [Pick, ...Pick[]] } | { readonly problem: string };

const nameKeys = ["call", "action", "function", "tool", "choice", "decision", "name"];
const argumentKeys = ["args", "arguments", "parameters", "input"];

/**
 * Where a reply begins to tell results that nobody gave it. Nothing behind is read: a pick there would rest on an
 * invention.
 */
const invented =
  /(?:^|[\n.!?])[ \t]{0,20}(?:\*\*)?(?:observation|(?:tool|function)[ _]?(?:result|output|response))s?(?:\*\*)?[ \t]{0,5}:|<\/?(?:tool|function)_?(?:result|response|output)/i;

/**
 * Reads the picks of a reply. The grammar, in this order, up to the first invented tool result:
 *
 * 1. JSON objects, fenced or bare, with anything around them, that name an option under `call` (or `action`, `function`,
 *    `tool`, `choice`, `decision`, `name`), its arguments under `args` (or `arguments`, `parameters`, `input`, as an object
 *    or as JSON text) or beside the name. Those that name no option are passed over; if none does, the last is what is
 *    wrong. What stands inside another object, whole or broken, is never a pick.
 * 2. The whole reply is the name of an option, or its number from 1 (unless an option has a number for its name): with
 *    quotes, emphasis, brackets, a fence around, "Option" before and a period behind at most.
 */
export function parsePicks(text: string, decision: Decision): Parsed {
  const { pieces, end } = readable(text);
  const calls = pieces.flatMap(named).toReversed();
  const [last, ...earlier] = calls.flatMap(({ name, args }): Pick[] => {
    const entry = decision.entries.find((one) => one.name === name) ?? alike(name, decision);
    return entry ? [{ entry, args }] : [];
  });
  if (last) return { picks: [last, ...earlier] };
  if (calls[0]) return { problem: unknownOption(calls[0].name, decision) };
  const whole = wholeReply(text.slice(0, end), decision);
  if (whole) return { picks: [{ entry: whole, args: "{}" }] };
  const broken = pieces.findLast(({ value }) => value === undefined);
  if (broken) return { problem: brokenText(text.slice(broken.start, broken.end)) };
  return { problem: "it holds no pick." };
}

/** The objects up to the first invented result, and where that begins. Inside an object nothing is one. */
function readable(text: string): { readonly pieces: readonly Found[]; readonly end: number } {
  const all = jsonIn(text);
  let from = 0;
  for (let index = 0; index <= all.length; index++) {
    const piece = all[index];
    const match = invented.exec(text.slice(from, piece?.start));
    if (match) return { pieces: all.slice(0, index), end: from + match.index };
    from = piece?.end ?? text.length;
  }
  return { pieces: all, end: text.length };
}

type Named = { readonly name: string; readonly args: string };
type Fields = { readonly [key: string]: unknown };

function named({ value }: Found): Named[] {
  if (value === undefined) return [];
  const outer = nameIn(value as Fields);
  // OpenAI's own shape: { "function": { "name", "arguments" } }.
  const inner = typeof outer?.given === "object" ? nameIn(outer.given as Fields) : outer;
  return inner && typeof inner.given !== "object" ? [withArguments(inner)] : [];
}

type NameIn = { readonly object: Fields; readonly key: string; readonly given: unknown };

function nameIn(object: Fields): NameIn | undefined {
  const key = nameKeys.find((one) => Object.hasOwn(object, one) && isName(object[one]));
  return key === undefined ? undefined : { object, key, given: object[key] };
}

function withArguments({ object, key, given }: NameIn): Named {
  const name = String(given);
  const argumentKey = argumentKeys.find((one) => Object.hasOwn(object, one));
  if (argumentKey === undefined) {
    const rest = Object.fromEntries(Object.entries(object).filter(([field]) => field !== key));
    return { name, args: JSON.stringify(rest) };
  }
  const args = object[argumentKey];
  return { name, args: typeof args === "string" ? args : JSON.stringify(args ?? {}) };
}

const isName = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "object" && value !== null && "name" in value);

/** The one option whose name differs in case and surrounding space alone. */
function alike(name: string, { entries }: Decision): Entry | undefined {
  const folded = name.trim().toLowerCase();
  const same = entries.filter((entry) => entry.name.trim().toLowerCase() === folded);
  return same.length === 1 ? same[0] : undefined;
}

function wholeReply(text: string, decision: Decision): Entry | undefined {
  const tried = spellings(text);
  for (const spelling of tried) {
    const entry = decision.entries.find(({ name }) => name === spelling);
    if (entry) return entry;
  }
  const bare = tried.at(-1)!;
  const entry = alike(bare, decision);
  if (entry || !decision.numbered) return entry;
  const number = /^(?:option\s*)?#?(\d{1,4})$/i.exec(bare)?.[1];
  return number === undefined ? undefined : decision.entries[Number(number) - 1];
}

function unknownOption(name: string, { entries }: Decision): string {
  const names = entries.map((entry) => entry.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.map((one) => `"${one}"`).join(" or ")}?` : "";
  return `there is no option ${JSON.stringify(name.slice(0, 80))}.${hint}`;
}

/** Where a piece that was to be JSON is none, in words for the model. */
export function brokenText(piece: string): string {
  const { at, ended } = jsonBreak(piece) ?? { at: 0, ended: false };
  if (ended) return `the JSON that begins ${JSON.stringify(piece.slice(0, 40))} is not closed.`;
  return `its JSON breaks near ${JSON.stringify(piece.slice(Math.max(0, at - 20), at + 20))}.`;
}
