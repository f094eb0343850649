import { RondoError } from "../error.ts";
import type { MenuEntries } from "../menu/candidates.ts";
import { isTimeout } from "../message/abort-reason.ts";
import type { Warning } from "./model-of.ts";
import type { ExecOptions } from "./options.ts";
import type { Inherited, Scope } from "./scope.ts";
import type { Home } from "./start.ts";

/** The run around this one, while it goes on. */
export function outerOf(around: Scope | undefined, warnings: Warning[]): Inherited | undefined {
  if (!around?.run) return undefined;
  const { ended } = around.run;
  const { signal, deadlineAt } = around.run.inherited;
  const late = (deadlineAt !== undefined && Date.now() >= deadlineAt) || isTimeout(signal.reason);
  const stopped = ended === undefined && signal.aborted;
  if (ended === "timeout" || (stopped && late)) {
    throw new RondoError("timeout", "The run around this one is out of time.");
  }
  if (ended === "aborted" || stopped) throw new RondoError("aborted", "The run around this one was aborted.");
  if (ended === undefined && around.call.stopped) {
    throw new RondoError("timeout", "The call around this run has timed out.");
  }
  if (ended === undefined) return around.run.inherited;
  warnings.push({
    code: "outer_run_ended",
    message: "The run in which this one was begun has ended: it runs on its own.",
  });
  return undefined;
}

const nothing: readonly never[] = [];

/** The menu of the run around. Everything of another runtime stays everything of that one. */
function menuOf({ entries, registry }: Inherited, home: Home): Inherited["entries"] {
  return entries === "full" && registry && registry !== home.registry ? registry.entries() : entries;
}

const presetOf = (toolset: ExecOptions["toolset"]): MenuEntries | undefined =>
  toolset === undefined || toolset === "full" || toolset === "none"
    ? (toolset as "full" | "none" | undefined)
    : { preset: toolset };

/** The names of both; the runtime of a nested run is nearly always that of the run around, and its names are there. */
function both(outer: Names = nothing, own: Names = nothing): Names {
  const more = own.filter((name) => !outer.includes(name));
  return more.length === 0 ? outer : [...outer, ...more];
}

type Names = readonly string[];

/**
 * Where the request comes from: with a word of its own it is from there too, and a run of another runtime with a word of
 * that. What is around stays: what must not be begun from there must not be begun from there by a detour.
 */
function sourcesOf(home: Home, given: ExecOptions, around: Inherited | undefined): Names {
  const known = around?.registry === home.registry && around.sources.length > 0;
  const own = given.toolsSource ?? (known ? undefined : home.options.toolsSource);
  if (own === undefined) return around?.sources ?? nothing;
  return both(around?.sources, [own]);
}

/** Own menu, else the outer one; allow-lists intersect; sources, denials and what needs approval add up, also behind the end of the run around. */
export function menuOptions(
  home: Home,
  given: ExecOptions,
  around: Inherited | undefined,
  outer: Inherited | undefined,
) {
  const { toolsAllow, toolsDeny, toolsDisabled, requiresApproval } = home.options;
  // An empty array is new each time; the menu of none is made once.
  const own = given.tools?.length === 0 ? "none" : given.tools;
  const theirs = outer && own === undefined && given.toolset === undefined ? menuOf(outer, home) : undefined;
  const entries = theirs ?? own ?? presetOf(given.toolset) ?? "full";
  // What is inherited works where it did: another runtime opens no other folder to it.
  const confinement = outer && theirs !== undefined ? outer.runtime : home.runtime;
  const sources = sourcesOf(home, given, around);
  const disabled = both(around?.disabled, toolsDisabled);
  const asks = both(around?.asks, requiresApproval);
  if (!around && !toolsAllow && !toolsDeny && !given.toolsAllow && !given.toolsDeny) {
    return { entries, sources, allow: nothing, deny: nothing, disabled, asks, inherited: undefined, confinement };
  }
  const allow = [
    ...(around?.allow ?? []),
    ...(toolsAllow ? [toolsAllow] : []),
    ...(given.toolsAllow ? [given.toolsAllow] : []),
  ];
  const deny = [...(around?.deny ?? []), ...(toolsDeny ?? []), ...(given.toolsDeny ?? [])];
  const inherited = around && { allow: around.allow.length, deny: around.deny.length, asks: around.asks.length };
  return { entries, sources, allow, deny, disabled, asks, inherited, confinement };
}

/** The earlier of the own deadline and the outer one, in milliseconds since 1970. */
export function deadline(timeoutMs: number | undefined, outer: number | undefined): number | undefined {
  const own = timeoutMs === undefined || timeoutMs === Infinity ? undefined : Date.now() + timeoutMs;
  if (own === undefined || outer === undefined) return own ?? outer;
  return Math.min(own, outer);
}
