import type { MenuTool } from "../entry.ts";
import { deferralGate } from "../gates/deferral.ts";
import { type Policy, vetoOf } from "../gates/policy.ts";
import { callTool } from "./call-tool.ts";
import { declaredTokens } from "./declared-size.ts";
import { toolSearch } from "./tool-search.ts";

/** What decides which tools of a menu are deferred. */
export type DeferralRules = {
  /** Tokens that all declarations together may take before those that can wait do, as they do where there are very many; `Infinity`: any number. */
  readonly above: number;
  /** Names that the request forces. */
  readonly forced: readonly string[];
  /** What may be picked at all. */
  readonly policy: Policy;
};

/** The tools of a menu by what the model is told of them. */
export type Shared = {
  readonly declared: readonly MenuTool[];
  /** Tools that are found with `tool_search`, by name, and why they wait. */
  readonly deferred: ReadonlyMap<string, string>;
};

const nothing: ReadonlyMap<string, string> = new Map();

/** The tool through which deferred ones are called: who may not call it, or is to be asked about it, is so about them. */
export const callToolName = "call_tool";

/** The names of the tools through which deferred ones are found and called. */
export const loaders = ["tool_search", callToolName];

/**
 * Which tools are declared from the start, in their order, and which wait. The two tools that reach those that wait stand
 * behind the others; where they are denied, or their names are taken, nothing waits.
 */
export function deferred(tools: readonly MenuTool[], { above, forced, policy }: DeferralRules): Shared {
  const asks = tools.some(({ defer }) => defer);
  if (!asks && above === Infinity) return { declared: tools, deferred: nothing };
  if (loaders.some((name) => vetoOf(name, policy) !== undefined || tools.some((tool) => tool.name === name))) {
    return { declared: tools, deferred: nothing };
  }
  const crowded = isCrowded(tools, above);
  if (!asks && !crowded) return { declared: tools, deferred: nothing };
  const waiting = new Map<string, string>();
  const declared: MenuTool[] = [];
  const found: MenuTool[] = [];
  for (const tool of tools) {
    const reason = deferralGate(tool, { crowded, forced });
    if (reason === undefined) declared.push(tool);
    else {
      waiting.set(tool.name, reason);
      found.push(tool);
    }
  }
  if (found.length === 0) return { declared: tools, deferred: nothing };
  return { declared: [...declared, toolSearch(found), callTool], deferred: waiting };
}

/** OpenAI and servers like it take 128 in a request, and one may be needed to hand in a result. */
const mostTools = 127;

function isCrowded(tools: readonly MenuTool[], above: number): boolean {
  if (above !== Infinity && tools.length > mostTools) return true;
  let sum = 0;
  for (const tool of tools) {
    sum += declaredTokens(tool);
    if (sum > above) return true;
  }
  return false;
}
