import type { LanguageModel } from "../ai-sdk/language-model.ts";

/** What was found out about one stream where its package could not be told: for the adapter, behind the package. */
export type WireNotes = {
  readonly warnings: { readonly code: string; readonly message: string }[];
  /** A piece of the reply is missing, and it may have been a piece of a call. */
  lost: boolean;
};

/** Names the notes of a request to our `fetch`, which takes it off before anything is sent. */
const notesHeader = "x-rondo-notes";

const open = new Map<string, WireNotes>();
const wired = new WeakSet<LanguageModel>();
let count = 0;

/** Marks a model whose requests go through our `fetch`. */
export function throughWire<M extends LanguageModel>(model: M): M {
  wired.add(model);
  return model;
}

/** Each warning comes once a reply. */
export function warn({ warnings }: WireNotes, code: string, message: string): void {
  if (!warnings.some((warning) => warning.code === code && warning.message === message))
    warnings.push({ code, message });
}

/** A piece of a call that could be any call's is a piece that is missing. */
export function lostPiece(notes: WireNotes): void {
  notes.lost = true;
  warn(
    notes,
    "call_pieces",
    "A piece of a call's arguments came without saying which call it belongs to: it was left out.",
  );
}

/** A piece under a place that no call has can only be that of the one call that has not ended. */
export function movedPiece(notes: WireNotes, from: unknown, to: number): void {
  warn(notes, "call_pieces", `Arguments of the call at ${to} came under ${from}: they were taken for that call's.`);
}

export type OpenNotes = WireNotes & { readonly header: { readonly [name: string]: string }; close(): void };

/** Notes for one request of this model; undefined when nobody would write any. They are to be closed. */
export function openNotes(model: LanguageModel): OpenNotes | undefined {
  if (!wired.has(model)) return undefined;
  const id = String(++count);
  const notes: OpenNotes = { warnings: [], lost: false, header: { [notesHeader]: id }, close: () => open.delete(id) };
  open.set(id, notes);
  return notes;
}

/** The notes of a request by its headers, and the request without their name. */
export function takeNotes(init: RequestInit): { readonly notes: WireNotes; readonly init: RequestInit } {
  const { [notesHeader]: id, ...headers } = plain(init.headers);
  const notes = id === undefined ? undefined : open.get(id);
  return { notes: notes ?? { warnings: [], lost: false }, init: { ...init, headers } };
}

/** The packages give an object with names in lower case. */
function plain(headers: RequestInit["headers"]): Record<string, string> {
  if (headers instanceof Headers || Array.isArray(headers)) return Object.fromEntries(new Headers(headers));
  return (headers ?? {}) as Record<string, string>;
}
