import { RondoError } from "../error.ts";
import { wrapperOptions } from "../menu/tool-fields.ts";
import { checkNames, isRecord, shown } from "./check-options.ts";
import { asFields } from "./option-names.ts";

const known = asFields(["name", "description", "input", "timeoutMs", ...wrapperOptions]);

const isFlag = (value: unknown) => typeof value === "boolean";
const flag = [isFlag, "true or false"] as const;
const isText = (value: unknown) => typeof value === "string";
const isFunction = (value: unknown) => typeof value === "function";
const texts = [(value: unknown) => Array.isArray(value) && value.every(isText), "an array of texts"] as const;
const asked = [isFunction, "a function that gives true or false"] as const;
const positive = [
  (value: unknown) => typeof value === "number" && value > 0,
  "a number above 0 (Infinity is one)",
] as const;

/** What the options may be, in a check and in words; of the input its compiler knows. */
const rules: { readonly [option: string]: readonly [good: (value: unknown) => boolean, wanted: string] } = {
  name: [(value) => isText(value) && String(value).trim() !== "", "text that is not empty"],
  description: [isText, "text"],
  timeoutMs: positive,
  maxResultChars: positive,
  readOnly: flag,
  idempotent: flag,
  repeatable: flag,
  untrusted: flag,
  requiresApproval: [(value) => isFlag(value) || isFunction(value), "true, false or a function"],
  unsafeIn: texts,
  availableIf: [(value) => isFlag(value) || isFunction(value), "true, false or a function"],
  expose: flag,
  check: asked,
  requiresEnv: texts,
  canUse: asked,
  defer: flag,
};

/**
 * Throws for what is no declaration of a method: `invalid_tool`, or `invalid_option` for options that there are not.
 * Told where it is declared and not where it is first used, which may be far away.
 */
export function checkMethod(options: unknown, body: unknown): void {
  if (!isRecord(options)) {
    throw new RondoError("invalid_tool", "A method needs options: method({ description, input }, (args) => …).");
  }
  if (typeof body !== "function") {
    throw new RondoError("invalid_tool", "A method needs a function behind its options: method({ … }, (args) => …).");
  }
  checkNames(options, known, "option of a method");
  for (const [option, [good, wanted]] of Object.entries(rules)) {
    const value = options[option];
    if (value === undefined || good(value)) continue;
    throw new RondoError("invalid_tool", `"${option}" of a method must be ${wanted}, not ${shown(value)}.`);
  }
}
