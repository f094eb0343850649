import { expect, test } from "vitest";
import { builtIns, call, converse } from "./offline.fixture.ts";

const calls = async (request: string) => (await converse(request, undefined, { tools: builtIns })).calls;

test.each<[string, readonly string[]]>([
  [
    'Search for "colour" in docs and src',
    [call("grep", { pattern: "colour", path: "docs" }), call("grep", { pattern: "colour", path: "src" })],
  ],
  [
    'Search for "colour" in docs, src and a.txt',
    ["docs", "src", "a.txt"].map((path) => call("grep", { pattern: "colour", path })),
  ],
  ["List the files in docs and src", [call("list_dir", { path: "docs" }), call("list_dir", { path: "src" })]],
  [
    "Find ts files in the src or the test folder",
    ["src", "test"].map((path) => call("glob", { pattern: "**/*.ts", path })),
  ],
])("all folders that stand side by side are looked into: %s", async (request, expected) => {
  expect(await calls(request)).toEqual(expected);
});

test("a word that only could be a folder is none behind something else", async () => {
  expect(await calls("Read a.txt and test it")).toEqual([call("read_file", { path: "a.txt" })]);
});

test("which folder has the most files is not told by counting lines", async () => {
  expect(await calls("Which folder has the most files?")).toEqual([]);
  expect(await calls("Which file has the most lines?")).toEqual([
    call("grep", { pattern: "^", output: "count", max: 2000 }),
  ]);
});
