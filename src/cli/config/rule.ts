import { type Check, text } from "./check.ts";

/** A rule about calls: `tool` or `tool(pattern)`. */
export const rule: Check = text('a rule, "tool" or "tool(pattern)"');
