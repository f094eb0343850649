import { grow, objectText } from "../../message/whole-object.ts";

/** A call that a model wrote down as text. */
export type WrittenCall = { readonly name: string; readonly arguments: string };

/**
 * The calls in a text that begins with one: JSON objects with the name of a tool and its arguments, one after the other
 * or in a list, with or without a code fence or tags around. Small models forget the special tokens of their own
 * template, and write only what belongs between them. If something else follows, only the first counts: a model that
 * goes on behind a call makes up what comes of it. Undefined if there is none.
 */
export function callsInText(text: string, isTool: (name: string) => boolean): readonly WrittenCall[] | undefined {
  const inner = text
    .replace(/<\/?(?:tool_call|tools|function_call)>/g, " ")
    .replace(/^\s*```[a-z]*\s*$/gim, " ")
    .replace(/```(?:json)?/g, " ")
    .trim();
  const { values, rest } = jsonValues(inner);
  const calls = values.flat().map((value) => callOf(value, isTool));
  const first = calls[0];
  if (first === undefined) return undefined;
  const all = calls.filter((call) => call !== undefined);
  return rest === "" && all.length === calls.length ? all : [first];
}

function callOf(value: unknown, isTool: (name: string) => boolean): WrittenCall | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const outer = value as { readonly [key: string]: unknown };
  const inner = typeof outer.function === "object" && outer.function !== null ? outer.function : outer;
  const { name, arguments: given, parameters } = inner as { readonly [key: string]: unknown };
  if (typeof name !== "string" || !isTool(name)) return undefined;
  const args = given ?? parameters ?? {};
  if (typeof args !== "object" && typeof args !== "string") return undefined;
  return { name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** The JSON values that stand at the beginning, one after the other, and what follows them. */
function jsonValues(text: string): { readonly values: readonly unknown[]; readonly rest: string } {
  const values: unknown[] = [];
  let rest = text;
  while (rest !== "") {
    const end = endOfValue(rest);
    if (end === undefined) break;
    try {
      values.push(JSON.parse(rest.slice(0, end)));
    } catch {
      break;
    }
    rest = rest.slice(end).replace(/^[\s,;]+/, "");
  }
  return { values, rest };
}

/** Where the object or list ends that the text begins with. */
function endOfValue(text: string): number | undefined {
  if (text[0] !== "{" && text[0] !== "[") return undefined;
  const value = objectText();
  for (let at = 0; at < text.length; at++) {
    grow(value, text[at]!);
    if (value.whole) return at + 1;
  }
  return undefined;
}
