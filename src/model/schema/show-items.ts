import type { Json, JsonObject } from "../../message/json.ts";
import { isList, isOpen, type Keywords, type Node } from "./node.ts";
import { anything } from "./open.ts";
import { type At, below, type Show, show } from "./show.ts";
import type { Shown } from "./show-keywords.ts";
import { inWords } from "./words.ts";

/** What is in an array. `typed`: the schema says that it is one. */
export function showItems(node: Keywords, typed: boolean, at: At, work: Show): Shown {
  const { dialect } = work;
  const first = (isList(node.prefixItems) ? node.prefixItems : []) as readonly Node[];
  const rest = node.items as Node | undefined;
  if (first.length === 0) return { fields: showRest(rest, typed, node, at, work), notes: [] };
  if (dialect.keywords.has("prefixItems") && !first.includes(false)) {
    const items = first.map((one, index) => show(one, below(at, "prefixItems", index), work) || anything(dialect));
    return { fields: { prefixItems: items, ...showRest(rest, typed, node, at, work) }, notes: [] };
  }
  work.losses += 1;
  const all = [...first, rest ?? true].filter((one) => one !== false);
  const items = all.some(isOpen)
    ? anything(dialect)
    : show({ anyOf: all as readonly Json[] }, below(at, "items"), work) || anything(dialect);
  const shown = first.map((one, index) => show(one, below(at, "prefixItems", index), work) || false);
  const most = rest === false ? { maxItems: Math.min(first.length, Number(node.maxItems ?? first.length)) } : undefined;
  return {
    fields: { items, ...(dialect.keywords.has("maxItems") ? most : undefined) },
    notes: [
      `The first items in order: ${inOrder(shown)}`,
      ...(most === undefined || dialect.keywords.has("maxItems") ? [] : [inWords("maxItems", most.maxItems)]),
    ],
  };
}

const inOrder = (shown: readonly (JsonObject | false)[]): string =>
  inWords("", [...shown]).replace(/^Has to fit \{"":(.*)\}\.$/, "$1.");

function showRest(
  rest: Node | undefined,
  typed: boolean,
  node: Keywords,
  at: At,
  work: Show,
): Record<string, Json | undefined> {
  const { dialect } = work;
  if (rest === undefined || (rest !== false && isOpen(rest) && rest === true)) {
    return { items: typed && dialect.itemsNeeded ? anything(dialect) : undefined };
  }
  const items = show(rest, below(at, "items"), work);
  if (items !== false) return { items };
  const most = (isList(node.prefixItems) ? node.prefixItems : []).length;
  const maxItems = Math.min(most, Number(node.maxItems ?? most));
  return {
    maxItems: dialect.keywords.has("maxItems") ? maxItems : undefined,
    items: dialect.itemsNeeded ? anything(dialect) : undefined,
  };
}
