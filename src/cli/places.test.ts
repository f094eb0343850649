import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { importedPath, pathOf, placeInStack, placeOfImport, placeOfName, placeOfSyntax, placeText } from "./places.ts";

const folder = mkdtempSync(join(tmpdir(), "rondo-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, "agent.ts");
writeFileSync(
  file,
  `import { z } from 'zod/mini';
import { Agent } from "rondo";

/** Says $find. */
const other = { ask: 1 };
export abstract class Desk<T> extends Agent {
  readonly ask = this.method({}, () => 1);
  override $find: unknown = undefined;
}
export async function run() {}
export default new Desk();
`,
);

test.each([
  ["Desk", undefined, 6],
  ["run", undefined, 10],
  ["default", undefined, 11],
  ["ask", "Desk", 7],
  ["$find", "Desk", 8],
  ["Des", undefined, undefined],
  ["nosuch", "Desk", 6],
  ["ask", "NoSuch", undefined],
  ["a.b", undefined, undefined],
])("%s in %s is declared on line %s", (name, inClass, line) => {
  expect(placeOfName(file, name, inClass)).toEqual({ file, ...(line !== undefined && { line }) });
});

test("imports are found however they are quoted; a file that is not there has no lines", () => {
  expect(placeOfImport(file, "zod/mini").line).toBe(1);
  expect(placeOfImport(file, "rondo").line).toBe(2);
  expect(placeOfImport(file, "zod").line).toBeUndefined();
  expect(placeOfImport(join(folder, "nothere.ts"), "rondo").line).toBeUndefined();
});

test("the innermost frame of theirs, with and without a function, as path and as address", () => {
  const address = pathToFileURL(file).href;
  const stack = `Error: at once (file:///not/a/frame.ts:1:1)
    at read (node:fs:1:2)
    at inner (file:///else/where.js:3:4)
    at Desk.<instance_members_initializer> [as x] (${address}:7:9)
    at async ${address}:11:1`;
  const isTheirs = (path: string) => path === file;
  expect(placeInStack(stack, isTheirs)).toEqual({ file, line: 7 });
  expect(placeInStack(`Error\n    at ${address}:11:1`, isTheirs)).toEqual({ file, line: 11 });
  expect(placeInStack(`Error\n    at Object.<anonymous> (${file}:5:1)`, isTheirs)).toEqual({ file, line: 5 });
  expect(placeInStack(stack, () => false)).toBeUndefined();
  expect(placeInStack("", isTheirs)).toBeUndefined();
});

test("what Node puts before the stack of a syntax error", () => {
  expect(placeOfSyntax(`${file}:3\n\nx\n^\n\nSyntaxError: no`)).toEqual({ file, line: 3 });
  expect(placeOfSyntax(`${pathToFileURL(file).href}:3\nx`)).toEqual({ file, line: 3 });
  expect(placeOfSyntax("SyntaxError: no\n    at x (/a.js:1:2)")).toBeUndefined();
  expect(placeOfSyntax(":3\n\nx")).toBeUndefined();
});

describe("paths", () => {
  test("files only", () => {
    expect(pathOf("file:///a%20b.ts")).toBe("/a b.ts");
    expect(pathOf("/a.ts")).toBe("/a.ts");
    for (const none of ["node:fs", "data:text/javascript,1", "zod", "file://host/a%2Fb"])
      expect(pathOf(none)).toBeUndefined();
  });

  test("relative imports, from the file that has them", () => {
    expect(importedPath("/a/b.ts", "./c.ts")).toBe("/a/c.ts");
    expect(importedPath("/a/b.ts", "../c")).toBe("/c");
    expect(importedPath("/a/b.ts", "zod")).toBeUndefined();
    expect(importedPath("/a/b.ts", "#own")).toBeUndefined();
  });

  test("in words: short inside the current folder, whole outside of it", () => {
    expect(placeText({ file: join(process.cwd(), "x", "agent.ts"), line: 3 })).toBe(join("x", "agent.ts:3"));
    expect(placeText({ file })).toBe(file);
  });
});
