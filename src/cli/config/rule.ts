import { parseRule } from "../../menu/approval/rule.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import { type Check, text } from "./check.ts";

const some = text('a rule, "tool" or "tool(pattern)"');

/** A rule about calls: `tool` or `tool(pattern)`. */
export const rule: Check = (value, at, report) => {
  if (typeof value !== "string") return some(value, at, report);
  try {
    parseRule(value);
  } catch (error) {
    report(at, `is no rule: ${thrownMessage(error)}`);
  }
};
