import type { ModelEvent, ModelFailure, ModelRequest } from "../model.ts";
import { askedAgain } from "./asked-again.ts";

/** What a request asks for beside tools that some servers refuse to hear of at all. */
export type Knobs = {
  /** The request without what its run has learned to leave out. */
  of(request: ModelRequest): ModelRequest;
  /** Streams a request, and once more without the knob that the provider refuses. */
  around(request: ModelRequest, ask: () => AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent>;
};

/** The memory of one model: a run's `messages` are one array, round after round. */
export function knobs(id: string): Knobs {
  const refused = new WeakSet<ModelRequest["messages"]>();

  const isSent = ({ messages, tools, parallelToolCalls, providerOptions }: ModelRequest): boolean =>
    parallelToolCalls === false &&
    tools.length > 0 &&
    !refused.has(messages) &&
    // What the caller says in the provider's own words stays, so the next request would be the same.
    !names.test(JSON.stringify(providerOptions ?? {}));

  return {
    of(request) {
      if (!refused.has(request.messages)) return request;
      const { parallelToolCalls: _, ...rest } = request;
      return rest;
    },
    around: (request, ask) =>
      askedAgain(ask, (error) => {
        if (!isRefusal(error) || !isSent(request)) return undefined;
        refused.add(request.messages);
        return warning(id, error);
      }),
  };
}

/** The knob by any name that a provider has for it. */
const names = /parallel[\s_-]?(tool|function)[\s_-]?(calls?|calling|use)/i;

const isRefusal = ({ kind, message }: ModelFailure): boolean =>
  (kind === "invalid" || kind === "overloaded" || kind === "unknown") && names.test(message);

const warning = (id: string, { message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code: "parallel_refused",
  message: `${id} does not take parallelToolCalls: false and is asked without it for the rest of the run, so a reply may hold several calls. It said: ${message.slice(0, 200)}`,
});
