import { domainToUnicode } from "node:url";
import { changed, fitsText, type Pieces, piecesOf } from "./pattern.ts";

/** A URL as rules see it. */
export type Address = {
  readonly href: string;
  readonly scheme: string;
  /** With a port that is not the usual one, and without. */
  readonly hosts: readonly string[];
  /** Path and query, as they are and with `%` undone. */
  readonly rests: readonly string[];
  /** What a server may make of them besides. */
  readonly loose: { readonly hosts: readonly string[]; readonly rests: readonly string[] };
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
  const hosts = new Set([bare, domainToUnicode(bare) || bare]);
  const meant = mappedOf(bare);
  return {
    href: `${scheme}://${bare}${port}${rest}`,
    scheme,
    hosts: withPort(hosts, port),
    rests: [rest, undone(rest)],
    loose: { hosts: withPort(meant === undefined ? [] : [meant], port), rests: readingsOf(rest) },
  };
}

const withPort = (hosts: Iterable<string>, port: string): string[] => [...hosts].flatMap((one) => [one, one + port]);

/** The address of the older protocol that one of the newer stands for (RFC 4291, section 2.5.5): `::ffff:7f00:1` is 127.0.0.1. */
function mappedOf(host: string): string | undefined {
  const [, high, low] = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

/** What servers make of a path: undone more than once, with slashes the other way or doubled, and with steps upwards taken. */
function readingsOf(rest: string): string[] {
  const once = undone(rest);
  const texts = [...new Set([rest, once, undone(once)])];
  return texts.flatMap((text) => {
    const plain = text.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
    const end = plain.search(/[?#]/);
    const [path, query] = end < 0 ? [plain, ""] : [plain.slice(0, end), plain.slice(end)];
    return [plain, climbed(path) + query, path, climbed(path)];
  });
}

/** A path with its steps upwards taken (RFC 3986, section 5.2.4). */
function climbed(path: string): string {
  if (!path.includes("/.")) return path;
  const parts: string[] = [];
  for (const part of path.split("/").slice(1)) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
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
  // As a URL would say it: `0x7f.1` is 127.0.0.1. What has stars in it is taken as it stands.
  const plain = /[*\\]/.test(host) || !URL.canParse(`http://${host}`) ? host : new URL(`http://${host}`).host;
  const lower = (text: string) => changed(piecesOf(text), (piece) => piece.toLowerCase());
  return {
    scheme: colon < 0 ? undefined : lower(pattern.slice(0, colon)),
    host: lower((/:\d+$/.test(host) ? host : plain).replace(/\.$/, "")),
    rest: rest === "" ? undefined : piecesOf(rest),
  };
}

/** Whether a URL fits: `loose` if one way to read it does; else all have to, and it must be one of the web unless the rule names a scheme. */
export function fitsUrl({ scheme, host, rest }: UrlPattern, address: Address, loose: boolean): boolean {
  const web = address.scheme === "http" || address.scheme === "https";
  if (scheme ? !fitsText(scheme, address.scheme) : !loose && !web) return false;
  const hosts = loose ? [...address.hosts, ...address.loose.hosts] : address.hosts;
  if (!hosts.some((one) => fitsText(host, one))) return false;
  if (!rest) return true;
  if (loose) {
    const folded = changed(rest, (text) => text.toLowerCase());
    return [...address.rests, ...address.loose.rests].some((one) => fitsText(folded, one.toLowerCase()));
  }
  return address.rests.every((one) => fitsText(rest, one) && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(one));
}
