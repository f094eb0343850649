import { expect, test } from "vitest";
import { plainPath, spellings } from "./plain-path.ts";

test.each([
  ["a/B.txt", "a/b.txt"],
  [".Git./config", ".git/config"],
  [".git /config. .", ".git/config"],
  [".g\u200cit/\ufeffhooks", ".git/hooks"],
  ["\uff0egit", ".git"],
  ["\u212aey", "key"],
  ["../x", "../x"],
  [".", "."],
  ["a b.txt", "a b.txt"],
  ["", ""],
])("%j is to some file system the same as %j", (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});

test("a stream is taken for the file that it belongs to, and for a file of its own", () => {
  expect(spellings("A/.npmrc::$DATA")).toEqual(expect.arrayContaining(["a/.npmrc::$data", "a/.npmrc"]));
  expect(spellings("A/x:key.pem")).toEqual(expect.arrayContaining(["a/x:key.pem", "a/x"]));
  expect(spellings(".env. :x/y")).toContain(".env/y");
  expect(spellings("src/a.ts")).toEqual(["src/a.ts"]);
});

test("a short name of DOS is taken for the name with a dot that it may stand for", () => {
  expect(spellings("A/GIT~1/config")).toEqual(expect.arrayContaining(["a/git~1/config", "a/.git/config"]));
  expect(spellings("NPMRC~2")).toContain(".npmrc");
  expect(spellings("ENV~1.LOC")).toContain(".env.loc");
  expect(spellings("notes~old.txt")).toEqual(["notes~old.txt"]);
});
