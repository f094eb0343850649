import { maxJsonDepth } from "../message/plain-json.ts";

/** A piece of a text that is a JSON object or array, or was to be one: `value` is undefined where it is broken. */
export type Found = { readonly value: unknown; readonly start: number; readonly end: number };

/** What begins a JSON object, or looks as if its author thought so: a brace and a key, or nothing but the other brace. */
const objectStart = /\{\s*(?:\}|"|'[^'\n]*'\s*:|[A-Za-z_]\w*\s*:)/y;
const arrayStart = /\[\s*[\]"{[\d\-tfn]/y;

/** What is surely meant as JSON, so that what stands inside is no piece of its own even where the whole is broken. */
const surelyObject = /\{\s*(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z_]\w*)\s*:/y;
const surelyArray = /\[\s*["{[]/y;

/**
 * The JSON objects of a text in order, fenced or bare, with anything around them; also arrays if asked for. Only the
 * outermost: what stands inside one that is broken or never ends is no piece, for nobody knows what it was to be there.
 * Nor is what nests deeper than 200. Takes time that grows with the text alone.
 */
export function jsonIn(text: string, arrays = false): Found[] {
  const found: Found[] = [];
  const opening = arrays ? /[{[]/g : /\{/g;
  let work = text.length * 8 + 100_000;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    const array = match[0] === "[";
    if (!matchesAt(array ? arrayStart : objectStart, text, start)) continue;
    const end = endOf(text, start);
    work -= (end ?? text.length) - start;
    const value = end === undefined ? undefined : parsed(text.slice(start, end));
    if (value === undefined && !matchesAt(array ? surelyArray : surelyObject, text, start) && work > 0) continue;
    found.push({ value, start, end: end ?? text.length });
    if (end === undefined || work <= 0) break;
    opening.lastIndex = end;
  }
  return found;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Where the bracket that opens at `start` is closed; undefined if it never is. Strings are stepped over. */
function endOf(text: string, start: number): number | undefined {
  const opens = text[start];
  const closes = opens === "{" ? "}" : "]";
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (char === opens) depth++;
    else if (char === closes && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(piece: string): unknown {
  if (tooDeep(piece)) return undefined;
  try {
    return JSON.parse(piece);
  } catch {
    return undefined;
  }
}

function tooDeep(piece: string): boolean {
  if (piece.length < 2 * maxJsonDepth) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < piece.length; at++) {
    const char = piece[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") {
      if (++depth > maxJsonDepth) return true;
    } else if (char === "}" || char === "]") depth--;
  }
  return false;
}
