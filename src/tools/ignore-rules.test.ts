import { writeFileSync } from "node:fs";
import fc from "fast-check";
import ignore from "ignore";
import { expect, test } from "vitest";
import { ignoredAmong, withRulesOf } from "./ignore-rules.ts";
import { makeWorkspace } from "./workspace.fixture.ts";
import { openWorkspace } from "./workspace.ts";

const names = fc.constantFrom("a", "ab", "dist", "x.log", ".env", "Logs", "[x]", "a b", "b", "c.d");
const piece = fc.constantFrom(
  "a",
  "b",
  "*",
  "**",
  "?",
  "/",
  "dist",
  ".log",
  "[ab]",
  "[!x]",
  "\\[x\\]",
  " ",
  "\\ ",
  "c.d",
  ".",
);
const rule = fc
  .tuple(fc.constantFrom("", "", "!", "#", "/"), fc.array(piece, { maxLength: 4 }), fc.constantFrom("", "/"))
  .map(([start, parts, end]) => start + parts.join("") + end);

test("the quick look never changes what the rules leave out", () => {
  const { root, at } = makeWorkspace();
  const workspace = openWorkspace(root);
  const folder = { given: "", named: "", path: "", real: root };
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 4 }),
      fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      (rules, paths) => {
        writeFileSync(at(".gitignore"), rules.join("\n"));
        const given = paths.map((parts) => parts.join("/"));
        const expected = ignore({ ignorecase: process.platform !== "linux" }).add(rules);
        const found = ignoredAmong(withRulesOf(workspace, undefined, folder), given);
        expect(given.map((_, i) => found[i] ?? false)).toEqual(given.map((path) => expected.ignores(path)));
      },
    ),
    { numRuns: 2_000 },
  );
});
