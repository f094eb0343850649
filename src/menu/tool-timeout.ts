import type { JsonSchema } from "../model/model.ts";
import { isRecord } from "./schema-types.ts";
import { schemasOfKey, schemasThatHold } from "./schema-walk.ts";

/**
 * A timeout that the model gives with each call, within bounds. All times are milliseconds above 0. What the model says is
 * brought between `min` and `max`; that is when the call is given up, and what the tool finds in its arguments, also
 * where the model said nothing.
 */
export type ModelTimeout = {
  /** Which field of the tool's input holds it. A name that the input does not have is a mistake (`invalid_tool`). */
  readonly argument: string;
  readonly min: number;
  /** `Infinity`: the model may have all the time it wants. */
  readonly max: number;
  /** Where the model says nothing. Default 120,000, brought between `min` and `max`. */
  readonly default?: number;
};

/** How long a tool that says nothing of it may take, in milliseconds. */
export const defaultTimeoutMs = 120_000;

/** The longest time that a timer of the platform can wait, in milliseconds: 24.8 days. */
export const longestTimeoutMs = 2 ** 31 - 1;

const isTime = (value: unknown): value is number => typeof value === "number" && value > 0;

const fields: readonly string[] = ["argument", "min", "max", "default"] satisfies (keyof ModelTimeout)[];

/** What is wrong with a `timeoutMs`, behind its name; undefined if nothing is. */
export function timeoutProblem(value: unknown): string | undefined {
  if (value === undefined || isTime(value)) return undefined;
  if (!isRecord(value)) {
    return `must be a number above 0 (Infinity is one) or { argument, min, max, default? }, not ${String(value)}`;
  }
  const odd = Object.keys(value).find((key) => !fields.includes(key));
  if (odd !== undefined) return `has "${odd}"; its fields are ${fields.join(", ")}`;
  const { argument, min, max, default: usual = min } = value;
  if (typeof argument !== "string" || argument === "") return "needs argument: the name of a field of the input";
  const fits = isTime(min) && isTime(max) && isTime(usual) && min <= usual && usual <= max;
  return fits ? undefined : "needs min and max: numbers above 0, min at most default at most max";
}

/** What is wrong with the field that holds a timeout; undefined if nothing is. */
export function argumentProblem({ argument }: ModelTimeout, schema: JsonSchema): string | undefined {
  const unions = [schema.anyOf, schema.oneOf].flatMap((union) => (Array.isArray(union) ? union : []));
  if (schemasOfKey(schemasThatHold(schema, [schema, ...unions], {}), argument).declared) return undefined;
  const names = isRecord(schema.properties) ? Object.keys(schema.properties).join(", ") : "";
  return `timeoutMs names the argument "${argument}", which its input does not have (it has ${names || "none"})`;
}

/** When a call with these arguments is given up, and the arguments with that in them. */
export function timedArguments(
  timeout: ModelTimeout,
  value: unknown,
): { readonly ms: number; readonly value: unknown } {
  const { argument, min, max, default: usual = defaultTimeoutMs } = timeout;
  const given = isRecord(value) && Object.hasOwn(value, argument) ? value[argument] : undefined;
  const wish = typeof given === "number" && !Number.isNaN(given) ? given : usual;
  const ms = Math.min(max, Math.max(min, wish));
  // What a schema has made something else of is left to the tool.
  if (!isRecord(value) || (given !== undefined && typeof given !== "number") || given === ms) return { ms, value };
  const copy = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value)) as object;
  Object.defineProperty(copy, argument, { value: ms, enumerable: true, configurable: true, writable: true });
  return { ms, value: copy };
}
