import type { Json } from "../message/json.ts";
import type { UserMessage } from "../message/message.ts";

/**
 * When a message is to be read: `now` behind the call that is running (the calls behind it are skipped), `after_round`
 * behind the batch, `at_end` when the run would rest.
 */
export type When = "now" | "after_round" | "at_end";

/** A person's answer about one call. */
export type ApprovalAnswer = {
  readonly callId: string;
  readonly approved: boolean;
  /** Why not, for the model. */
  readonly reason?: string;
  /** Arguments to run instead, as raw JSON. */
  readonly arguments?: string;
  /** How far a yes goes; default `"once"`. */
  readonly scope?: "once" | "run" | "always";
};

/** What lies in an inbox. */
export type Msg = { readonly id: string } & (
  | { readonly kind: When; readonly message: UserMessage }
  | { readonly kind: "approval"; readonly approval: ApprovalAnswer }
  | { readonly kind: "control"; readonly control: { readonly type: "abort" | "timeout"; readonly reason?: string } }
);

export type MsgKind = Msg["kind"];

/** A value that is there, or comes: a host that need not wait answers at once, which saves its runs a turn of the event queue. */
export type Awaitable<T> = T | Promise<T>;

/** What an inbox gave. */
export type Taken = { readonly at: number; readonly messages: readonly Msg[] };

/** The record of a finished step. `at` is when it was recorded, in milliseconds since 1970: the only clock of a run. */
export type Recorded<T> = { readonly at: number; readonly value: T };

/** A step that was started and whose end is not known, after this many attempts. */
export type Lost = { readonly at: number; readonly lost: { readonly attempts: number } };

export type StepOptions = {
  /** What to do with a step that was started and not recorded: do it again, or report it as lost. */
  readonly onLost: "rerun" | "report";
  /** How long the effect may take by its own rules, in milliseconds; a host with leases of its own must allow for it. */
  readonly timeoutMs?: number;
};

/** What an effect gets from its host. */
export type StepContext = {
  readonly attempt: number;
  readonly idempotencyKey: string;
};

/**
 * Who performs and remembers the steps of one run. The loop knows nothing else of the world.
 *
 * Contract. Keys are positions, unique in a run, and come in the same order on a resume. An effect never rejects: its
 * failures are values; a rejection of `step` or of an inbox call means that the host itself failed. Steps may be started
 * concurrently, always in the same order; the loop awaits them in that order and never races them. A host that replays
 * a journal fires `signal` again before it returns the record behind which it had fired, so that the loop asks for
 * `control` at the same position.
 */
export interface Host {
  /** Fires when somebody wants the run to end: a hint to stop what is going on; the truth is the recorded `control` message. */
  readonly signal: AbortSignal;
  /** Stops this one once, when `signal` has fired. For hosts to which that is cheaper than a listener; else the loop listens itself. */
  whenSignalled?(one: { stop(): void }): void;
  step<T extends Json>(
    key: string,
    options: StepOptions,
    effect: (ctx: StepContext) => Awaitable<T>,
  ): Awaitable<Recorded<T> | Lost>;
  readonly inbox: {
    /** Takes every message of these kinds, oldest first. */
    drain(key: string, kinds: readonly MsgKind[]): Awaitable<Taken>;
    /** Atomically: `control` if any, else `now` and `after_round` if any, else `at_end` if any, else closes the inbox. */
    takeOrClose(key: string): Awaitable<Taken | { readonly at: number; readonly closed: true }>;
    /** Closes the inbox and takes what is left; also when it is closed already (then nothing is left). */
    close(key: string): Awaitable<Taken>;
    /** Waits for a message of these kinds and takes all of them; with `untilMs` (since 1970) returns none when that time has come, and also when `signal` fires. */
    wait(key: string, kinds: readonly MsgKind[], untilMs?: number): Awaitable<Taken>;
  };
  /** Says what became of messages that were taken; `round` is the round that reads them, absent where none does. */
  settle(ids: readonly string[], how: "delivered" | "undelivered", round?: number): Awaitable<void>;
  /** Waits; ends early when `signal` fires. */
  sleep(ms: number): Promise<void>;
}

/** What became of a message: it waits, the history has it, or the run ended without reading it. */
export type ReceiptStatus = "queued" | "delivered" | "undelivered";

/** The receipt of a message, live: `status` changes until `settled`. */
export interface Receipt {
  readonly id: string;
  readonly status: ReceiptStatus;
  /**
   * The round that read it, from 1; absent until then. It stays absent where no round reads the message: the closing
   * request, which is none, or an abort or answer to an approval.
   */
  readonly round?: number;
  /** Resolves to the final status; never rejects. */
  readonly settled: Promise<Exclude<ReceiptStatus, "queued">>;
}

/** A message without its id. */
export type Outgoing = Msg extends infer M ? (M extends Msg ? Omit<M, "id"> : never) : never;

/** One run as its own process holds it: the host for the loop, and the outside for the handle. */
export interface OpenRun {
  readonly host: Host;
  /** Puts a message into the inbox; one that comes after it was closed is `undelivered` at once. */
  send(message: Outgoing): Receipt;
  /**
   * Asks the run to end: a recorded `control` message, and then the signal, whose reason is a `TimeoutError` where the
   * time of what is around was up. Later calls change nothing and give the same receipt.
   */
  cancel(reason?: string, as?: "abort" | "timeout"): Receipt;
  /** Fires the signal without a message: some deadline has come, and the next record will show it. */
  interrupt(reason: unknown): void;
}

/** What `createRuntime({ host })` takes: opens the host of each run. */
export interface HostFactory {
  open(runId: string): OpenRun;
}

/**
 * The outside of a host by run id, for resuming, watching and steering from elsewhere. `R` is what a run comes to, `E`
 * what its observers see.
 *
 * Contract: `start` with an id that is known joins that run. An id that is not known rejects with a `RondoError` of code
 * `host` (`send` gives an `undelivered` receipt).
 */
export interface RunClient<R, E, Input extends readonly unknown[]> {
  start(runId: string, ...input: Input): Promise<R>;
  send(runId: string, message: Outgoing): Receipt;
  cancel(runId: string, reason?: string): void;
  result(runId: string): Promise<R>;
  observe(runId: string): AsyncIterable<E>;
}
