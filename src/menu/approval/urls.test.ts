import { expect, test } from "vitest";
import { menuTool } from "../entry.ts";
import { tool } from "../tool.ts";
import { parseRule } from "./rule.ts";
import { covers, patternOf, ruleFor, subjectsOf, touches } from "./subject.ts";

const fetches = menuTool(tool({ name: "fetch", execute: () => "" }));

/** What a pattern does with an address: an allow rule's way, and a deny rule's. */
function both(pattern: string, url: string): readonly [allows: boolean, denies: boolean] {
  const subjects = subjectsOf(fetches, { url }, "/home/ann");
  const ready = patternOf(pattern);
  return [covers(ready, subjects), touches(ready, subjects)];
}

const yes = [true, true];
const no = [false, false];
const deniesOnly = [false, true];

test.each([
  ["h.com/admin*", "http://h.com//admin", deniesOnly],
  ["h.com/admin*", "http://h.com/./admin", yes],
  ["h.com/admin*", "http://h.com/x/..%2fadmin", deniesOnly],
  ["h.com/admin*", "http://h.com/x%2f%2e%2e%2fadmin/y", deniesOnly],
  ["h.com/admin*", "http://h.com/x/..%5cadmin", deniesOnly],
  ["h.com/admin*", "http://h.com/%2561dmin", deniesOnly],
  ["h.com/admin*", "http://h.com/%61dmin?x=%", deniesOnly],
  ["h.com/admin*", "http://h.com/%61dmin/%ff", deniesOnly],
  ["h.com/admin*", "http://h.com/;x/admin", deniesOnly],
  ["h.com/admin*", "http://h.com/x/..;/admin", deniesOnly],
  ["h.com/a/admin", "http://h.com/a;x=1/admin", deniesOnly],
  ["h.com/admin", "http://h.com/admin?x=1", deniesOnly],
  ["h.com/admin", "http://h.com/admin/", deniesOnly],
  ["h.com/admin", "http://h.com/admin/?", deniesOnly],
  ["h.com/admin", "http://h.com/ADMIN", deniesOnly],
  ["h.com/%61dmin", "http://h.com/admin", deniesOnly],
  ["h.com//x/../admin", "http://h.com/admin", deniesOnly],
  ["h.com/über", "http://h.com/%C3%BCber", deniesOnly],
  ["h.com/admin", "http://h.com/administration", no],
  ["h.com/admin", "http://h.com/x?/admin", no],
  ["h.com/pub/*", "http://h.com/pub/a%20b", yes],
  ["h.com/a%20b/*", "http://h.com/a%20b/c", yes],
  ["h.com/a%20b", "http://h.com/a%20b", yes],
  ["h.com/pub/*", "http://h.com/pub/..;/admin", deniesOnly],
  ["h.com/pub/*", "http://h.com/pub/%252e%252e/admin", deniesOnly],
])("paths: %s and %s", (pattern, url, outcome) => {
  expect(both(pattern, url)).toEqual(outcome);
});

test.each([
  ["bücher.de", "http://xn--bcher-kva.de/", yes],
  ["bücher.de", "http://bücher.de/", yes],
  ["BÜCHER.de", "http://bu\u0308cher.de/", yes],
  ["xn--bcher-kva.de", "http://bücher.de/", yes],
  ["*.bücher.de", "http://a.bücher.de/", yes],
  ["127.*", "http://127.0.0.1/", yes],
  ["bü*.de", "http://bücher.de/", deniesOnly],
  ["h.com", "http://h。com/", yes],
  ["127.0.0.1", "http://127.1/", yes],
  ["127.1", "http://127.0.0.1/", yes],
  ["0x7f.1", "http://2130706433/", yes],
  ["127.0.0.1", "http://[::ffff:127.0.0.1]/", deniesOnly],
  ["127.*", "http://[::ffff:7f00:1]/", deniesOnly],
  ["127.0.0.1", "http://[::127.0.0.1]/", deniesOnly],
  ["127.0.0.1", "http://[64:ff9b::7f00:1]/", deniesOnly],
  ["[::ffff:127.0.0.1]", "http://127.0.0.1/", deniesOnly],
  ["[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]/", yes],
  ["[0:0::1]:80", "http://[::1]/", deniesOnly],
  ["[::1]", "http://[0:0:0::1]/", yes],
  ["h.com.", "http://h.com/", yes],
  ["h.com", "http://h.com../", deniesOnly],
  ["h.com:443", "https://h.com/", deniesOnly],
  ["h.com:443", "https://h.com:8443/", no],
  ["h.com", "foo://H.COM/", deniesOnly],
  ["h.com", "http://h.com.org/", no],
])("hosts: %s and %s", (pattern, url, outcome) => {
  expect(both(pattern, url)).toEqual(outcome);
});

test.each([
  "http://h.com/x",
  "http://h.com/a%20b?c=%C3%BC",
  "http://bücher.de/%2561",
  "http://h.com:81/*(a)\\b",
  "http://[::1]/",
  "http://*.com/",
])("a yes for good to %s is one for it and for no other port, scheme or path", (url) => {
  const rule = ruleFor(fetches, subjectsOf(fetches, { url }, "/home/ann"));
  const { pattern = "" } = parseRule(rule!);
  expect(both(pattern, url)[0]).toBe(true);
  const { protocol, hostname, host, pathname } = new URL(url);
  for (const other of [
    `${protocol}//${hostname}:8080${pathname}`,
    `https://${host}${pathname}`,
    `${url}x`,
    `${protocol}//x.${host}${pathname}`,
  ])
    expect(both(pattern, other)[0], other).toBe(false);
});
