import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { menuTool } from "../entry.ts";
import { tool } from "../tool.ts";
import { parseRule } from "./rule.ts";
import { covers, keyOf, patternOf, ruleFor, subjectsOf, touches } from "./subject.ts";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "rules-")));
mkdirSync(join(workspace, "secret"));
symlinkSync(join(workspace, "secret"), join(workspace, "link"));
symlinkSync("secret/not-there", join(workspace, "to-nothing"));
symlinkSync("to-nothing", join(workspace, "link-to-link"));
symlinkSync("circle", join(workspace, "circle"));
symlinkSync("../outside-not-there", join(workspace, "to-outside"));

const made = (name: string, properties: object = {}) =>
  menuTool(tool({ name, input: { type: "object", properties } as never, execute: () => "" }));
const any = made("any");

/** What a pattern does with arguments: an allow rule's way, and a deny rule's. */
function both(pattern: string, args: object, of = any): readonly [allows: boolean, denies: boolean] {
  const subjects = subjectsOf(of, args, workspace);
  const ready = patternOf(pattern);
  return [covers(ready, subjects), touches(ready, subjects)];
}

const yes = [true, true];
const no = [false, false];
const deniesOnly = [false, true];

describe("paths", () => {
  test.each([
    ["src/**", "src/a/b.ts", yes],
    ["src/**", "src", yes],
    ["src/", "src/a", yes],
    ["src/**", "srcs/a", no],
    ["src/*", "src/a.ts", yes],
    ["src/*", "src/a/b.ts", no],
    ["src/*.ts", "src/a.ts", yes],
    ["**/a.ts", "a.ts", yes],
    ["**/a.ts", "x/y/a.ts", yes],
    ["**/a.ts", "x/ya.ts", no],
    ["**/**/a.ts", "a.ts", yes],
    ["a/**/b", "a/b", yes],
    ["a/**/b", "a/x/y/b", yes],
    ["a/**/b", "a/xb", no],
    ["./src/../secret/**", "secret/x", yes],
    ["secret/**", "src/../secret/x", yes],
    ["secret/**", "./secret//x", yes],
    ["secret/**", "SECRET/x", deniesOnly],
    ["secret/**", "link/x", deniesOnly],
    ["link/**", "link/x", deniesOnly],
    ["secret/**", "to-nothing", deniesOnly],
    ["secret/**", "link-to-link", deniesOnly],
    ["circle", "circle", yes],
    ["**", "to-outside", deniesOnly],
    ["**", "../x", deniesOnly],
    ["../x", "../x", yes],
    ["/etc/**", "/etc/passwd", yes],
    ["/etc/**", "../../../../../../../../etc/passwd", yes],
    ["a\\*b", "a*b", yes],
    ["a\\*b", "axb", no],
    ["*", "a.b", yes],
    ["a", "a\0", deniesOnly],
    ["q", "x".repeat(10_000), deniesOnly],
  ])("%s and %s", (pattern, path, outcome) => {
    expect(both(pattern, { path })).toEqual(outcome);
    expect(both(pattern, { file_path: path })).toEqual(outcome);
  });

  test("in the workspace a path may be absolute, and rules still mean the same file", () => {
    expect(both("secret/**", { path: join(workspace, "secret/x") })).toEqual(yes);
    expect(both(`${workspace}/a`, { path: "a" })).toEqual(yes);
  });

  test("a tool of files without a path works in the whole workspace", () => {
    const lists = made("list", { path: { type: "string" } });
    for (const pattern of [".", "**"]) expect(both(pattern, {}, lists)).toEqual(yes);
    expect(both("src/**", {}, lists)).toEqual(no);
  });
});

test.each([
  ["example.com", "https://example.com/a?b", yes],
  ["example.com", "https://EXAMPLE.com./a", yes],
  ["example.com", "https://example.com:8443/", yes],
  ["example.com:8443", "https://example.com:8443/", yes],
  ["example.com", "https://example.com.evil.org/", no],
  ["example.com", "https://evil.org/example.com", no],
  ["*.example.com", "https://a.example.com/", yes],
  ["https://*.example.com/**", "https://evil.org/.example.com/x", no],
  ["https://example.com/docs/*", "https://example.com/docs/a/b", yes],
  ["https://example.com/docs/*", "http://example.com/docs/a", no],
  ["https://example.com/docs/*", "https://example.com/docs/../admin", no],
  ["https://example.com/docs/*", "https://example.com/docs/..%2fadmin", deniesOnly],
  ["https://example.com/admin*", "https://example.com/%61dmin", deniesOnly],
  ["example.com", "https://example.com@evil.org/", deniesOnly],
  ["127.0.0.1", "http://0x7f.1/", yes],
  ["127.0.0.1", "http://127.1/", yes],
  ["127.0.0.1", "http://[::ffff:127.0.0.1]/", deniesOnly],
  ["127.0.0.1:8080", "http://[::127.0.0.1]:8080/", deniesOnly],
  ["0x7f.1", "http://127.0.0.1/", yes],
  ["[::1]", "http://[0:0:0:0:0:0:0:1]/", yes],
  ["münchen.de", "https://xn--mnchen-3ya.de/", yes],
  ["xn--mnchen-3ya.de", "https://MÜNCHEN.de/", yes],
  ["*.münchen.de", "https://a.münchen.de/", yes],
  ["example.com", "https://example.com./", yes],
  ["example.com/admin*", "https://example.com//admin", deniesOnly],
  ["example.com/admin*", "https://example.com/a/..%2fadmin", deniesOnly],
  ["example.com/admin*", "https://example.com/a/%252e%252e/admin", deniesOnly],
  ["example.com/admin*", "https://example.com/%5cadmin", deniesOnly],
  ["example.com/admin", "https://example.com/admin?x=1", deniesOnly],
  ["example.com/admin*", "https://example.com/a?b=/admin", no],
  ["example.com", "not a url", deniesOnly],
  ["*", "file:///etc/passwd", deniesOnly],
])("URLs: %s and %s", (pattern, url, outcome) => {
  expect(both(pattern, { url })).toEqual(outcome);
});

test.each([
  ["npm test", "npm test", yes],
  ["npm test", "npm test -- x", no],
  ["npm test *", "npm test -- x", yes],
  ["npm test *", "npm test", yes],
  ["npm test *", "npm tests", no],
  ["npm test *", "npm test; rm -rf .", deniesOnly],
  ["npm test *", "npm test $(rm -rf .)", deniesOnly],
  ["npm test *", "npm test > /etc/x", deniesOnly],
  ["rm *", "rm -rf x", yes],
  ["rm *", "cd x && rm -rf y", deniesOnly],
  ["rm *", "sudo /bin/rm -rf y", deniesOnly],
  ["rm *", "X=1 rm y", deniesOnly],
  ["rm *", "  rm   -rf y", deniesOnly],
  ["rm *", "r''m -rf y", deniesOnly],
  ["rm *", "\\rm -rf y", deniesOnly],
  ["rm *", "r\\\nm -rf y", deniesOnly],
  ["rm *", "sh -c 'rm -rf y'", deniesOnly],
  ["rm *", "echo `rm -rf y`", deniesOnly],
  ["rm *", "$X -rf y", deniesOnly],
  ["rm *", "`echo rm` -rf y", deniesOnly],
  ["rm *", "RM -rf y", deniesOnly],
  ["rm *", "env rm$IFS-rf y", deniesOnly],
  ["rm *", "ls; env -i r$@m -rf y", deniesOnly],
  ["rm *", "sudo -u root $X y", deniesOnly],
  ["rm *", "timeout 5 nice $X y", deniesOnly],
  ["rm *", "eval echo $X", deniesOnly],
  ["rm *", "xargs /bin/r? y", deniesOnly],
  ["rm *", "/usr/bin/env r$(echo)m y", deniesOnly],
  ["rm *", "sudo ls *.ts", no],
  ["rm *", "env X=$Y ls $HOME", no],
  ["rm *", "echo sudo $X", no],
  ["rm *", "ls -l", no],
  ["rm *", "npm run farm x", no],
  ["rm *", "echo $HOME", no],
  ["*curl*", "true; curl x", deniesOnly],
])("commands: %s and %s", (pattern, command, outcome) => {
  expect(both(pattern, { command })).toEqual(outcome);
});

test("a command in words is told only by all its arguments, and denied by its text", () => {
  expect(both("rm *", { command: ["rm", "x"] })).toEqual(deniesOnly);
  expect(both('{"command":\\["rm",*', { command: ["rm", "x"] })).toEqual(yes);
});

test("code counts for run_code; all else is JSON with its keys in order", () => {
  expect(both("*fetch*", { code: "await fetch(1)" }, made("run_code"))).toEqual(yes);
  expect(both("*fetch*", { code: "await fetch(1)" })).toEqual(yes);
  expect(both('{"a":1,*', { b: 2, a: 1 })).toEqual(yes);
  expect(both('{"a":1,*', { b: 2, a: 10 })).toEqual(no);
});

test("what is given in another form than text is not taken for what is not given", () => {
  const reads = made("read", { path: {} });
  for (const args of [
    { path: ["secret/x"] },
    { file_path: { name: "secret/x" } },
    { url: ["http://a"] },
    { command: [1] },
  ]) {
    expect(both("secret/**", args, reads)).toEqual(deniesOnly);
    expect(both("**", args, reads)).toEqual(deniesOnly);
    expect(ruleFor(reads, subjectsOf(reads, args, workspace))).toMatch(/^read\(\{"/);
  }
  expect(both("**", { path: null }, reads)).toEqual(yes);
});

test("of two things an allow rule has to cover all arguments, a deny rule one thing", () => {
  expect(both("src/**", { path: "src/a", command: "rm x" })).toEqual(deniesOnly);
  expect(both("rm *", { path: "src/a", command: "rm x" })).toEqual(deniesOnly);
  expect(both("**", { path: "/etc/x", file_path: "a" })).toEqual(deniesOnly);
  expect(both("*", { url: "http://user:word@example.com" })).toEqual(deniesOnly);
});

test("what cannot be told is denied by any pattern, allowed by none, and agreed to for no other call", () => {
  const odd = { when: new Map([[1, 2]]) };
  expect(both("x", odd)).toEqual(deniesOnly);
  const subjects = subjectsOf(any, odd, workspace);
  expect([keyOf(any, subjects, workspace), ruleFor(any, subjects)]).toEqual([undefined, undefined]);
});

test.each([
  [{ command: "make" }, { command: "make", cwd: "/elsewhere" }],
  [{ url: "https://example.com/a" }, { url: "https://example.com/a", method: "DELETE" }],
])("a yes for %j is none for what else may be said beside it: %j", (less, more) => {
  const [one, other] = [subjectsOf(any, less, workspace), subjectsOf(any, more, workspace)];
  expect(keyOf(any, one, workspace)).not.toBe(keyOf(any, other, workspace));
  const rule = parseRule(ruleFor(any, other)!);
  expect(both(rule.pattern!, more)).toEqual(yes);
  expect(both(rule.pattern!, less)).toEqual(no);
  // Nor is the rule that is kept of it, or one that somebody wrote.
  const lesser = parseRule(ruleFor(any, one)!);
  expect(both(lesser.pattern!, less)).toEqual(yes);
  expect(both(lesser.pattern!, more)).toEqual(deniesOnly);
  expect(both("*", more)).toEqual(deniesOnly);
});

test("hostile patterns and subjects end soon", () => {
  const stars = "*a".repeat(500);
  const deep = "**/a*".repeat(100);
  for (const args of [{ path: "a/".repeat(3_500) }, { command: "a ".repeat(200_000) }, { x: "a".repeat(400_000) }]) {
    expect(both(`${stars}b`, args)).toEqual(no);
    expect(both(`${deep}b`, args)).toEqual(no);
  }
});

const twice = <A>(one: fc.Arbitrary<A>): fc.Arbitrary<readonly [A, A]> => fc.tuple(one, one);

test("the rule for a call covers that call, and reads back as it was written", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[\\*()a. /]{0,8}$/));
  // Of one form: the same text in another field of the same tool is the same rule.
  const args = fc.oneof(
    twice(fc.record({ path: text })),
    twice(fc.record({ command: text })),
    twice(fc.record({ x: text, y: fc.jsonValue() })),
  );
  const name = fc.stringMatching(/^[\\()a-z_]+$/);
  fc.assert(
    fc.property(name, args, (called, [one, other]) => {
      const of = made(called);
      const subjects = subjectsOf(of, one, workspace);
      const rule = ruleFor(of, subjects);
      if (rule === undefined) return;
      const { tool: named, pattern } = parseRule(rule);
      expect(named).toBe(called);
      // A link is not covered by its own name alone.
      if ("path" in one && one.path.includes("link")) return;
      expect(covers(patternOf(pattern!), subjects)).toBe(true);
      expect(touches(patternOf(pattern!), subjects)).toBe(true);
      const others = subjectsOf(of, other, workspace);
      const same = keyOf(of, subjects, workspace) === keyOf(of, others, workspace);
      expect(covers(patternOf(pattern!), others)).toBe(same);
    }),
    { numRuns: 500 },
  );
});
