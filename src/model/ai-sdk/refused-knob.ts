import type { ModelEvent, ModelFailure, ModelRequest } from "../model.ts";
import { askedAgain } from "./asked-again.ts";

/** What a request asks for beside its content that some servers and models refuse to hear of at all. */
export type Knobs = {
  /** The request without what its run has learned to leave out. */
  of(request: ModelRequest): ModelRequest;
  /** Streams a request, and once more without each knob that the provider refuses. */
  around(request: ModelRequest, ask: () => AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent>;
};

type Knob = {
  readonly field: "parallelToolCalls" | "effort" | "temperature";
  /** Whether the request turns it. */
  isSent(request: ModelRequest): boolean;
  /** How a refusal speaks of it. */
  readonly refusal: RegExp;
  /** Its names in the caller's own options: what is said there stays, so the next request would be the same. */
  readonly own: RegExp;
  readonly code: string;
  readonly told: string;
};

const parallelNames = /parallel[\s_-]?(tool|function)[\s_-]?(calls?|calling|use)/i;

const all: readonly Knob[] = [
  {
    field: "parallelToolCalls",
    isSent: ({ tools, parallelToolCalls }) => parallelToolCalls === false && tools.length > 0,
    refusal: parallelNames,
    own: parallelNames,
    code: "parallel_refused",
    told: "does not take parallelToolCalls: false and is asked without it for the rest of the run, so a reply may hold several calls.",
  },
  {
    field: "effort",
    isSent: ({ effort }) => effort !== undefined,
    // Of models that do not think, and of those that do it otherwise; a choice that is refused to a model that thinks is another matter.
    refusal:
      /^(?!.*tool[\s_-]?choice).*(?:\beffort\b|reasoning[_.]?effort|thinking[_ ]?(budget|level|config)|does(n't| not) support (extended |adaptive )?(thinking|reasoning)|(thinking|reasoning)[\w."'`]* (is|are) not (supported|enabled|available))/is,
    own: /"(reasoningEffort|reasoning_effort|effort|thinking|thinkingConfig|reasoningConfig|reasoning)":/,
    code: "effort_refused",
    told: "does not take this effort and is asked without it for the rest of the run.",
  },
  {
    field: "temperature",
    isSent: ({ temperature }) => temperature !== undefined,
    refusal: /^(?!.*(schema|properties|function)).*\btemperature\b/is,
    own: /"temperature":/,
    code: "temperature_refused",
    told: "does not take this temperature and is asked without it for the rest of the run.",
  },
];

/** The memory of one model: a run's `messages` are one array, round after round. */
export function knobs(id: string): Knobs {
  const refused = new WeakMap<ModelRequest["messages"], Set<Knob["field"]>>();

  const around = (request: ModelRequest, knob: Knob, ask: () => AsyncIterable<ModelEvent>) =>
    askedAgain(ask, (error) => {
      const known = refused.get(request.messages) ?? new Set();
      if (!isRefusal(error, knob) || known.has(knob.field) || !knob.isSent(request)) return undefined;
      if (knob.own.test(JSON.stringify(request.providerOptions ?? {}))) return undefined;
      refused.set(request.messages, known.add(knob.field));
      return warning(id, knob, error);
    });

  return {
    of(request) {
      const known = refused.get(request.messages);
      if (known === undefined) return request;
      const rest = { ...request };
      for (const field of known) delete rest[field];
      return rest;
    },
    around: (request, ask) =>
      all.filter((knob) => knob.isSent(request)).reduce((inner, knob) => () => around(request, knob, inner), ask)(),
  };
}

const isRefusal = ({ kind, message }: ModelFailure, { refusal }: Knob): boolean =>
  (kind === "invalid" || kind === "overloaded" || kind === "unknown") && refusal.test(message);

const warning = (id: string, { code, told }: Knob, { message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code,
  message: `${id} ${told} It said: ${message.slice(0, 200)}`,
});
