import type { Json } from "../message/json.ts";
import type {
  Awaitable,
  Host,
  HostFactory,
  Lost,
  Msg,
  MsgKind,
  OpenRun,
  Outgoing,
  Recorded,
  StepContext,
  StepOptions,
  Taken,
} from "./host.ts";
import { LiveReceipt } from "./receipt.ts";

const nothing: readonly Msg[] = [];

/** The host of one run in this process: a step just runs, an inbox is an array, nothing outlives the process. */
class MemoryRun implements Host, OpenRun {
  readonly #control = new AbortController();
  readonly signal = this.#control.signal;
  readonly host = this;
  readonly inbox = this;
  #queue: Msg[] = [];
  #closed = false;
  #sent = 0;
  #cancelled: LiveReceipt | undefined;
  #receipts: Map<string, LiveReceipt> | undefined;
  #wake: (() => void) | undefined;
  #stopped: { stop(): void } | undefined;

  step<T extends Json>(
    key: string,
    _options: StepOptions,
    effect: (ctx: StepContext) => Awaitable<T>,
  ): Awaitable<Recorded<T> | Lost> {
    const value = effect({ attempt: 1, idempotencyKey: key });
    return value instanceof Promise ? value.then(record) : record(value);
  }

  whenSignalled(one: { stop(): void }): void {
    this.#stopped = one;
  }

  drain(_key: string, kinds: readonly MsgKind[]): Taken {
    return { at: Date.now(), messages: this.#take(kinds) };
  }

  takeOrClose(_key: string) {
    for (const kinds of [["control"], ["now", "after_round"], ["at_end"]] as const) {
      const messages = this.#take(kinds);
      if (messages.length > 0) return { at: Date.now(), messages };
    }
    this.#closed = true;
    return { at: Date.now(), closed: true as const };
  }

  close(_key: string) {
    this.#closed = true;
    const messages = this.#queue;
    this.#queue = [];
    return { at: Date.now(), messages };
  }

  async wait(_key: string, kinds: readonly MsgKind[], untilMs?: number) {
    for (;;) {
      const messages = this.#take(kinds);
      const now = Date.now();
      if (messages.length > 0 || this.signal.aborted || (untilMs !== undefined && now >= untilMs)) {
        return { at: now, messages };
      }
      await this.#news(untilMs === undefined ? undefined : untilMs - now);
    }
  }

  settle(ids: readonly string[], how: "delivered" | "undelivered", round?: number): void {
    for (const id of ids) {
      this.#receipts?.get(id)?.settle(how, round);
      this.#receipts?.delete(id);
    }
  }

  async sleep(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (!this.signal.aborted && Date.now() < end) await this.#news(end - Date.now());
  }

  send(message: Outgoing): LiveReceipt {
    const id = `m${++this.#sent}`;
    const receipt = new LiveReceipt(id);
    if (this.#closed) {
      receipt.settle("undelivered");
      return receipt;
    }
    this.#queue.push({ ...message, id } as Msg);
    this.#receipts ??= new Map();
    this.#receipts.set(id, receipt);
    this.#wake?.();
    return receipt;
  }

  cancel(reason?: string, type: "abort" | "timeout" = "abort"): LiveReceipt {
    if (this.#cancelled) return this.#cancelled;
    this.#cancelled = this.send({
      kind: "control",
      control: { type, ...(reason !== undefined && { reason }) },
    });
    // A picked function may run behind the closing of the inbox.
    const name = type === "timeout" ? "TimeoutError" : "AbortError";
    this.interrupt(new DOMException(reason ?? "The run was aborted.", name));
    return this.#cancelled;
  }

  interrupt(reason: unknown): void {
    if (!this.signal.aborted) {
      this.#control.abort(reason);
      this.#stopped?.stop();
    }
    this.#wake?.();
  }

  #take(kinds: readonly MsgKind[]): readonly Msg[] {
    if (this.#queue.length === 0) return nothing;
    const taken = this.#queue.filter((message) => kinds.includes(message.kind));
    if (taken.length > 0) this.#queue = this.#queue.filter((message) => !kinds.includes(message.kind));
    return taken;
  }

  /** Resolves at the next message, when the signal fires, or after this time. */
  #news(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        ms === undefined ? undefined : setTimeout(() => this.#wake?.(), Math.min(Math.max(ms, 1), 2 ** 31 - 1));
      this.#wake = () => {
        this.#wake = undefined;
        if (timer !== undefined) clearTimeout(timer);
        resolve();
      };
    });
  }
}

function record<T>(value: T): Recorded<T> {
  return { at: Date.now(), value };
}

/**
 * The host of a run that lives and dies with its process: the default of the library. It remembers nothing; a step costs
 * a function call.
 */
export function memory(): HostFactory {
  return { open: () => new MemoryRun() };
}
