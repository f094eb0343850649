import { RondoError } from "../error.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { replyFromEvents } from "./collect.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "./model.ts";
import { resolveModel } from "./resolve.ts";

/** Options of `fallback`. */
export type FallbackOptions = {
  /**
   * What else the next model is asked for: `"context_overflow"`, if it has a larger context; `"refusal"`, if it may answer
   * what the first refuses. Default: neither.
   */
  readonly also?: readonly ("context_overflow" | "refusal")[];
};

type End = Extract<ModelEvent, { type: "end" }>;
type Run = { readonly models: readonly Model[]; readonly also: ReadonlySet<string> };

/**
 * Several models as one: when the first fails, after the retries of its own, the next is asked the same. Names and models
 * may be mixed.
 *
 * The next one is asked after `transport`, `rate_limit`, `overloaded`, `timeout`, `auth`, `quota` and `unknown`, and where
 * a model is not found (404); never after `aborted` or any other `invalid`, which would fail there too, and only before
 * anything of a reply has come. A `retry` event with `fallback: { from, to }` tells of it. The rest of a run begins
 * with the model that answered, whose cache holds the history by then, and goes on with the others in turn; the next run begins
 * with the first again. Each is asked once a request.
 *
 * A reply's `model` is the one that wrote it. `contextTokens` and `maxOutputTokens` are the smallest that are known;
 * it `supports` what all of them do.
 *
 * Lower `retry.retries` of a model to have the next asked sooner.
 *
 * @throws RondoError `invalid_option` for no models, or what is none; what `resolveModel` throws for names.
 *
 * @example
 * ```ts
 * import { exec, fallback } from "rondo";
 *
 * const model = fallback(["anthropic/claude-sonnet-5", "openai/gpt-5.6"]);
 * await exec("Summarise the README.", { model });
 * ```
 */
export function fallback(models: readonly (Model | string)[], options: FallbackOptions = {}): Model {
  if (!Array.isArray(models) || models.length === 0)
    throw mistake("fallback needs a list of models, the first to ask first.");
  const all = models.map((model, i) => checked(typeof model === "string" ? resolveModel(model) : model, i));
  const also = alsoOf(options);
  // The messages of a run are one array, round after round.
  const chosen = new WeakMap<ModelRequest["messages"], number>();
  return {
    id: all.map(({ id }) => id).join(", else "),
    models: all.flatMap((model) => model.models ?? [model.id]),
    ...smallest("contextTokens", all),
    ...smallest("maxOutputTokens", all),
    supports: common(all),
    stream: (request, signal) => ({
      [Symbol.asyncIterator]: () => asking({ models: all, also }, request, signal, chosen),
    }),
  };
}

/** An iterator by hand: once content flows it hands on the promises of the model, so a delta costs nothing here. */
function asking(
  { models, also }: Run,
  request: ModelRequest,
  signal: AbortSignal,
  chosen: WeakMap<ModelRequest["messages"], number>,
): AsyncIterator<ModelEvent> {
  let at = chosen.get(request.messages) ?? 0;
  let inner: AsyncIterator<ModelEvent> | undefined;
  let settled = false;
  let attempt = 0;
  let left = models.length - 1;

  const settle = (step: IteratorResult<ModelEvent>) => {
    settled = true;
    chosen.set(request.messages, at);
    return step;
  };

  const step = async (): Promise<IteratorResult<ModelEvent>> => {
    try {
      inner ??= (models[at] as Model).stream(request, signal)[Symbol.asyncIterator]();
      return await inner.next();
    } catch (thrown) {
      // A caller's mistake, or a package that is missing, is said as it is.
      if (RondoError.isInstance(thrown)) throw thrown;
      return { done: false, value: failedEnd((models[at] as Model).id, thrownMessage(thrown)) };
    }
  };

  const beforeContent = async (): Promise<IteratorResult<ModelEvent>> => {
    const came = await step();
    if (came.done) return settle(came);
    const event = came.value;
    if (event.type === "warning") return came;
    if (event.type === "retry") {
      attempt += 1;
      return { done: false, value: { ...event, attempt } };
    }
    const error = event.type === "end" ? failureIn(event) : undefined;
    const from = models[at] as Model;
    if (error === undefined || left === 0 || signal.aborted || !goesOn(error, also)) return settle(came);
    left -= 1;
    attempt += 1;
    at = (at + 1) % models.length;
    const to = models[at] as Model;
    const ended = inner;
    inner = undefined;
    await ended?.return?.();
    return {
      done: false,
      value: { type: "retry", attempt, delayMs: 0, error, fallback: { from: from.id, to: to.id } },
    };
  };

  return {
    next: () => (settled ? (inner as AsyncIterator<ModelEvent>).next() : beforeContent()),
    async return() {
      settled = true;
      const open = inner;
      inner = nothing;
      await open?.return?.();
      return { done: true, value: undefined };
    },
  };
}

const nothing: AsyncIterator<ModelEvent> = { next: async () => ({ done: true, value: undefined }) };

/** Why this end is no reply. A refusal may come without an error. */
function failureIn({ message, error }: End): ModelFailure | undefined {
  if (message.stopReason === "error") return error ?? { kind: "unknown", message: "The reply failed." };
  if (message.stopReason !== "refusal") return undefined;
  return { message: "The model refused to answer.", ...error, kind: "refusal" };
}

const never: ReadonlySet<string> = new Set(["aborted", "invalid", "context_overflow", "refusal"]);

const goesOn = ({ kind, status }: ModelFailure, also: ReadonlySet<string>): boolean =>
  !never.has(kind) || also.has(kind) || (kind === "invalid" && status === 404);

const failedEnd = (id: string, message: string): End => ({
  type: "end",
  message: replyFromEvents(id, [], "error"),
  error: { kind: "unknown", message },
});

const mistake = (message: string) => new RondoError("invalid_option", message);

function checked(model: Model, at: number): Model {
  if (typeof model?.id === "string" && typeof model.stream === "function") return model;
  throw mistake(
    `fallback: entry ${at} is no model: give a name such as "anthropic/claude-sonnet-5", or a model with id and stream.`,
  );
}

function alsoOf({ also = [] }: FallbackOptions): ReadonlySet<string> {
  const known = ["context_overflow", "refusal"];
  if (Array.isArray(also) && also.every((kind) => known.includes(kind))) return new Set(also);
  throw mistake('fallback: "also" must be a list of "context_overflow" and "refusal".');
}

function smallest(field: "contextTokens" | "maxOutputTokens", models: readonly Model[]): Partial<Model> {
  const known = models.map((model) => model[field]).filter((value) => value !== undefined);
  return known.length === 0 ? {} : { [field]: Math.min(...known) };
}

const abilities = ["tools", "toolChoice", "parallelToolCalls", "images", "output"] as const;

/** What one cannot do none can be asked for; what is not known of one is not known. */
function common(models: readonly Model[]): NonNullable<Model["supports"]> {
  const supports: { [ability in (typeof abilities)[number]]?: boolean } = {};
  for (const ability of abilities) {
    const said = models.map((model) => model.supports?.[ability]);
    if (said.includes(false)) supports[ability] = false;
    else if (said.every((one) => one === true)) supports[ability] = true;
  }
  return supports;
}
