const tags = ["<think>", "<thinking>"];
/** White space in front of a block of thoughts, at most. */
const mostSpaces = 100;

/**
 * Splits a reply that comes in pieces into the block of thoughts that it may begin with, and the rest. Without such a
 * block the rest is all of it, unchanged.
 */
export class Thought {
  readonly #reasoning: (piece: string) => void;
  readonly #rest: (piece: string) => void;
  #place: "before" | "inside" | "behind" | "over" = "before";
  /** What is not decided yet: shorter than the longest mark, and the white space in front. */
  #held = "";
  #closing = "";
  #any = false;

  constructor(reasoning: (piece: string) => void, rest: (piece: string) => void) {
    this.#reasoning = reasoning;
    this.#rest = rest;
  }

  /** There is such a block. */
  get found(): boolean {
    return this.#closing !== "";
  }

  push(piece: string): void {
    const text = this.#held + piece;
    this.#held = "";
    if (this.#place === "before") this.#before(text);
    else if (this.#place === "inside") this.#inside(text);
    else if (this.#place === "behind") this.#behind(text);
    else this.#rest(text);
  }

  /** The reply is over. */
  end(): void {
    if (this.#place === "before") this.#rest(this.#held);
    else if (this.#place === "inside") this.#thinks(this.#held);
    this.#place = "over";
    this.#held = "";
  }

  #before(text: string): void {
    const start = text.slice(0, mostSpaces + 20).trimStart();
    const tag = tags.find((one) => start.startsWith(one));
    if (tag !== undefined) {
      this.#place = "inside";
      this.#closing = `</${tag.slice(1)}`;
      this.#inside(text.slice(text.indexOf(tag) + tag.length));
    } else if (text.length <= mostSpaces + 20 && tags.some((one) => one.startsWith(start))) this.#held = text;
    else {
      this.#place = "over";
      this.#rest(text);
    }
  }

  #inside(text: string): void {
    const at = text.indexOf(this.#closing);
    if (at >= 0) {
      this.#thinks(text.slice(0, at));
      this.#place = "behind";
      this.#behind(text.slice(at + this.#closing.length));
      return;
    }
    const open = text.lastIndexOf("<");
    const kept = open >= 0 && this.#closing.startsWith(text.slice(open)) ? open : text.length;
    this.#held = text.slice(kept);
    this.#thinks(text.slice(0, kept));
  }

  #behind(text: string): void {
    const rest = text.trimStart();
    if (rest === "") return;
    this.#place = "over";
    this.#rest(rest);
  }

  /** Thoughts that are nothing but white space are none. */
  #thinks(text: string): void {
    const piece = this.#any ? text : text.trimStart();
    if (piece === "") return;
    this.#any = true;
    this.#reasoning(piece);
  }
}
