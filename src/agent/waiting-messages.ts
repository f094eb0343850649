import type { OpenRun, Outgoing, Receipt } from "../host/host.ts";
import { LiveReceipt } from "../host/receipt.ts";
import type { UserMessage } from "../message/message.ts";

/** Messages for a run that has not begun yet. */
export class WaitingMessages {
  #waiting: { readonly message: Outgoing; readonly receipt: LiveReceipt }[] = [];
  #sent = 0;
  #closed = false;

  /** Keeps a message for the next run; once closed it is `undelivered`. */
  send(message: Outgoing): Receipt {
    const receipt = new LiveReceipt(`w${++this.#sent}`);
    if (this.#closed) receipt.settle("undelivered");
    else this.#waiting.push({ message, receipt });
    return receipt;
  }

  /** Hands all to a run; their receipts follow what becomes of them there. */
  handTo(run: OpenRun): void {
    for (const { message, receipt } of this.#waiting.splice(0)) follow(receipt, run.send(message));
  }

  /** No further run will come; returns the messages that nobody has read. */
  close(): UserMessage[] {
    this.#closed = true;
    return this.#waiting.splice(0).flatMap(({ message, receipt }) => {
      receipt.settle("undelivered");
      return "message" in message ? [message.message] : [];
    });
  }
}

function follow(receipt: LiveReceipt, inner: Receipt): void {
  if (inner.status !== "queued") receipt.settle(inner.status, inner.round);
  else void inner.settled.then((status) => receipt.settle(status, inner.round));
}
