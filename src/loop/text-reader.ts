/** One consumer of text. What it has not pulled yet is one string, so a slow consumer gets larger pieces and loses nothing. */
export class TextReader implements AsyncIterator<string, undefined> {
  readonly #leave: (reader: TextReader) => void;
  #pending: string;
  #ended = false;
  #waiting: ((result: IteratorResult<string, undefined>) => void) | undefined;
  #pulled: Promise<IteratorResult<string, undefined>> = Promise.resolve({ done: true, value: undefined });

  constructor(soFar: string, leave: (reader: TextReader) => void) {
    this.#pending = soFar;
    this.#leave = leave;
  }

  push(delta: string): void {
    if (delta === "") return;
    const waiting = this.#waiting;
    if (!waiting) {
      this.#pending += delta;
      return;
    }
    this.#waiting = undefined;
    waiting({ done: false, value: delta });
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<string, undefined>> {
    if (this.#pending !== "") {
      const value = this.#pending;
      this.#pending = "";
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    // A second pull before the first was answered comes behind it.
    if (this.#waiting) return this.#pulled.then(() => this.next());
    this.#pulled = new Promise((resolve) => {
      this.#waiting = resolve;
    });
    return this.#pulled;
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.#leave(this);
    this.#pending = "";
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }
}
