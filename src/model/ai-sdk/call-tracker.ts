import type { ProviderData } from "../../message/message.ts";
import type { Reply } from "../collect.ts";
import type { ModelEvent } from "../model.ts";
import type { WireNames } from "./wire-names.ts";

type Call = { readonly id: string; streamed: boolean; inputEnded: boolean };
type Finished = { readonly name: string; readonly input: string };

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
): CallTracker {
  const open = new Map<string, Call[]>();
  const finished = new Map<string, Finished[]>();
  const ownIds = new Set<string>();

  const begin = (wireId: string, wireName: string): Call => {
    let id = wireId;
    while (id === "" || usedIds.has(id) || ownIds.has(id)) id = newId();
    ownIds.add(id);
    const call: Call = { id, streamed: false, inputEnded: false };
    const same = open.get(wireId);
    if (same === undefined) open.set(wireId, [call]);
    else same.push(call);
    const name = names.original(wireName);
    reply.callStart(id, name);
    emit({ type: "call_start", id, name });
    return call;
  };

  const add = (call: Call, delta: string) => {
    if (delta === "") return;
    call.streamed = true;
    reply.callDelta(call.id, delta);
    emit({ type: "call_delta", id: call.id, delta });
  };

  return {
    start: begin,
    delta(wireId, delta) {
      const call = open.get(wireId)?.at(-1);
      if (call !== undefined) add(call, delta);
    },
    inputEnd(wireId) {
      const call = open.get(wireId)?.at(-1);
      if (call !== undefined) call.inputEnded = true;
    },
    final({ wireId, wireName, input, data }) {
      // The same call told twice is one call; the same id with something else in it is another.
      const told = finished.get(wireId) ?? [];
      const begun = open.get(wireId)?.shift();
      if (begun === undefined && wireId !== "" && told.some((call) => call.name === wireName && call.input === input))
        return;
      finished.set(wireId, [...told, { name: wireName, input }]);
      const call = begun ?? begin(wireId, wireName);
      if (begun === undefined) open.get(wireId)?.pop();
      if (!call.streamed) add(call, input);
      const name = names.original(wireName);
      reply.callEnd(call.id, { name, arguments: input, ...(data === undefined ? undefined : { providerData: data }) });
      emit({ type: "call_end", id: call.id });
    },
    close() {
      for (const call of [...open.values()].flat()) {
        if (!call.inputEnded) continue;
        reply.callEnd(call.id);
        emit({ type: "call_end", id: call.id });
      }
      open.clear();
    },
  };
}
