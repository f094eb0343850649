import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import { mayHold, spelled, type Take, type Taken, taken, within } from "./take.ts";

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
  if (parameter.kind === "text" && found[5] !== undefined && /:/u.test(found[0]))
    return restOf(reading.text, found, free);
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

/** "Body: see you at noon, subject: Lunch": a text in words goes on up to the next of that kind. */
function restOf(text: string, found: RegExpExecArray, free: readonly Mention[]): Taken {
  const start = found.index + found[0].length - (found[5] ?? "").length;
  const rest = text.slice(start).split(/;|,\s*(?:and\s+)?(?:the\s+)?[\p{L}_]+\s*[:=]/u)[0] ?? "";
  return taken(rest.trim(), ...within(free, found.index, start + rest.length));
}

/** Free text: what is quoted, or what follows "saying", "titled", "about" … */
export const takeText: Take = (parameter, reading, free) => {
  const name = [...parameter.named].map((word) => `${word}\\w*`).join("[\\s_-]*");
  const own = new RegExp(`\\b${name}\\s+(?:is\\s+|of\\s+|that says\\s+)?(?:${quote})`, "iu").exec(reading.text);
  const value = own?.slice(1).find((group) => group !== undefined);
  if (own && value !== undefined) return taken(value, ...within(free, own.index, own.index + own[0].length));
  const titled = parameter.named.has("subject") || parameter.named.has("titl");
  const quotes = free.some(({ kind }) => kind === "quoted");
  if (!parameter.required || (quotes && !titled)) return undefined;
  const said = cueOf(parameter).exec(reading.text);
  const rest = said?.[1]?.trim();
  if (!said || rest === undefined || rest === "") return undefined;
  // "Write what it says about x" holds no text to write.
  if (/\b(?:what|whatever)\b[^,:;]*$/iu.test(reading.text.slice(0, said.index))) return undefined;
  // Of several texts the quotes are others.
  if (quotes && /["“`']/u.test(rest)) return undefined;
  const start = said.index + said[0].indexOf(rest);
  return taken(rest, ...within(free, start, start + rest.length));
};

function cueOf(parameter: Parameter): RegExp {
  if (parameter.named.has("subject") || parameter.named.has("titl"))
    return /\b(?:titled|called|named|about|subject|title)\s+(.+?)(?=\s+(?:saying|with|that says|and says|and (?:the |a )?(?:body|text|message|content|description))\b|$)/iu;
  return /(?:\b(?:saying|says?|me to|us to|him to|her to)\s+|:\s+)(.+)$/iu;
}
