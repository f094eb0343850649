import { nearestNames } from "../../ranker/nearest.ts";
import type { MenuTool } from "../entry.ts";
import { menuTool } from "../entry.ts";
import { tool } from "../tool.ts";
import { readQuery } from "./query.ts";
import { described } from "./shown-tools.ts";
import { findTools, indexTools, type ToolIndex } from "./tool-index.ts";

/** Tools that a search gives, unless it asks for another number, and at most. */
const usual = 5;
const most = 20;

/** Names that are not there for which near ones are looked up. */
const mostMeant = 3;

/** Characters of names that the declaration may hold; with more it tells their number alone. */
const catalogueChars = 400;

function catalogue(names: readonly string[]): string {
  const list = names.join(", ");
  const count = names.length === 1 ? "1 more tool" : `${names.length.toLocaleString("en-US")} more tools`;
  return list.length <= catalogueChars ? `${count} can be found with it: ${list}.` : `${count} can be found with it.`;
}

/** The tool that finds deferred tools and gives their schemas: among these, which are all that a menu allows, and no others. */
export function toolSearch(deferred: readonly MenuTool[]): MenuTool {
  let index: ToolIndex | undefined;
  const byName = new Map(deferred.map((one) => [one.name, one]));
  const names = [...byName.keys()];

  const found = (query: string, limit: number, chars: number): string => {
    const asked = readQuery(query);
    if ("select" in asked) return selected(asked.select.slice(0, most), chars);
    if (query.trim() === "") return 'Say what the tool should do, or "select:" and names.';
    index ??= indexTools(deferred);
    const tools = findTools(index, asked, limit);
    if (tools.length > 0) return described(tools, chars);
    return `No tool fits ${JSON.stringify(query.slice(0, 200))}. Try other words; ${names.length} can be searched.`;
  };

  const selected = (wanted: readonly string[], chars: number): string => {
    const tools = wanted.flatMap((name) => byName.get(name) ?? []);
    const missing = wanted.filter((name) => !byName.has(name));
    const notes = missing.map((name, at) => {
      const near = at < mostMeant ? nearestNames(name, names) : [];
      return `There is no tool ${JSON.stringify(name.slice(0, 80))} here.${near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ""}`;
    });
    if (wanted.length === 0) notes.push('"select:" needs names behind it, with commas between them.');
    return [...(tools.length > 0 ? [described(tools, chars)] : []), ...notes].join("\n");
  };

  return menuTool(
    tool({
      name: "tool_search",
      description: `Finds tools that are not listed here, by what they do, and tells how to call them. ${catalogue(names)} Search before you say that there is no tool for something.`,
      input: {
        type: "object",
        properties: {
          query: {
            type: "string",
            description:
              'What the tool should do, in a few words; "+word" is one that it has to hold. "select:a,b" gives the tools of these names.',
          },
          limit: { type: "integer", minimum: 1, maximum: most, description: `How many to give. Default ${usual}.` },
        },
        required: ["query"],
        additionalProperties: false,
      },
      readOnly: true,
      repeatable: true,
      defer: false,
      execute: (args, { maxResultChars }) => {
        const { query, limit = usual } = args as unknown as { query: string; limit?: number };
        return found(query, limit, maxResultChars);
      },
    }),
  );
}
