import { nearestNames } from "../ranker/nearest.ts";
import type { ToolOptions } from "./tool.ts";

/** The options of a tool but for its timeout, which a method has none of unless it says so. */
export const wrapperOptions = [
  "readOnly",
  "idempotent",
  "repeatable",
  "requiresApproval",
  "maxResultChars",
  "unsafeIn",
  "untrusted",
  "availableIf",
  "expose",
  "check",
  "requiresEnv",
  "canUse",
  "defer",
] as const satisfies readonly (keyof ToolOptions)[];

const options: readonly string[] = [...wrapperOptions, "timeoutMs"];

const fields: readonly string[] = ["name", "description", "input", "execute", ...options];

/** Differs by a letter or by case alone. */
const nearly = (key: string, option: string): boolean =>
  Math.abs(key.length - option.length) <= 1 && nearestNames(key, [option]).length > 0;

/**
 * What is wrong with the names of an entry's fields: a misspelt `requiresApproval` would be a gate that stands open. What
 * `tool()` declares has no other fields; an object with `spec` and `execute` may have its own, but none that is nearly
 * an option.
 */
export function misnamed(entry: object, declared: boolean): string | undefined {
  if (!declared && "spec" in entry) {
    const inside = misplaced(entry.spec);
    if (inside !== undefined) return inside;
  }
  for (const key of Object.keys(entry)) {
    if (fields.includes(key)) continue;
    const [near] = declared ? nearestNames(key, fields) : options.filter((option) => nearly(key, option));
    if (near !== undefined) return `it has no option "${key}"; write "${near}"`;
    if (declared) return `it has no option "${key}"; the options of a tool are ${fields.join(", ")}`;
  }
  return undefined;
}

/** An option inside of `spec`, where nothing would look for it. */
function misplaced(spec: unknown): string | undefined {
  if (typeof spec !== "object" || spec === null) return undefined;
  for (const key of Object.keys(spec)) {
    const [near] = options.filter((option) => nearly(key, option));
    if (near !== undefined) return `its spec has "${key}", which does not belong there; write "${near}" beside spec`;
  }
  return undefined;
}
