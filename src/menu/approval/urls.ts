import { hostPattern, hostReadings, looseHost } from "./hosts.ts";
import { changed, fitsText, type Pieces, piecesOf } from "./pattern.ts";
import { leadsUp, pathReadings, patternReadings } from "./url-paths.ts";

/** A URL as rules see it. */
export type Address = {
  readonly href: string;
  readonly scheme: string;
  /** Without and with a port that is not the usual one. */
  readonly hosts: readonly [string, string];
  /** Path and query. */
  readonly rest: string;
  /** All that host, path and query may be taken for. */
  readonly readings: () => Readings;
};

type Readings = { readonly hosts: readonly string[]; readonly rests: readonly string[] };

/** Undefined for what is no URL, or one without a host, or with a name and password in it, of which no rule should speak. */
export function addressOf(given: string): Address | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") return undefined;
  if (url.host === "" && url.protocol !== "file:") return undefined;
  const bare = url.hostname.replace(/\.$/, "");
  const port = url.port === "" ? "" : `:${url.port}`;
  const rest = url.pathname + url.search;
  const scheme = url.protocol.slice(0, -1);
  let known: Readings | undefined;
  const readings = () => {
    known ??= { hosts: hostReadings(scheme, bare, url.port), rests: pathReadings(url.pathname, url.search) };
    return known;
  };
  return { href: `${scheme}://${bare}${port}${rest}`, scheme, hosts: [bare, bare + port], rest, readings };
}

/** A pattern for URLs, ready to be matched: `host`, `host/path` or `scheme://host/path`; without a path it is all of them. */
export type UrlPattern = {
  readonly scheme: Pieces | undefined;
  readonly host: Pieces;
  readonly looseHost: Pieces;
  readonly rest: Pieces | undefined;
  readonly looseRests: readonly Pieces[];
};

export function urlPattern(pattern: string): UrlPattern {
  const colon = pattern.indexOf("://");
  const after = colon < 0 ? pattern : pattern.slice(colon + 3);
  const end = after.search(/[/?]/);
  const [written, path] = end < 0 ? [after, ""] : [after.slice(0, end), after.slice(end)];
  const host = hostPattern(written);
  const rest = path === "" ? undefined : piecesOf(path);
  return {
    scheme: colon < 0 ? undefined : changed(piecesOf(pattern.slice(0, colon)), (text) => text.toLowerCase()),
    host,
    looseHost: looseHost(host),
    rest,
    looseRests: rest ? patternReadings(rest) : [],
  };
}

/**
 * Whether a URL fits: `loose` if one way to read it does; else as it is written, and it must be one of the web unless the
 * rule names a scheme. With a scheme a rule is about one port, without about any.
 */
export function fitsUrl(pattern: UrlPattern, address: Address, loose: boolean): boolean {
  const { scheme, host, rest } = pattern;
  const web = address.scheme === "http" || address.scheme === "https";
  if (scheme ? !fitsText(scheme, address.scheme) : !loose && !web) return false;
  if (loose) {
    const { hosts, rests } = address.readings();
    if (!hosts.some((one) => fitsText(pattern.looseHost, one))) return false;
    return !rest || pattern.looseRests.some((wanted) => rests.some((one) => fitsText(wanted, one)));
  }
  const [bare, withPort] = address.hosts;
  if (!(fitsText(host, withPort) || (!scheme && fitsText(host, bare)))) return false;
  return !rest || (fitsText(rest, address.rest) && !leadsUp(address.rest));
}
