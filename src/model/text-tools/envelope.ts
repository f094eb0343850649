/** What makes an object an action. */
export type Rule = {
  /** Only an object that has a name and arguments, nothing odd beside them and a name that is known is one. Absent: it is one. */
  readonly known?: (name: string) => boolean;
  /** The name that stood in front: all of the object is arguments. */
  readonly named?: string;
  /** What closes the action behind the object, where something does. */
  readonly closing?: string;
};

/**
 * `open`: more is to come; `whole`: its last bracket is closed; `closed`: something ended it that stands in no JSON;
 * `refused`: it is no action, and what it has read is text.
 */
type State = "open" | "whole" | "closed" | "refused";

const nameKeys = ["name", "tool", "tool_name", "function", "function_name", "action"];
const argumentKeys = ["arguments", "parameters", "args", "input", "tool_input", "action_input"];
const idleKeys = ["type", "id"];

type Role = "name" | "arguments" | "idle" | undefined;

/** What a key of an action says. */
export function roleOf(key: string): Role {
  if (nameKeys.includes(key)) return "name";
  if (argumentKeys.includes(key)) return "arguments";
  return idleKeys.includes(key) ? "idle" : undefined;
}

/** What stands between key and value, and where keys and values are no longer told apart. */
type Phase = "key" | "colon" | "value" | "scalar" | "next" | "lost";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be found.
const specialInString = /["\\\u0000-\u001f]/g;
const blank = /\s/;
const endsScalar = /[\s,}\]]/;

/**
 * Reads the JSON object of one action piece by piece, each character once: its name, and its arguments as they stand
 * there. Line breaks and other bare control characters inside strings of the arguments are escaped, for they can mean
 * nothing else. A class, as it is a machine that keeps its place.
 */
export class Envelope {
  name: string | undefined;
  state: State = "open";
  hasArguments = false;
  /** Everything that was read. */
  raw = "";
  /** All quotes, brackets and commas were where JSON has them so far, on the level of the name. */
  get orderly(): boolean {
    return this.#phase !== "lost";
  }

  readonly #rule: Rule;
  #fresh = "";
  #depth = 0;
  /** The depth at which name and arguments stand. */
  #base: number;
  #phase: Phase = "key";
  #role: Role;
  #taking: "string" | "nest" | "scalar" | undefined;
  #inString = false;
  #escaped = false;
  #word: string | undefined;
  /** Inside a string, behind a bare line break: what may turn out to be the closing mark. */
  #watched: string | undefined;

  constructor(rule: Rule) {
    this.#rule = rule;
    this.name = rule.named;
    this.#base = rule.named === undefined ? 1 : 0;
    this.hasArguments = rule.named !== undefined;
  }

  /** Arguments that were read since this was last called. */
  takeArguments(): string {
    const fresh = this.#fresh;
    this.#fresh = "";
    return fresh;
  }

  /** Reads on from `from` and returns where it stopped: at the end, or behind the last character that belongs to it. */
  read(text: string, from: number): number {
    let at = from;
    while (at < text.length && this.state === "open")
      at = this.#inString ? this.#inside(text, at) : this.#outside(text, at);
    this.raw += text.slice(from, at);
    return at;
  }

  #put(piece: string): void {
    if (this.#taking !== undefined) this.#fresh += piece;
    else if (this.#word !== undefined) this.#word += piece;
  }

  #inside(text: string, at: number): number {
    if (this.#watched !== undefined) return this.#watch(text, at, this.#watched);
    if (this.#escaped) {
      this.#escaped = false;
      this.#put(text[at]!);
      return at + 1;
    }
    specialInString.lastIndex = at;
    const found = specialInString.exec(text)?.index ?? text.length;
    if (found > at) this.#put(text.slice(at, found));
    if (found === text.length) return found;
    const char = text[found]!;
    if (char === '"') this.#stringEnds();
    else if (char === "\n" && this.#rule.closing !== undefined) this.#watched = char;
    else {
      this.#escaped = char === "\\";
      this.#put(char === "\\" ? char : escaped(char));
    }
    return found + 1;
  }

  /** A string that was never ended is over where the closing mark stands at the start of a line. */
  #watch(text: string, at: number, watched: string): number {
    const char = text[at]!;
    const seen = watched.trimStart() + char;
    const { closing = "" } = this.#rule;
    if (seen === closing) this.state = "closed";
    else if (closing.startsWith(seen) || (seen === " " && watched.length < 16)) this.#watched += char;
    else {
      this.#watched = undefined;
      this.#put(escaped(watched));
      return at;
    }
    return at + 1;
  }

  #outside(text: string, at: number): number {
    const char = text[at]!;
    if (char === "<" || char === "`") {
      this.state = this.#rule.known === undefined ? "closed" : "refused";
      return at;
    }
    if (this.#taking === "scalar" && endsScalar.test(char)) this.#taking = undefined;
    if (blank.test(char)) {
      if (this.#taking !== undefined) this.#put(char);
      else if (this.#phase === "scalar") this.#phase = "next";
    } else if (char === '"') this.#stringBegins();
    else if (char === "{" || char === "[") this.#opens(char);
    else if (char === "}" || char === "]") this.#closes(char);
    else this.#other(char);
    return this.state === "refused" ? at : at + 1;
  }

  /** On the level of name and arguments, and not inside of these. */
  get #atBase(): boolean {
    return this.#depth === this.#base && this.#taking === undefined;
  }

  #lose(): void {
    if (this.#rule.known === undefined) this.#phase = "lost";
    else this.state = "refused";
  }

  #stringBegins(): void {
    if (this.#atBase && this.#phase !== "lost") {
      if (this.#phase === "key" || (this.#phase === "value" && this.#role === "name")) this.#word = "";
      else if (this.#phase !== "value") this.#lose();
      else if (this.#role === "arguments" && !this.hasArguments) this.#take("string");
    }
    this.#inString = true;
    if (this.#taking !== undefined) this.#put('"');
  }

  #stringEnds(): void {
    this.#inString = false;
    const word = this.#word;
    this.#word = undefined;
    if (this.#taking !== undefined) this.#put('"');
    if (this.#taking === "string") this.#taking = undefined;
    if (!this.#atBase || this.#phase === "lost") return;
    if (this.#phase === "key") {
      this.#role = roleOf(word ?? "");
      this.#phase = "colon";
      if (this.#role === undefined && this.#rule.known !== undefined) this.state = "refused";
      return;
    }
    this.#phase = "next";
    if (this.#role !== "name" || this.name !== undefined) return;
    this.name = decoded(word ?? "");
    if (this.#rule.known?.(this.name) === false) this.state = "refused";
  }

  #take(what: "string" | "nest" | "scalar"): void {
    this.#taking = what;
    this.hasArguments = true;
  }

  #opens(char: string): void {
    if (this.#rule.named !== undefined && this.#depth === 0) this.#taking = "nest";
    else if (this.#atBase && this.#phase !== "lost") {
      if (this.#phase !== "value") this.#lose();
      else if (this.#role === "arguments" && !this.hasArguments) this.#take("nest");
      else if (this.#role === "name" && this.name === undefined && this.#base === 1 && char === "{") {
        this.#base = 2;
        this.#phase = "key";
      }
    }
    if (this.state === "refused") return;
    this.#depth++;
    if (this.#taking !== undefined) this.#put(char);
  }

  #closes(char: string): void {
    this.#depth--;
    if (this.#taking !== undefined) this.#put(char);
    if (this.#taking === "nest" && this.#depth <= this.#base) this.#taking = undefined;
    if (this.#depth < this.#base) this.#base = Math.max(0, this.#depth);
    if (this.#depth === this.#base && this.#phase !== "lost") this.#phase = "next";
    if (this.#depth > 0) return;
    const lacks = this.name === undefined || !this.hasArguments;
    this.state = lacks && this.#rule.known !== undefined ? "refused" : "whole";
  }

  #other(char: string): void {
    if (this.#taking !== undefined) this.#put(char);
    if (!this.#atBase || this.#phase === "lost") return;
    if (char === ":" && this.#phase === "colon") this.#phase = "value";
    else if (char === "," && (this.#phase === "next" || this.#phase === "scalar")) this.#phase = "key";
    else if (char === ":" || char === ",") this.#lose();
    else if (this.#phase === "value") {
      this.#phase = "scalar";
      if (this.#role !== "arguments" || this.hasArguments) return;
      this.#take("scalar");
      this.#put(char);
    } else if (this.#phase !== "scalar") this.#lose();
  }
}

/** Control characters as JSON has them in strings. */
function escaped(piece: string): string {
  return JSON.stringify(piece).slice(1, -1);
}

function decoded(word: string): string {
  try {
    return JSON.parse(`"${word}"`);
  } catch {
    return word;
  }
}
