import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { stopWords } from "./lexicon.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { mayHold, spelled, type Take, type Taken, taken, within } from "./take.ts";
import { directionOf, first } from "./take-string.ts";

const quote = `"([^"\\n]+)"|“([^”\\n]+)”|'([^'\\n]+)'|\`([^\`\\n]+)\``;

/** What is said as `name=value`, `name: value` or `name "value"`. Of several such texts the one right behind the name. */
export const takeAssigned: Take = (parameter, reading, free) => {
  if (!mayHold(reading.text, parameter.name)) return undefined;
  const name = `(?<![\\p{L}\\p{N}_])${spelled(parameter.name)}`;
  const pattern = new RegExp(
    `${name}(?:\\s*[=:]\\s*|\\s+(?:is\\s+|of\\s+)?(?=["“'\`]))(?:${quote}|([^\\s,;]*[^\\s,;.?!]))`,
    "iu",
  );
  const found = pattern.exec(reading.text);
  const value = found?.slice(1).find((group) => group !== undefined);
  if (!found || value === undefined) return undefined;
  const used = within(free, found.index, found.index + found[0].length);
  if (parameter.kind === "number") return Number.isFinite(Number(value)) ? taken(Number(value), ...used) : undefined;
  if (parameter.kind === "boolean")
    return /^(?:true|false)$/iu.test(value) ? taken(value.toLowerCase() === "true", ...used) : undefined;
  if (parameter.kind === "enum") {
    const option = parameter.options.find((one) => String(one).toLowerCase() === value.toLowerCase());
    return option === undefined ? undefined : taken(option, ...used);
  }
  return parameter.kind === "list" || parameter.kind === "object" ? undefined : taken(value, ...used);
};

/** A name, such as a city or a person: told apart by "from" and "to", else the first that is free. */
export const takeName: Take = (parameter, reading, free) => {
  const direction = directionOf(parameter.named);
  const names = free.filter(
    ({ kind }) => kind === "name" || kind === "quoted" || kind === "acronym" || kind === "identifier",
  );
  if (direction) {
    const before = new RegExp(`\\b(?:${direction})\\s+(?:the\\s+)?$`, "iu");
    const pointed = names.find(({ start }) => before.test(reading.text.slice(0, start)));
    if (pointed) return taken(pointed.value, pointed);
  }
  const own = new RegExp(`${spelled(parameter.name)}\\s+(?:of\\s+|is\\s+|named\\s+|called\\s+)?$`, "iu");
  const told = names.find(({ start }) => own.test(reading.text.slice(0, start)));
  if (told) return taken(told.value, told);
  if (!parameter.required) return undefined;
  return first(free, "name", "quoted", "id", "identifier", "acronym") ?? undefined;
};

/** Free text: what is quoted, or what follows "saying", "titled", "about" … */
export const takeText: Take = (parameter, reading, free) => {
  const name = [...parameter.named].map((word) => `${word}\\w*`).join("[\\s_-]*");
  const own = new RegExp(`\\b${name}\\s+(?:is\\s+|of\\s+|that says\\s+)?(?:${quote})`, "iu").exec(reading.text);
  const value = own?.slice(1).find((group) => group !== undefined);
  if (own && value !== undefined) return taken(value, ...within(free, own.index, own.index + own[0].length));
  if (!parameter.required) return undefined;
  const quoted = free.find(({ kind }) => kind === "quoted");
  if (quoted) return taken(quoted.value, quoted);
  const said = cueOf(parameter).exec(reading.text);
  const rest = said?.[1]?.trim();
  if (!said || rest === undefined || rest === "") return undefined;
  const start = said.index + said[0].indexOf(rest);
  return taken(rest, ...within(free, start, start + rest.length));
};

function cueOf(parameter: Parameter): RegExp {
  if (parameter.named.has("subject") || parameter.named.has("titl"))
    return /\b(?:titled|called|named|about|subject|title)\s+(.+?)(?=\s+(?:saying|with|that says|and says)\b|$)/iu;
  return /(?:\b(?:saying|says?|that|titled|called|about|for|named|me to|us to|him to|her to)\s+|:\s+)(.+)$/iu;
}

/** The lower-case words behind "in", "for", "of" …, for a required name that nothing else gave: "weather in paris". */
export function takeTail(own: ReadonlySet<string>): Take {
  return (_parameter: Parameter, reading: Reading, free): Taken | undefined => {
    for (const found of reading.text.matchAll(
      /\b(?:in|for|of|at|on|about|to|with|near)\s+(?:the\s+)?([\p{L}'’-]+(?:\s+[\p{L}'’-]+)?)/giu,
    )) {
      const said = found[1] ?? "";
      const [head = "", next] = said.split(/\s+/u);
      if (!telling(head, own)) continue;
      const value =
        next !== undefined && telling(next, own) && !/^(?:now|today|tomorrow|tonight)$/iu.test(next) ? said : head;
      const start = found.index + found[0].length - said.length;
      return taken(value, ...within(free, start, start + value.length));
    }
    return undefined;
  };
}

function telling(word: string, own: ReadonlySet<string>): boolean {
  const plain = words(word)[0] ?? "";
  return (
    plain !== "" &&
    !stopWords.has(plain) &&
    !own.has(stem(plain)) &&
    !/^(?:now|today|tomorrow|tonight|me|degrees)$/iu.test(word)
  );
}
