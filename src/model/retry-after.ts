import type { Facts } from "./failure-facts.ts";

/**
 * The pause that a provider asks for, in milliseconds: the header `retry-after-ms`, `retry-after` in seconds or as a date,
 * Google's `retryDelay` in the body, or what the message says in words, which is all that an error inside a stream has.
 */
export function retryAfter({ headers, said, message }: Facts, now: () => number): number | undefined {
  const ms = number(headers["retry-after-ms"]);
  if (ms !== undefined) return Math.min(ms, Number.MAX_SAFE_INTEGER);
  const header = headers["retry-after"];
  const seconds = secondsIn(header);
  if (seconds !== undefined) return Math.min(Math.ceil(seconds * 1_000), Number.MAX_SAFE_INTEGER);
  // Of what has no word in it `Date` makes a day long ago.
  const date = header !== undefined && /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
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

/** The longest, where several hosts on the way have said one. */
function secondsIn(header: string | undefined): number | undefined {
  const all = header?.split(",").map((one) => number(one.replace(/s\s*$/, ""))) ?? [];
  return all.length > 0 && all.every((one) => one !== undefined) ? Math.max(...all) : undefined;
}

function number(value: string | undefined): number | undefined {
  if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
