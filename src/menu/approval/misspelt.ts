import { nearestNames } from "../../ranker/nearest.ts";
import { sameName } from "../asks.ts";
import type { Menu } from "../menu.ts";
import { inShort } from "../misspelt.ts";
import type { Registry } from "../registry.ts";
import type { RuleSet } from "./judge.ts";

const lists = ["deny", "ask", "allow"] as const;

/**
 * What a caller should hear about names in rules that nothing has: most likely misspelt, which in a denial would be a
 * hole. `beside`: names of what can be picked beside the menu.
 */
export function misspelt(
  rules: RuleSet,
  menu: Menu,
  registry: Registry,
  beside: readonly string[] = [],
): readonly string[] {
  const wrong = new Map<string, readonly [(typeof lists)[number], string]>();
  let known: readonly string[] | undefined;
  for (const list of lists) {
    for (const { tool } of rules[list]) {
      if (menu.find(tool) || registry.get(tool)) continue;
      known ??= [...new Set([...registry.names(), ...menu.names, ...menu.dropped.map(({ name }) => name), ...beside])];
      if (!known.includes(tool)) wrong.set(`${list} ${tool}`, [list, tool]);
    }
  }
  return inShort([...wrong.values()], ([list, tool]) => about(list, tool, known!));
}

function about(list: (typeof lists)[number], tool: string, known: readonly string[]): string {
  const where = `approvals.${list}: there is no tool named "${tool}"`;
  const same = list === "allow" ? undefined : sameName(known)(tool);
  if (same !== undefined) return `${where}, so it was taken for "${same}". Write "${same}".`;
  const near = nearestNames(tool, known);
  return `${where}.${near.length === 0 ? "" : ` Did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`}`;
}
