/** Compares calls with an answer key in the form of the leaderboard BFCL. */
import type { Json, JsonObject } from "../../src/message/json.ts";

export type Call = { readonly name: string; readonly args: JsonObject };

/** One call: its name, and for each argument the acceptable values; "" means that it may be left out. */
export type Expected = { readonly [name: string]: { readonly [argument: string]: readonly Json[] } };

/** The calls are those of the key, each as often, in any order. */
export function namesRight(calls: readonly Call[], expected: readonly Expected[]): boolean {
  const made = calls.map(({ name }) => name).sort();
  const wanted = expected.flatMap((one) => Object.keys(one)).sort();
  return JSON.stringify(made) === JSON.stringify(wanted);
}

/** Each call of the key is met by one that was made. */
export function argsRight(calls: readonly Call[], expected: readonly Expected[]): boolean {
  const left = [...calls];
  return expected.every((one) => {
    const at = left.findIndex((call) => meets(call, one));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function meets({ name, args }: Call, expected: Expected): boolean {
  const wanted = expected[name];
  return wanted !== undefined && fieldsMeet(args, wanted);
}

function fieldsMeet(value: JsonObject, wanted: { readonly [name: string]: readonly Json[] }): boolean {
  return (
    Object.keys(value).every((name) => Object.hasOwn(wanted, name)) &&
    Object.entries(wanted).every(([name, acceptable]) => {
      const given = value[name];
      return given === undefined ? acceptable.includes("") : acceptable.some((one) => equal(given, one));
    })
  );
}

function equal(value: Json, wanted: Json): boolean {
  if (typeof value === "string" && typeof wanted === "string") return plain(value) === plain(wanted);
  if (Array.isArray(value) && Array.isArray(wanted))
    return value.length === wanted.length && value.every((item, index) => equal(item as Json, wanted[index] as Json));
  if (isObject(value) && isObject(wanted)) {
    // Inside of values, too, every field has a list of acceptable values.
    const lists = Object.entries(wanted).map(([name, one]) => [name, Array.isArray(one) ? one : [one]] as const);
    return fieldsMeet(value, Object.fromEntries(lists) as { readonly [name: string]: readonly Json[] });
  }
  return value === wanted;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s,./\-_*^'"‘’“”()?!:;]/gu, "");
}
