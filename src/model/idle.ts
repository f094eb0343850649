import { RondoError } from "../error.ts";
import { inWords } from "./in-words.ts";
import type { ModelFailure } from "./model.ts";

/**
 * How long a model may be silent. Only what belongs to the reply ends a silence: text, reasoning, pieces of calls.
 * Comments, pings and empty events that keep a connection open do not. Times are milliseconds above 0; `Infinity`: no limit.
 */
export type IdleOptions = {
  /**
   * Longest silence inside a reply. Default 600,000 (ten minutes): models think silently for long, and what is really dead
   * is noticed by the socket sooner.
   */
  readonly idleTimeoutMs?: number;
  /** Longest silence before the reply begins. Default: `idleTimeoutMs`. Raise it for a local model that reads a long prompt. */
  readonly firstTokenTimeoutMs?: number;
};

export type IdleLimits = { readonly first: number; readonly between: number };

export function idleLimits({ idleTimeoutMs, firstTokenTimeoutMs }: IdleOptions): IdleLimits {
  for (const [name, value] of Object.entries({ idleTimeoutMs, firstTokenTimeoutMs })) {
    if (value === undefined || (typeof value === "number" && value > 0)) continue;
    throw new RondoError("invalid_option", `"${name}" must be a number of milliseconds above 0, or Infinity.`);
  }
  const between = idleTimeoutMs ?? 600_000;
  return { first: firstTokenTimeoutMs ?? between, between };
}

/** Why a watched request was ended. */
class Silence {
  readonly failure: ModelFailure;

  constructor(ms: number, isFirst: boolean) {
    const [what, option] = isFirst
      ? ["The model did not begin to answer", "firstTokenTimeoutMs"]
      : ["The model went silent", "idleTimeoutMs"];
    this.failure = { kind: "timeout", message: `${what} for ${inWords(ms)} (${option}).` };
  }
}

/** The failure that this signal fired with, if it was for silence. */
export const silenceOf = ({ reason }: AbortSignal): ModelFailure | undefined =>
  reason instanceof Silence ? reason.failure : undefined;

/** One request that is watched for silence. Time counts only while somebody waits for the model. */
export type Watch = {
  /** Fires with the signal given, or when the model was silent for too long. */
  readonly signal: AbortSignal;
  /** The model is waited for; `heard`: since the last time it said something of its reply. */
  wait(heard: boolean): void;
  /** Something came. */
  came(): void;
  close(): void;
};

/** One timer a request, which looks at the clock when it is due: a delta costs no more than a look at the clock. */
export function watchSilence({ first, between }: IdleLimits, outer: AbortSignal): Watch {
  const control = new AbortController();
  let limit = first;
  let since = performance.now();
  let waits = false;
  let begun = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    const left = waits ? since + limit - performance.now() : limit;
    if (left <= 0) control.abort(new Silence(limit, !begun));
    else
      timer = limit === Number.POSITIVE_INFINITY ? undefined : setTimeout(look, Math.min(Math.ceil(left), 2 ** 31 - 1));
  };
  const end = () => control.abort(outer.reason);
  if (outer.aborted) end();
  else outer.addEventListener("abort", end, { once: true });
  look();

  return {
    signal: control.signal,
    wait(heard) {
      waits = true;
      if (!heard) return;
      since = performance.now();
      if (begun) return;
      begun = true;
      limit = between;
      clearTimeout(timer);
      look();
    },
    came() {
      waits = false;
    },
    close() {
      clearTimeout(timer);
      outer.removeEventListener("abort", end);
    },
  };
}
