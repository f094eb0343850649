import { changed, fitsText, type Pieces, piecesOf } from "./pattern.ts";

/** A URL as rules see it. */
export type Address = {
  readonly href: string;
  readonly scheme: string;
  /** With a port that is not the usual one, and without. */
  readonly hosts: readonly string[];
  /** Path and query, as they are and with `%` undone. */
  readonly rests: readonly string[];
};

/** Undefined for what is no URL, or one without a host, or with a name and password in it, of which no rule should speak. */
export function addressOf(given: string): Address | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") return undefined;
  if (url.host === "" && url.protocol !== "file:") return undefined;
  const bare = url.hostname.replace(/\.$/, "");
  const port = url.port === "" ? "" : `:${url.port}`;
  const rest = url.pathname + url.search;
  const scheme = url.protocol.slice(0, -1);
  return { href: `${scheme}://${bare}${port}${rest}`, scheme, hosts: [bare, bare + port], rests: [rest, undone(rest)] };
}

function undone(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A pattern for URLs, ready to be matched: `host`, `host/path` or `scheme://host/path`; without a path it is all of them. */
export type UrlPattern = {
  readonly scheme: Pieces | undefined;
  readonly host: Pieces;
  readonly rest: Pieces | undefined;
};

export function urlPattern(pattern: string): UrlPattern {
  const colon = pattern.indexOf("://");
  const after = colon < 0 ? pattern : pattern.slice(colon + 3);
  const end = after.search(/[/?]/);
  const [host, rest] = end < 0 ? [after, ""] : [after.slice(0, end), after.slice(end)];
  const lower = (text: string) => changed(piecesOf(text), (piece) => piece.toLowerCase());
  return {
    scheme: colon < 0 ? undefined : lower(pattern.slice(0, colon)),
    host: lower(host.replace(/\.$/, "")),
    rest: rest === "" ? undefined : piecesOf(rest),
  };
}

/** Whether a URL fits: `loose` if one way to read it does; else all have to, and it must be one of the web unless the rule names a scheme. */
export function fitsUrl({ scheme, host, rest }: UrlPattern, address: Address, loose: boolean): boolean {
  const web = address.scheme === "http" || address.scheme === "https";
  if (scheme ? !fitsText(scheme, address.scheme) : !loose && !web) return false;
  if (!address.hosts.some((one) => fitsText(host, one))) return false;
  if (!rest) return true;
  if (loose) {
    const folded = changed(rest, (text) => text.toLowerCase());
    return address.rests.some((one) => fitsText(folded, one.toLowerCase()));
  }
  return address.rests.every((one) => fitsText(rest, one) && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(one));
}
