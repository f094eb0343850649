import { grow, isBare, type ObjectText, objectText } from "../../message/whole-object.ts";
import type { WireEvent } from "./mend.ts";
import { lostPiece, movedPiece, type WireNotes } from "./notes.ts";
import { textId } from "./text-id.ts";

/** A piece of a call as chat completions have it. */
export type CallPiece = WireEvent & {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
};

/** One call of a reply. Until its name has come its pieces wait. */
type Call = {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  args: ObjectText;
  /** What its arguments say, however written, once they are whole: read only once. Undefined if they are no JSON. */
  said?: { readonly as: string | undefined };
};

/**
 * Sends the pieces of calls to the call they belong to, whatever index, id or name they repeat, lack or have wrong: each
 * piece goes on under the index of its call, and id and name only with the first. The packages make another call of a
 * piece that they cannot place, or end the stream.
 */
export type ChatCalls = {
  /** The piece as it is to go on: itself if nothing is wrong, undefined if nothing of it is. */
  route(piece: CallPiece): CallPiece | undefined;
  /** Calls whose name never came, under the name that stands for none. */
  nameless(): CallPiece[];
  readonly any: boolean;
};

export function chatCalls(notes: WireNotes, unnamed: string): ChatCalls {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  const byId = new Map<string, Call>();
  const taken = new Set<number>();
  /** Calls whose arguments have not ended, and those that have by their braces but were not read yet. */
  const unfinished = new Set<Call>();
  const unread = new Set<Call>();
  let next = 0;

  const add = (call: Call, text: string): void => {
    // Some gateways say so of a call that has begun; its arguments follow.
    if (isBare(call.args) && text.trimStart()[0] === "{") {
      call.args = objectText();
      delete call.said;
    }
    grow(call.args, text);
    if (call.args.whole) {
      unfinished.delete(call);
      unread.add(call);
    } else unfinished.add(call);
  };

  const begin = (wireIndex: number | undefined, id: string | undefined, name: string | undefined): Call => {
    // Some servers give every call the same index: then ours counts on.
    const index = wireIndex === undefined || taken.has(wireIndex) ? next : wireIndex;
    taken.add(index);
    next = Math.max(next, index + 1);
    const call: Call = { index, id, name, args: objectText() };
    calls.push(call);
    unfinished.add(call);
    if (wireIndex !== undefined) byIndex.set(wireIndex, call);
    if (id !== undefined && !byId.has(id)) byId.set(id, call);
    return call;
  };

  /** The call that a piece without an id and a name goes on with when its index is of no call. */
  const goesOn = (wireIndex: number | undefined): Call | "none" | undefined => {
    for (const call of unread) if (!isWhole(call)) unfinished.add(call);
    unread.clear();
    const [only] = unfinished;
    if (only === undefined) return undefined;
    if (unfinished.size > 1) {
      lostPiece(notes);
      return "none";
    }
    if (wireIndex === undefined) return only;
    byIndex.set(wireIndex, only);
    movedPiece(notes, wireIndex, only.index);
    return only;
  };

  /** Whether a piece that has the index or id of this call begins a call of its own. */
  const isAnother = (
    call: Call,
    wireIndex: number | undefined,
    id: string | undefined,
    name: string | undefined,
    text: string,
  ): boolean => {
    if (name === undefined || call.name === undefined) return false;
    if (name !== call.name) return true;
    // Some servers give a new id to each piece; those that send all so far with each may.
    if (id !== undefined && call.id !== undefined && id !== call.id) return isWhole(call) || !goesBeyond(call, text);
    const elsewhere = wireIndex !== undefined && byIndex.get(wireIndex) !== call;
    if (elsewhere) return !goesBeyond(call, text) && !isSame(call, text);
    if (id !== undefined && id === call.id && isBare(call.args)) return false;
    return isWhole(call) && text.trimStart()[0] === "{" && !isSame(call, text);
  };

  const route = (piece: CallPiece): CallPiece | undefined => {
    const wireIndex = indexOf(piece.index);
    const id = filled(textId(piece.id));
    const name = filled(piece.function?.name);
    const given = piece.function?.arguments;
    const text = typeof given === "string" ? given : given ? JSON.stringify(given) : "";

    const indexed = wireIndex === undefined ? undefined : byIndex.get(wireIndex);
    const named = id === undefined ? undefined : byId.get(id);
    let call = named ?? indexed;
    if (call !== undefined && isAnother(call, wireIndex, id, name, text)) call = undefined;
    if (call === undefined && id === undefined && name === undefined) {
      const other = text.trim() === "" ? "none" : goesOn(wireIndex);
      if (other === "none") return undefined;
      call = other;
    }
    const isNew = call === undefined;
    call ??= begin(wireIndex, id, name);
    // All of it once more, when it was whole already.
    if (!isNew && text !== "" && isSame(call, text)) return undefined;

    if (call.name === undefined) {
      call.id ??= id;
      add(call, text);
      if (name === undefined) return undefined;
      call.name = name;
      return first(call, piece);
    }
    add(call, text);
    const isReadable = call.index === piece.index && text === given && typeof piece.id !== "number";
    if (isNew) return isReadable ? piece : first(call, piece);
    const untouched = piece.index === call.index && id === undefined && name === undefined && typeof given === "string";
    if (untouched) return piece;
    const { id: _, ...rest } = piece;
    return { ...rest, index: call.index, function: { arguments: text } };
  };

  return {
    route,
    nameless() {
      const waiting = calls.filter((call) => call.name === undefined);
      for (const call of waiting) call.name = unnamed;
      return waiting.map((call) => first(call, {}));
    },
    get any() {
      return calls.length > 0;
    },
  };
}

const first = (call: Call, piece: CallPiece): CallPiece => ({
  ...piece,
  index: call.index,
  ...(call.id === undefined ? undefined : { id: call.id }),
  type: "function",
  function: { name: call.name, arguments: call.args.text },
});

/** Joins what came only for a piece that could hold all of it. */
const goesBeyond = ({ args: { text: before } }: Call, text: string): boolean =>
  before !== "" && text.length >= before.length && text.startsWith(before);

const filled = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** Some servers write the number as text. */
function indexOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Whether arguments have ended; they are read only when their braces say so. */
const isWhole = (call: Call): boolean => saidBy(call) !== undefined;

function saidBy(call: Call): string | undefined {
  if (!call.args.whole) return undefined;
  call.said ??= { as: meaning(call.args.text) };
  return call.said.as;
}

/** Whether the piece is the arguments, whole, once more. */
function isSame(call: Call, text: string): boolean {
  const said = saidBy(call);
  if (said === undefined || text.trimStart()[0] !== "{") return false;
  return text === call.args.text || said === meaning(text);
}

/** The same for texts that say the same; undefined for what is no JSON. */
function meaning(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
