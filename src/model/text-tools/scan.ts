import { Envelope } from "./envelope.ts";
import { beginning, type Opening, onward, type Ways } from "./openers.ts";
import { salvagedArguments, salvagedName } from "./salvage.ts";

/** What the scanner finds, in order. Behind `callEnd` nothing more comes. */
export type Found = {
  text(piece: string): void;
  callStart(name: string): void;
  callDelta(piece: string): void;
  callEnd(): void;
};

/** Words behind a fence that say that an action is in it, and those that may have one in it. */
const sureInfos = ["tool_call", "tool_calls", "function_call", "tool_use"];
const infos = ["", "json", "xml", "text", "plaintext", "tool", ...sureInfos];

/** Behind an action, nothing but this may come: what closes it, and white space. */
const closers = /^[\s}\])]*(?:<(?:\|?(?:\/[a-z_]{0,20}\|?>?)?)?)?[\s`]*$/;
const mostClosers = 64;

/**
 * Finds the first action of a reply that comes in pieces of any size. Each character is looked at a fixed number of
 * times; text that can be no part of an action is passed on at once, and only what may still become one is held back,
 * with the white space behind it. A class, as it is a machine that keeps its place.
 */
export class Scanner {
  readonly #found: Found;
  readonly #known: (name: string) => boolean;
  #spaces = "";
  #atLineStart = true;
  #inFence = false;
  /** Backticks at the start of this line of a fence. */
  #ticks = 0;
  /** The character before says that what follows is quoted. */
  #quoted = false;
  /** How what is held may go on to open an action. */
  #ways: Ways | undefined;
  /** What stands in front of the object. */
  #held = "";
  #opening: Opening | undefined;
  #envelope: Envelope | undefined;
  /** The action counts whatever is in it. */
  #sure = false;
  #started = false;
  /** What stands behind an object that counts only if it stands alone. */
  #behind: string | undefined;
  /** What stands behind the action; absent as long as there is none. */
  #rest: string | undefined;

  /** `known`: whether an object with this name is meant as an action, even without a mark. */
  constructor(known: (name: string) => boolean, found: Found) {
    this.#known = known;
    this.#found = found;
  }

  /** An action is complete. */
  get complete(): boolean {
    return this.#rest !== undefined;
  }

  /** More stands behind the action than what closes it: the reply goes on. */
  get goesOn(): boolean {
    return this.#rest !== undefined && (this.#rest.length > mostClosers || !closers.test(this.#rest));
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.#rest === undefined; ) {
      if (this.#behind !== undefined) at = this.#look(text, at);
      else if (this.#envelope !== undefined) at = this.#read(text, at, this.#envelope);
      else if (this.#ways !== undefined) at = this.#follow(text, at, this.#ways);
      else at = this.#skip(text, at);
      if (this.#rest !== undefined) text = text.slice(at);
    }
    if (this.#rest !== undefined && this.#rest.length <= mostClosers) this.#rest += text.slice(0, mostClosers + 1);
  }

  /** The reply is over; `cut`: it may be that more was to come. */
  end(cut: boolean): void {
    const envelope = this.#envelope;
    if (this.complete) return;
    const meant = envelope !== undefined && (this.#sure || (envelope.name !== undefined && envelope.hasArguments));
    if (meant && (this.#behind !== undefined || !cut)) this.#completes(envelope);
    else if (meant) this.#breaksOff(envelope);
    else {
      this.#text(this.#held + (envelope?.raw ?? ""));
      if (this.#spaces !== "") this.#found.text(this.#spaces);
    }
  }

  /** Text, up to what may begin an action. */
  #skip(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const next = this.#atLineStart ? firstNonBlank(text, at) : nextSpecial(text, at);
      if (next > at) this.#quoted = isQuote(text[next - 1]!);
      at = next;
      const char = text[at];
      if (char === undefined) break;
      if (this.#atLineStart && this.#inFence && char === "`") {
        if (++this.#ticks < 3) continue;
        this.#inFence = false;
      } else if (!this.#quoted) {
        const start = beginning(char, this.#atLineStart && !this.#inFence);
        if (start !== undefined) {
          this.#text(text.slice(from, at));
          if (isOpening(start)) return this.#begins(start) ? at : at + 1;
          this.#ways = start;
          this.#held = char;
          return at + 1;
        }
      }
      this.#ticks = 0;
      this.#atLineStart = char === "\n";
      this.#quoted = isQuote(char);
    }
    this.#text(text.slice(from, at));
    return at;
  }

  #follow(text: string, from: number, ways: Ways): number {
    let left = ways;
    for (let at = from; at < text.length; at++) {
      const next = onward(left, text[at]!);
      if (!isOpening(next) && next.length > 0) {
        left = next;
        continue;
      }
      this.#held += text.slice(from, at);
      this.#ways = undefined;
      if (!isOpening(next) || !this.#begins(next)) this.#letGo(this.#held);
      return at;
    }
    this.#held += text.slice(from);
    this.#ways = left;
    return text.length;
  }

  /** Takes an opening, unless it opens nothing of ours. */
  #begins(opening: Opening): boolean {
    const { form, name, info } = opening;
    const { fenced, marked, closing } = form;
    if (fenced && !infos.includes(info)) return false;
    if (!form.sure && name !== undefined && !this.#known(name)) return false;
    this.#sure = fenced ? sureInfos.includes(info) : marked && form.sure && !this.#inFence;
    this.#opening = opening;
    this.#envelope = new Envelope({
      ...(closing !== undefined && { closing }),
      ...(name !== undefined && { named: name }),
      ...(!this.#sure && name === undefined && { known: this.#known }),
    });
    return true;
  }

  #read(text: string, from: number, envelope: Envelope): number {
    const at = envelope.read(text, from);
    if (envelope.state === "refused") this.#letGo(this.#held + envelope.raw);
    else if (this.#sure) this.#streams(envelope);
    if (envelope.state !== "whole" && envelope.state !== "closed") return at;
    if (this.#sure || this.#opening?.form.marked) this.#completes(envelope);
    else this.#behind = "";
    return at;
  }

  /** Whether an object without a mark stands alone: on its lines, in its fence, or first in its list. */
  #look(text: string, from: number): number {
    const { fenced } = this.#opening!.form;
    for (let at = from; at < text.length; at++) {
      const char = text[at]!;
      const ends = fenced ? char === "`" : char === "\n";
      const listed = (char === "," || char === "]") && /\[\s*$/.test(this.#held);
      if (ends || listed) {
        this.#completes(this.#envelope!);
        return at;
      }
      if (/\s/.test(char)) continue;
      this.#letGo(this.#held + this.#envelope!.raw + this.#behind + text.slice(from, at));
      return at;
    }
    this.#behind += text.slice(from);
    return text.length;
  }

  /** What was held back is text after all. */
  #letGo(piece: string): void {
    if (piece.startsWith("```")) this.#inFence = true;
    this.#held = "";
    this.#envelope = undefined;
    this.#behind = undefined;
    this.#text(piece);
    this.#atLineStart = piece.slice(piece.lastIndexOf("\n") + 1).trim() === "" && piece.includes("\n");
    this.#quoted = isQuote(piece.at(-1) ?? "");
    this.#ticks = 0;
  }

  /** Passes text on; white space at its end waits, for in front of an action it is left out. */
  #text(piece: string): void {
    const end = piece.trimEnd().length;
    if (end === 0) this.#spaces += piece;
    else {
      this.#found.text(this.#spaces + piece.slice(0, end));
      this.#spaces = piece.slice(end);
    }
  }

  #streams(envelope: Envelope): void {
    if (envelope.name === undefined) return;
    this.#start(envelope.name);
    const fresh = envelope.takeArguments();
    if (fresh !== "") this.#found.callDelta(fresh);
  }

  #start(name: string): void {
    if (!this.#started) this.#found.callStart(name);
    this.#started = true;
  }

  #completes(envelope: Envelope): void {
    this.#start(envelope.name ?? salvagedName(envelope.raw));
    const fresh = envelope.hasArguments ? envelope.takeArguments() : salvagedArguments(envelope);
    if (fresh !== "") this.#found.callDelta(fresh);
    this.#found.callEnd();
    this.#rest = "";
  }

  #breaksOff(envelope: Envelope): void {
    this.#start(envelope.name ?? salvagedName(envelope.raw));
    const fresh = envelope.takeArguments();
    if (fresh !== "") this.#found.callDelta(fresh);
  }
}

const isOpening = (found: Opening | Ways): found is Opening => "form" in found;

const isQuote = (char: string): boolean => char === "`" || char === '"' || char === "'";

function firstNonBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
  return at;
}

const special = /[\n<[]/g;

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
}
