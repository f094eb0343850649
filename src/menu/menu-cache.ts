import type { MenuRequest, ResolvedMenu } from "./menu.ts";

/** One menu with all that it depends on, in copies that nobody else can change. */
type Slot = MenuRequest & { readonly version: number; readonly resolved: ResolvedMenu };

/**
 * The last menu per array of entries, and per first entry (for callers who write the array anew each time). Weak, so
 * that a menu lives no longer than its tools. What is found is compared with the request in full: an array may have
 * been changed since.
 */
const slots = new WeakMap<object, Slot>();
const full = new WeakMap<object, Slot>();

const none: readonly string[] = [];

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function sameEntries(a: MenuRequest["entries"], b: MenuRequest["entries"]): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : same(a, b);
}

function fits(slot: Slot | undefined, request: MenuRequest): slot is Slot {
  return (
    slot !== undefined &&
    slot.registry === request.registry &&
    slot.version === request.registry.version &&
    slot.source === request.source &&
    slot.allow.length === request.allow.length &&
    slot.allow.every((list, index) => same(list, request.allow[index]!)) &&
    same(slot.deny, request.deny) &&
    same(slot.asks, request.asks) &&
    same(slot.beside ?? none, request.beside ?? none) &&
    slot.inherited?.allow === request.inherited?.allow &&
    slot.inherited?.deny === request.inherited?.deny &&
    slot.inherited?.asks === request.inherited?.asks &&
    sameEntries(slot.entries, request.entries)
  );
}

/** The menu that was made for an equal request, if it is still at hand. */
export function recallMenu(request: MenuRequest): ResolvedMenu | undefined {
  const { entries, registry } = request;
  if (!Array.isArray(entries)) {
    const slot = full.get(registry);
    return fits(slot, request) ? slot.resolved : undefined;
  }
  let slot = slots.get(entries);
  if (fits(slot, request)) return slot.resolved;
  slot = isObject(entries[0]) ? slots.get(entries[0]) : undefined;
  return fits(slot, request) ? slot.resolved : undefined;
}

/** Keeps a menu for the next equal request. */
export function rememberMenu(request: MenuRequest, resolved: ResolvedMenu): void {
  const { registry, source, deny, asks, beside, inherited } = request;
  const entries = Array.isArray(request.entries) ? [...request.entries] : request.entries;
  const allow = request.allow.map((list) => [...list]);
  const slot: Slot = {
    entries,
    registry,
    source,
    allow,
    deny: [...deny],
    asks: [...asks],
    version: registry.version,
    resolved,
    ...(beside && { beside: [...beside] }),
    ...(inherited && { inherited }),
  };
  if (!Array.isArray(entries)) {
    full.set(registry, slot);
    return;
  }
  slots.set(request.entries as object, slot);
  if (isObject(entries[0])) slots.set(entries[0], slot);
}
