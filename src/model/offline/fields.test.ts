import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import { call, converse } from "./offline.fixture.ts";

const edits: JsonObject = {
  type: "array",
  items: {
    type: "object",
    properties: { old_string: { type: "string" }, new_string: { type: "string" } },
    required: ["old_string", "new_string"],
  },
};
const declare = (name: string, description: string, properties: JsonObject, required = Object.keys(properties)) => ({
  name,
  description,
  parameters: { type: "object", properties, required },
});
const path: JsonObject = { type: "string", description: "Path of the file." };
const tools = [
  declare("edit_file", "Changes a text file.", { path, edits }),
  declare("write_file", "Writes a text file.", { path, content: { type: "string" } }),
  declare("run_code", "Runs JavaScript.", { code: { type: "string", description: "JavaScript source." } }),
  declare("shell", "Executes a command.", { command: { type: "string" } }),
  declare(
    "find_restaurant",
    "Finds restaurants.",
    {
      location: { type: "string", description: "City and state, e.g. Boston, MA" },
      cuisine: { type: "string", description: "Kind of food." },
      open_on: { type: "string", description: "Day, MM-DD-YYYY" },
    },
    ["location"],
  ),
  declare(
    "growth_of_capital",
    "Calculates the growth of capital.",
    {
      start: { type: "number", description: "Amount at the start, in dollars." },
      rate: { type: "number", description: "Rate of interest as a decimal." },
      inflation: { type: "number", description: "Inflation in percent." },
    },
    ["start", "rate"],
  ),
];
const calls = async (request: string) => (await converse(request, undefined, { tools })).calls;
const edit = (file: string, ...pairs: readonly (readonly [string, string])[]) =>
  call("edit_file", { path: file, edits: pairs.map(([old_string, new_string]) => ({ old_string, new_string })) });

describe("what is said for a tool", () => {
  test.each<[string, string]>([
    ['In a.ts replace "x" with "y"', edit("a.ts", ["x", "y"])],
    ["change `x` to `y` in a.ts", edit("a.ts", ["x", "y"])],
    ['Replace "a" with "b" and "c" with "d" in e.ts', edit("e.ts", ["a", "b"], ["c", "d"])],
    ['write "no, then yes" to a.txt', call("write_file", { path: "a.txt", content: "no, then yes" })],
    ["run `1 + 1`", call("run_code", { code: "1 + 1" })],
    ["what is 3 * (4 + 1)?", call("run_code", { code: "3 * (4 + 1)" })],
    [
      "Find a restaurant in Denver, Colorado with Chinese cuisine",
      call("find_restaurant", { location: "Denver, Colorado", cuisine: "Chinese" }),
    ],
    [
      "Find restaurants in Boston open on March 5th, 2026",
      call("find_restaurant", { location: "Boston", open_on: "03-05-2026" }),
    ],
    [
      "Calculate the growth of capital with $2 million at the start, a rate of 5% and inflation of 2%",
      call("growth_of_capital", { start: 2_000_000, rate: 0.05, inflation: 2 }),
    ],
  ])("%j", async (request, expected) => {
    expect(await calls(request)).toEqual([expected]);
  });
});

describe("a tool with one edit or a list of them", () => {
  const old_string = { type: "string", description: "The text to replace." };
  const new_string = { type: "string", description: "The text to put in its place." };
  const edit = { old_string, new_string, replace_all: { type: "boolean", description: "Replace every place." } };
  const list = { type: "array", items: { type: "object", properties: edit, required: ["old_string", "new_string"] } };
  const either = [declare("edit_file", "Replaces text in a file.", { path, ...edit, edits: list }, ["path"])];
  const pair = { old_string: "a", new_string: "b" };
  test.each<[string, readonly string[]]>([
    ['in x.ts replace "a" with "b"', [call("edit_file", { path: "x.ts", edits: [pair] })]],
    [
      'in x.ts replace all "a" with "b"',
      [call("edit_file", { path: "x.ts", edits: [{ ...pair, replace_all: true }] })],
    ],
    ["edit x.ts", []],
    ["update x.ts, please", []],
  ])("%j", async (request, expected) => {
    expect((await converse(request, undefined, { tools: either })).calls).toEqual(expected);
  });
});

describe("nothing is changed or run on a guess", () => {
  test.each([
    "write a poem to a.txt",
    "edit a.ts",
    "change the colours in a.ts",
    "Is it wise to change 'x' to 'y' in a.ts?",
    'Could I write "x" to a.txt?',
    "run the tests",
    "Run a regression over 'Age' and 'Income'",
    "execute the plan",
    "translate 'good morning'",
    'If it rains, write "x" to a.txt',
    'what is write_file for, with "x" and a.txt',
  ])("%j", async (request) => {
    expect(await calls(request)).toEqual([]);
  });

  test("what its author calls harmless may be picked by a question", async () => {
    const tool = {
      ...declare("send_query", "Sends a query.", { to: { type: "string", description: "Email address" } }),
    };
    const request = "Which answer does send_query to a@b.org give?";
    expect((await converse(request, undefined, { tools: [tool] })).calls).toEqual([]);
    const harmless = [{ ...tool, readOnly: true }];
    expect((await converse(request, undefined, { tools: harmless })).calls).toEqual([
      call("send_query", { to: "a@b.org" }),
    ]);
  });
});
