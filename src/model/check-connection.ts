import { RondoError } from "../error.ts";
import type { Connection } from "./providers.ts";

/**
 * Says what no request could be sent with, before one is tried. What stands in a header is never told: `fetch` quotes it, and a key
 * that was pasted with a line break would stand in the error. `keyFrom` names where the key comes from.
 */
export function checkConnection(connection: Connection, keyFrom: string): void {
  const { apiKey, baseURL, headers, queryParams, region } = connection as { readonly [name: string]: unknown };
  if (apiKey !== undefined && !isSendable(apiKey)) {
    throw mistake(`${keyFrom} is no key that can be sent: it must be text of one line, in plain characters.`);
  }
  if (baseURL !== undefined) checkBaseURL(baseURL);
  if (region !== undefined && !(typeof region === "string" && /^[a-z0-9-]+$/i.test(region))) {
    throw mistake('The option "region" must be the name of a region, such as "eu-west-1".');
  }
  for (const [name, value] of entriesOf("headers", headers)) {
    if (!isToken(name)) throw mistake(`The option "headers": ${JSON.stringify(name)} is no name of a header.`);
    if (isSendable(value)) continue;
    throw mistake(`The option "headers": ${JSON.stringify(name)} must be text of one line, in plain characters.`);
  }
  for (const [name, value] of entriesOf("queryParams", queryParams)) {
    if (typeof value !== "string") throw mistake(`The option "queryParams": ${JSON.stringify(name)} must be text.`);
  }
}

/** White space around a header goes by itself. */
const isSendable = (value: unknown): boolean =>
  typeof value === "string" && [...value.trim()].every((character) => /[\t\x20-\x7e\x80-\xff]/.test(character));

const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

function entriesOf(option: string, given: unknown): [string, unknown][] {
  if (given === undefined) return [];
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return Object.entries(given);
  throw mistake(`The option "${option}" must be an object of texts by name.`);
}

function checkBaseURL(given: unknown): void {
  const url = typeof given === "string" ? URL.parse(given) : null;
  const where = 'The base URL (the option "baseURL", or the variable of the provider)';
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw mistake(`${where} must be an address such as "https://gateway.example.com/v1".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw mistake(`${where} cannot hold a user and a password: give them in "headers", as authorization.`);
  }
}

const mistake = (message: string): RondoError => new RondoError("invalid_option", message);
