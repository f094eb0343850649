import type { WireEvent } from "./mend.ts";

/** An id as the packages read one: some servers write numbers, or none at all. */
export const textId = (id: unknown): string => (typeof id === "string" ? id : typeof id === "number" ? String(id) : "");

/** The call, or what holds it, with a text as its id: itself if it has one. */
export const withTextId = <T extends WireEvent>(call: T, key: string, other = ""): T =>
  typeof call[key] === "string" ? call : { ...call, [key]: textId(call[key]) || other };
