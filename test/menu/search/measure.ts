import { readQuery } from "../../../src/menu/deferral/query.ts";
import { findTools, indexTools } from "../../../src/menu/deferral/tool-index.ts";
import type { MenuTool } from "../../../src/menu/entry.ts";

/** A request, and the tools of which one is right. */
export type Asked = { readonly request: string; readonly right: readonly string[] };

/** How often the right tool was first, and among the first five; and where it was not. */
export type Hits = {
  readonly asked: number;
  readonly first: number;
  readonly five: number;
  readonly missed: readonly (Asked & { readonly found: readonly string[] })[];
};

/** Searches for each request among these tools. */
export function hitsOf(tools: readonly MenuTool[], requests: readonly Asked[]): Hits {
  const index = indexTools(tools);
  const missed: (Asked & { readonly found: readonly string[] })[] = [];
  let first = 0;
  for (const { request, right } of requests) {
    const query = readQuery(request);
    const found = "select" in query ? [] : findTools(index, query, 5).map(({ name }) => name);
    if (right.includes(found[0] ?? "")) first++;
    if (!found.some((name) => right.includes(name))) missed.push({ request, right, found });
  }
  return { asked: requests.length, first, five: requests.length - missed.length, missed };
}

/** Even places are there to tune on, odd ones are held out. */
export function halves<One>(all: readonly One[]): {
  readonly tuning: readonly One[];
  readonly heldOut: readonly One[];
} {
  return { tuning: all.filter((_, at) => at % 2 === 0), heldOut: all.filter((_, at) => at % 2 === 1) };
}
