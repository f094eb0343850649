import { sameName } from "./asks.ts";
import { suggestion } from "./candidates.ts";

/** Lists of names that bind a menu, without what was checked where it was written. */
export type NameLists = {
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  readonly asks: readonly string[];
};

/** Names for which near ones are looked up: among thousands of tools, each takes a while. */
const mostMeant = 20;

/** Names that are told of one by one; a reader that lags keeps a thousand events, and there are others to be told of. */
const mostTold = 100;

/** What is to be told of each of these, or of the first hundred and how many more there are. */
export function inShort<T>(all: readonly T[], tell: (one: T) => string): readonly string[] {
  const told = all.slice(0, mostTold).map(tell);
  const more = all.length - told.length;
  return more === 0 ? told : [...told, `… and ${more} more of these.`];
}

/** Names in lists that nothing has: most likely misspelt, which in a denial would be a hole. `names` gives those that there are. */
export function misspelt({ allow, deny, asks }: NameLists, names: () => Iterable<string>): readonly string[] {
  if (allow.length === 0 && deny.length === 0 && asks.length === 0) return [];
  const known = new Set(names());
  const all = [...known];
  const warnings = new Set<string>();
  const check = (option: string, name: string): void => {
    if (known.has(name)) return;
    const meant = warnings.size < mostMeant ? suggestion(name, all) : "";
    warnings.add(`${option}: there is no tool named "${name}".${meant}`);
  };
  for (const list of allow) for (const name of list) check("toolsAllow", name);
  for (const name of deny) check("toolsDeny", name);
  const takenFor = asks.length > 0 ? sameName(all) : undefined;
  for (const name of asks) {
    const same = known.has(name) ? undefined : takenFor?.(name);
    if (same === undefined) check("requiresApproval", name);
    else
      warnings.add(
        `requiresApproval: there is no tool named "${name}", so it was taken for "${same}", whose calls need approval. Write "${same}".`,
      );
  }
  return inShort([...warnings], (warning) => warning);
}
