import { RondoError } from "../error.ts";
import type { Connection } from "./providers.ts";

/**
 * Tells before the first request what could not be sent at all. Node's own errors say it late, and quote the whole of a key or header.
 * None of the values is shown.
 *
 * @throws RondoError `invalid_option`
 */
export function checkConnection(id: string, { apiKey, baseURL, headers = {} }: Connection): void {
  checkHeader(id, "key", apiKey);
  for (const [name, value] of Object.entries(headers)) checkHeader(id, `header ${JSON.stringify(name)}`, value);
  if (baseURL === undefined) return;
  const url = URL.parse(baseURL);
  if (url !== null && /^https?:$/.test(url.protocol)) return;
  const message = `The base URL of model ${JSON.stringify(id)} is no address: write it as in "https://host/v1", in the option baseURL or in the environment.`;
  throw new RondoError("invalid_option", message);
}

/** White space around a value is left out by `fetch`, so only what stands inside counts. */
function checkHeader(id: string, what: string, value: unknown): void {
  if (typeof value !== "string") return;
  const at = value.trim().search(unsendable);
  if (at < 0) return;
  throw new RondoError(
    "invalid_option",
    `The ${what} for model ${JSON.stringify(id)} holds a line break or a character that no header can hold, at place ${at + 1}: check how it was copied.`,
  );
}

const unsendable = /[^\t\x20-\x7e\x80-\xff]/;
