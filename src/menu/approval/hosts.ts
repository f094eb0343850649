import { domainToASCII, domainToUnicode } from "node:url";
import { changed, type Pieces, piecesOf } from "./pattern.ts";

/** The host of a rule, as it is written, in the spelling that addresses have. */
export function hostPattern(written: string): Pieces {
  const pieces = piecesOf(written);
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === "string") return [canonical(only)];
  return pieces.map((piece, at) =>
    typeof piece === "string" ? labels(piece.toLowerCase(), at === 0, at === pieces.length - 1) : piece,
  );
}

/** How a host looks once it was read: numbers of an address whole, other scripts in ASCII. */
function canonical(text: string): string {
  const [, host = "", port = ""] = /^(.*?)(:\d+)?$/s.exec(text) ?? [];
  const bare = host.replace(/\.$/, "");
  for (const one of [bare, `[${text}]`]) {
    if (/[@/?#\\\s]|:(?![^[]*\])/.test(one) || !URL.canParse(`http://${one}`)) continue;
    return new URL(`http://${one}`).hostname + (one === bare ? port : "");
  }
  return (bare + port).toLowerCase();
}

/** Names between dots in ASCII; one that a star goes on with stays as it is. */
function labels(text: string, isFirst: boolean, isLast: boolean): string {
  const all = text.split(".");
  const whole = (at: number) => (at > 0 || isFirst) && (at < all.length - 1 || isLast);
  return all.map((label, at) => (whole(at) && /[^ -~]/.test(label) ? domainToASCII(label) || label : label)).join(".");
}

const usual: { readonly [scheme: string]: string } = { http: "80", https: "443", ws: "80", wss: "443", ftp: "21" };

/** All that a host may be called, with its port and without; in lower case. */
export function hostReadings(scheme: string, host: string, port: string): readonly string[] {
  const bare = fold(host.replace(/\.+$/, ""));
  const names = new Set([bare, fold(domainToUnicode(bare)), fourOf(bare)]);
  const number = port || usual[scheme];
  return [...names].flatMap((name) => (number === undefined ? [name] : [name, `${name}:${number}`]));
}

/** How what may not be missed is compared. */
export const fold = (text: string): string => text.normalize("NFC").toLowerCase();

/** The host of a rule that may not be missed: an address of the old kind within one of the new kind is the old one. */
export const looseHost = (pieces: Pieces): Pieces =>
  changed(pieces, (text) => {
    const folded = fold(text);
    return pieces.length === 1 ? fourOf(folded) : folded;
  });

const inSix = /^\[(?:::|::ffff:(?:0:)?|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\](:\d+)?$/;

function fourOf(host: string): string {
  const [, high, low, port = ""] = inSix.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = [high, low].flatMap((hex) => [Number.parseInt(hex, 16) >> 8, Number.parseInt(hex, 16) & 255]);
  return bytes.join(".") + port;
}
