import { nearestNames } from "../ranker/nearest.ts";
import type { Decision, Entry } from "./compile.ts";
import { type Found, jsonIn } from "./json-in-text.ts";

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
 *    or as JSON text) or beside the name. Those that name no option are passed over; if none does, the last is what is wrong.
 * 2. The whole reply is the name of an option, or its number from 1: with quotes, emphasis, brackets, "Option" before and
 *    a period behind at most.
 */
export function parsePicks(text: string, decision: Decision): Parsed {
  const end = invented.exec(text)?.index ?? text.length;
  const read = text.slice(0, end);
  const calls = jsonIn(read)
    .flatMap((found) => named(found))
    .toReversed();
  const [last, ...earlier] = calls.flatMap(({ name, args }): Pick[] => {
    const entry = decision.entries.find((one) => one.name === name) ?? alike(name, decision);
    return entry ? [{ entry, args }] : [];
  });
  if (last) return { picks: [last, ...earlier] };
  if (calls[0]) return { problem: unknownOption(calls[0].name, decision) };
  const whole = wholeReply(read, decision);
  if (whole) return { picks: [{ entry: whole, args: "{}" }] };
  return { problem: "it holds no pick." };
}

type Named = { readonly name: string; readonly args: string };

function named({ value }: Found): Named[] {
  const object = value as { readonly [key: string]: unknown };
  const key = nameKeys.find((one) => Object.hasOwn(object, one) && isName(object[one]));
  if (key === undefined) return [];
  const given = object[key];
  // OpenAI's own shape: { "function": { "name", "arguments" } }.
  if (typeof given === "object" && given !== null) return named({ value: given } as Found);
  const argumentKey = argumentKeys.find((one) => Object.hasOwn(object, one));
  if (argumentKey === undefined) {
    const rest = Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
    return [{ name: String(given), args: JSON.stringify(rest) }];
  }
  const args = object[argumentKey];
  return [{ name: String(given), args: typeof args === "string" ? args : JSON.stringify(args ?? {}) }];
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
  if (text.length > 300) return undefined;
  const bare = text
    .normalize("NFKC")
    .trim()
    .replace(/^[*_`"'([]+/, "")
    .replace(/[*_`"')\].]+$/, "")
    .trim();
  const entry = decision.entries.find(({ name }) => name === bare) ?? alike(bare, decision);
  if (entry) return entry;
  const number = /^(?:option\s*)?#?(\d{1,4})$/i.exec(bare)?.[1];
  return number === undefined ? undefined : decision.entries[Number(number) - 1];
}

function unknownOption(name: string, { entries }: Decision): string {
  const names = entries.map((entry) => entry.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.map((one) => `"${one}"`).join(" or ")}?` : "";
  return `there is no option ${JSON.stringify(name.slice(0, 80))}.${hint}`;
}
