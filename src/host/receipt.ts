import type { Receipt, ReceiptStatus } from "./host.ts";

type Final = Exclude<ReceiptStatus, "queued">;

/** A receipt and the way to settle it, once. */
export class LiveReceipt implements Receipt {
  readonly id: string;
  status: ReceiptStatus = "queued";
  round?: number;
  #settled: Promise<Final> | undefined;
  #resolve: ((status: Final) => void) | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Made when first asked for: most receipts are only looked at. */
  get settled(): Promise<Final> {
    this.#settled ??=
      this.status === "queued"
        ? new Promise((resolve) => {
            this.#resolve = resolve;
          })
        : Promise.resolve(this.status);
    return this.#settled;
  }

  settle(status: Final, round?: number): void {
    if (this.status !== "queued") return;
    this.status = status;
    if (round !== undefined) this.round = round;
    this.#resolve?.(status);
  }
}
