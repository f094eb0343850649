import type { ProviderData } from "../../message/message.ts";
import type { Reply } from "../collect.ts";
import type { ModelEvent } from "../model.ts";
import { type CallArguments, callArguments } from "./call-arguments.ts";
import type { NamedTools } from "./named-tool.ts";
import type { WireNames } from "./wire-names.ts";

type Call = {
  readonly wireName: string;
  readonly args: CallArguments;
  /** Ours. Absent until the call is told of. */
  id?: string;
  inputEnded: boolean;
};
type Finished = { readonly name: string; readonly text: string };

/** Final word on a call: what a `tool-call` part says. */
export type FinalCall = {
  readonly wireId: string;
  readonly wireName: string;
  readonly input: string;
  readonly data?: ProviderData;
};

/**
 * Follows the calls of one reply by the ids that the provider gives, which may be missing, doubled or used again in later
 * rounds, and gives each call an id of its own that is unique in the history.
 */
export type CallTracker = {
  start(wireId: string, wireName: string): void;
  delta(wireId: string, delta: string): void;
  inputEnd(wireId: string): void;
  final(call: FinalCall): void;
  /** The reply is over: calls whose input ended without a final word have ended with what was streamed. */
  close(): void;
};

export function callTracker(
  reply: Reply,
  names: WireNames,
  usedIds: ReadonlySet<string>,
  newId: () => string,
  emit: (event: ModelEvent) => void,
  named: NamedTools = (_, text) => text,
): CallTracker {
  const open = new Map<string, Call[]>();
  const finished = new Map<string, Finished[]>();
  const ownIds = new Set<string>();
  let astray = false;

  const tell = (call: Call, wireId: string): string => {
    let id = wireId;
    while (id === "" || usedIds.has(id) || ownIds.has(id)) id = newId();
    ownIds.add(id);
    call.id = id;
    const name = names.original(call.wireName);
    reply.callStart(id, name);
    emit({ type: "call_start", id, name });
    return id;
  };

  const add = (id: string, delta: string) => {
    if (delta === "") return;
    reply.callDelta(id, delta);
    emit({ type: "call_delta", id, delta });
  };

  const end = (call: Call, wireId: string, final?: FinalCall) => {
    const told = finished.get(wireId) ?? [];
    const wireName = final?.wireName ?? call.wireName;
    const { rest, text } = call.args.end(final?.input);
    // The same call told twice is one call; the same id with something else in it is another.
    if (call.id === undefined && told.some((one) => one.name === wireName && isSame(one.text, text))) return;
    finished.set(wireId, [...told, { name: wireName, text }]);
    const known = call.id !== undefined;
    const id = call.id ?? tell(call, wireId);
    add(id, known ? rest : text);
    const name = names.original(wireName);
    reply.callEnd(id, { name, arguments: named(name, text), ...(final?.data && { providerData: final.data }) });
    emit({ type: "call_end", id });
  };

  const begin = (wireId: string, wireName: string): Call => {
    const call: Call = { wireName, args: callArguments(), inputEnded: false };
    // An id that has ended already may only be told once more: that shows at the end.
    if (wireId === "" || !finished.has(wireId)) tell(call, wireId);
    return call;
  };

  return {
    start(wireId, wireName) {
      const same = open.get(wireId);
      const last = same?.at(-1);
      // Begun once more: nothing of it came in between.
      if (wireId !== "" && last?.wireName === wireName && !last.inputEnded && last.args.isEmpty()) return;
      const call = begin(wireId, wireName);
      if (same === undefined) open.set(wireId, [call]);
      else same.push(call);
    },
    delta(wireId, delta) {
      const call = open.get(wireId)?.at(-1);
      if (call === undefined) astray ||= !finished.has(wireId);
      else {
        const news = call.args.push(delta);
        if (call.id !== undefined) add(call.id, news);
      }
    },
    inputEnd(wireId) {
      const call = open.get(wireId)?.at(-1);
      if (call !== undefined) call.inputEnded = true;
    },
    final(final) {
      const { wireId, wireName } = final;
      end(open.get(wireId)?.shift() ?? begin(wireId, wireName), wireId, final);
    },
    close() {
      for (const [wireId, calls] of open) {
        // A piece that belonged to no call may be missing in one of these.
        for (const call of calls) if (call.inputEnded && !astray) end(call, wireId);
      }
      open.clear();
    },
  };
}

/** Whether two texts are the same arguments, however they are written. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}
