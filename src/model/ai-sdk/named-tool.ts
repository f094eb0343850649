import type { JsonObject } from "../../message/json.ts";
import type { ToolDeclaration } from "../model.ts";
import type { WireNames } from "./wire-names.ts";

/** Puts back names of tools that a model writes into arguments, as it knows them from calls in its history. */
export type NamedTools = (name: string, text: string) => string;

/** For a call of one of these tools: its arguments with the name as the run knows it; any others as they are. */
export function namedTools(tools: readonly ToolDeclaration[], names: WireNames): NamedTools {
  const fields = new Map(tools.flatMap(({ name, nameArgument }) => (nameArgument ? [[name, nameArgument]] : [])));
  return (name, text) => {
    const field = fields.get(name);
    return field === undefined ? text : withOriginal(text, field, names);
  };
}

function withOriginal(text: string, field: string, names: WireNames): string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return text;
  const name = (given as JsonObject)[field];
  if (typeof name !== "string") return text;
  const original = names.original(name);
  return original === name ? text : JSON.stringify({ ...given, [field]: original });
}
