import { availabilityFrom } from "./gates/remembered.ts";
import type { MenuRequest, ResolvedMenu } from "./menu.ts";

/** One menu with all that it depends on, in copies that nobody else can change. */
type Slot = MenuRequest & { readonly version: number; readonly resolved: ResolvedMenu };

/**
 * The last menu per array of entries, and per first entry (for callers who write the array anew each time). Weak, so
 * that a menu lives no longer than its tools. What is found is compared with the request in full: an array may have
 * been changed since.
 */
const slots = new WeakMap<object, Slot>();
/** The last menu per registry and preset. */
const ofRegistry = new WeakMap<object, Map<string, Slot>>();

const none: readonly string[] = [];

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** The name of what is no list; undefined for a list. */
function presetOf(entries: MenuRequest["entries"]): string | undefined {
  if (typeof entries === "string") return entries;
  return "preset" in entries ? entries.preset : undefined;
}

function sameEntries(a: MenuRequest["entries"], b: MenuRequest["entries"]): boolean {
  const [named, other] = [presetOf(a), presetOf(b)];
  if (named !== undefined || other !== undefined) return named === other;
  return same(a as readonly unknown[], b as readonly unknown[]);
}

/** What depends on something still has the answer that it had. */
function holds({ resolved, sources, workspace }: Slot): boolean {
  const { conditional } = resolved;
  return conditional.every(([tool, reason]) => availabilityFrom(tool, sources, workspace) === reason);
}

function fits(slot: Slot | undefined, request: MenuRequest): slot is Slot {
  return (
    slot !== undefined &&
    slot.registry === request.registry &&
    slot.version === request.registry.version &&
    slot.presets === request.presets &&
    same(slot.sources, request.sources) &&
    slot.workspace === request.workspace &&
    slot.deferAbove === request.deferAbove &&
    same(slot.forced, request.forced) &&
    same(slot.disabled, request.disabled) &&
    slot.allow.length === request.allow.length &&
    slot.allow.every((list, index) => same(list, request.allow[index]!)) &&
    same(slot.deny, request.deny) &&
    same(slot.asks, request.asks) &&
    same(slot.beside ?? none, request.beside ?? none) &&
    slot.inherited?.allow === request.inherited?.allow &&
    slot.inherited?.deny === request.inherited?.deny &&
    slot.inherited?.asks === request.inherited?.asks &&
    sameEntries(slot.entries, request.entries) &&
    holds(slot)
  );
}

/** The menu that was made for an equal request, if it is still at hand. */
export function recallMenu(request: MenuRequest): ResolvedMenu | undefined {
  const { entries, registry } = request;
  if (!Array.isArray(entries)) {
    const slot = ofRegistry.get(registry)?.get(presetOf(entries) ?? "");
    return fits(slot, request) ? slot.resolved : undefined;
  }
  let slot = slots.get(entries);
  if (fits(slot, request)) return slot.resolved;
  slot = isObject(entries[0]) ? slots.get(entries[0]) : undefined;
  return fits(slot, request) ? slot.resolved : undefined;
}

/** Keeps a menu for the next equal request. */
export function rememberMenu(request: MenuRequest, resolved: ResolvedMenu): void {
  const { registry, sources, disabled, deny, asks, beside, inherited, forced } = request;
  const entries = Array.isArray(request.entries) ? [...request.entries] : request.entries;
  const allow = request.allow.map((list) => [...list]);
  const slot: Slot = {
    ...request,
    entries,
    allow,
    sources: [...sources],
    disabled: [...disabled],
    deny: [...deny],
    asks: [...asks],
    forced: [...forced],
    version: registry.version,
    resolved,
    ...(beside && { beside: [...beside] }),
    ...(inherited && { inherited }),
  };
  if (!Array.isArray(entries)) {
    const slots = ofRegistry.get(registry) ?? new Map<string, Slot>();
    ofRegistry.set(registry, slots.set(presetOf(request.entries) ?? "", slot));
    return;
  }
  slots.set(request.entries as object, slot);
  if (isObject(entries[0])) slots.set(entries[0], slot);
}
