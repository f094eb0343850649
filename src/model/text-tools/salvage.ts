import { type Envelope, roleOf } from "./envelope.ts";

const named = /["']?\b(?:tool_|function_)?(?:name|tool|function|action)["']?\s*[:=]\s*["']?([\p{L}\p{N}_.:/-]{1,128})/u;
const given = /["']?\b(?:arguments|parameters|args|input)["']?\s*[:=]\s*(?=[{["'])/;

/** How far a broken action is searched for a name. */
const farthest = 4_000;

/** The name in an action that is no JSON, where one can be made out; else none. */
export const salvagedName = (raw: string): string => named.exec(raw.slice(0, farthest))?.[1] ?? "";

/**
 * Arguments of an action that has none by a name of theirs: what stands beside the tool's name, or, if the action is no
 * JSON, what looks as if it was to be the arguments, as it stands there.
 */
export function salvagedArguments({ raw, orderly }: Envelope): string {
  const value = orderly ? parsed(raw) : undefined;
  if (value !== undefined) return withoutName(value);
  const start = given.exec(raw.slice(0, farthest));
  return start === null ? raw : raw.slice(start.index + start[0].length).trimEnd();
}

function parsed(raw: string): { readonly [key: string]: unknown } | undefined {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** Data beside the name, as the only thing that it can be: `{"tool": "weather", "city": "Oslo"}`. */
function withoutName(action: { readonly [key: string]: unknown }): string {
  const names = Object.keys(action).filter((key) => roleOf(key) === "name");
  const key = names.find((one) => typeof action[one] === "string");
  const wrapped = names.map((one) => action[one]).find((one) => typeof one === "object" && one !== null);
  if (key === undefined && wrapped !== undefined) return withoutName(wrapped as typeof action);
  const { [key ?? ""]: _, ...rest } = action;
  return JSON.stringify(rest);
}
