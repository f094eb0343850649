import { describe, expect, test } from "vitest";
import { describedIn, looseWords, plainWords } from "./described.ts";
import { mentionsOf } from "./mentions.ts";
import { call, converse, type Tools } from "./offline.fixture.ts";

const described = (text: string) => {
  const found = describedIn(text, mentionsOf(text));
  return found && [found.standing, text.slice(found.start, found.end)];
};

test.each([
  ["find the file that defines parseDate", ["defined", "parseDate"]],
  ["Find the file in src that defines parseDate", ["defined", "parseDate"]],
  ["look for the file that imports express", ["imported", "express"]],
  ["locate the module using fetchUser", ["used", "fetchUser"]],
  ["which file mentions the rate limit", ["somewhere", "the rate limit"]],
  ["find the file where createServer is defined", ["defined", "createServer"]],
  ["find the document that talks about colours in docs/guide", ["somewhere", "colours"]],
  ["find the function parseDate", ["defined", "parseDate"]],
  ["find the definition of parseDate", ["defined", "parseDate"]],
  ["which file has the most TODOs", ["somewhere", "TODOs"]],
  ["which file has the fewest uses of colour", ["somewhere", "colour"]],
  ["find the file with the most TODOs", ["somewhere", "TODOs"]],
  ["find the file in src with the fewest uses of colour", ["somewhere", "colour"]],
])("%j", (text, expected) => {
  expect(described(text)).toEqual(expected);
});

test.each([
  "find the file named routes.ts",
  "find the file that is the longest",
  "find the place that serves the best pizza",
  "find the class that has the most students",
  "which file has the most lines",
  "which file has the fewest lines",
  "find the file with the most lines",
  "find the class with the most students",
  "which files have more than 100 lines",
  "find all TypeScript files",
  "read a.ts",
  "where is package.json",
])("describes nothing by its text: %j", (text) => {
  expect(described(text)).toBeUndefined();
});

test("plain words as patterns", () => {
  expect(looseWords("the rate limits")).toBe("rate[\\s_-]*limit");
  expect(looseWords("a class")).toBe("class");
  expect(looseWords("the")).toBeUndefined();
  expect(plainWords("the rate limits (again)")).toBe("rate limits");
});

describe("of several matches the one that was described", () => {
  const answer: Tools = ({ name }) =>
    name === "grep"
      ? 'test/a.test.ts:1:import { load } from "../src/c.ts";\nsrc/b.ts:4:// load is slow\nsrc/b.ts:9:  load();\nsrc/c.ts:2:export async function load() {'
      : "text";
  test.each([
    ["Find the file that defines load, then read it", "src/c.ts"],
    ['Find the file that mentions "load" and open it', "src/b.ts"],
    ['Find the file that imports "load" and open it', "test/a.test.ts"],
    ['Find the test that uses "load" and open it', "test/a.test.ts"],
    ['Find the file that defines "load" and read the first match', "test/a.test.ts"],
  ])("%j", async (request, path) => {
    const { calls } = await converse(request, answer);
    expect(calls.at(-1)).toBe(call("read_file", { path }));
  });
});
