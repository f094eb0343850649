import { RondoError } from "../error.ts";
import { approvalModes } from "../menu/approval/mode.ts";
import { parseRule } from "../menu/approval/rule.ts";
import { checkNames, isRecord, mistake, shown } from "./check-options.ts";
import type { Approvals } from "./options.ts";

const known: Record<keyof Approvals, true> = { mode: true, deny: true, ask: true, allow: true, onAlways: true };

/** Throws for rules that cannot be read, and for what is no set of them. */
export function checkApprovals(approvals: unknown): void {
  if (approvals === undefined) return;
  if (!isRecord(approvals))
    throw mistake(`"approvals" must be { mode, deny, ask, allow, onAlways }, not ${shown(approvals)}.`);
  checkNames(approvals, known, "field of approvals");
  const { mode, onAlways } = approvals;
  if (mode !== undefined && !approvalModes.some((one) => one === mode))
    throw mistake(`"approvals.mode" must be ${approvalModes.map((m) => `"${m}"`).join(" or ")}, not ${shown(mode)}.`);
  if (onAlways !== undefined && typeof onAlways !== "function")
    throw mistake(`"approvals.onAlways" must be a function, not ${shown(onAlways)}.`);
  for (const list of ["deny", "ask", "allow"] as const) checkRules(`approvals.${list}`, approvals[list]);
}

function checkRules(where: string, rules: unknown): void {
  if (rules === undefined) return;
  if (!Array.isArray(rules)) throw mistake(`"${where}" must be an array of rules, not ${shown(rules)}.`);
  // Not forEach, which would pass over holes.
  for (const [i, rule] of rules.entries()) {
    try {
      parseRule(rule);
    } catch (error) {
      if (!RondoError.isInstance(error)) throw error;
      throw new RondoError(error.code, `"${where}[${i}]": ${error.message}`, { cause: error });
    }
  }
}
