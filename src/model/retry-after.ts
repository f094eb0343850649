import type { Facts } from "./failure-facts.ts";

/**
 * The pause that a provider asks for, in milliseconds: the header `retry-after-ms`, `retry-after` in seconds or as a date,
 * Google's `retryDelay` in the body, or what the message says in words, which is all that an error inside a stream has.
 */
export function retryAfter({ headers, said, message }: Facts, now: () => number): number | undefined {
  const ms = number(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const header = headers["retry-after"];
  const seconds = number(header);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = header === undefined ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, date - now());
  const delay = number(said.retryDelay?.replace(/s$/, ""));
  return delay === undefined ? inWords(said.message ?? message) : Math.ceil(delay * 1_000);
}

const perUnit: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** "Please try again in 1m12.5s", "Please retry after 9 seconds". */
function inWords(text: string): number | undefined {
  const found = /\b(?:re)?try(?: again)? (?:in|after) ((?:\d+(?:\.\d+)?\s*(?:ms|[smh])[a-z]*\s*)+)/i.exec(text)?.[1];
  if (found === undefined) return undefined;
  let ms = 0;
  for (const [, amount, unit] of found.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smh])/gi))
    ms += Number(amount) * (perUnit[`${unit}`.toLowerCase()] ?? 0);
  return Math.ceil(ms);
}

function number(value: string | undefined): number | undefined {
  if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
