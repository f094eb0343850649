/** Kinds of requests, each in several wordings: what is found by its text, which lines, what is not wanted, what is said for a tool. */
import { describe, expect, test } from "vitest";
import type { ToolDeclaration } from "../../src/model/model.ts";
import { call, converse } from "../../src/model/offline/offline.fixture.ts";
import { declarations } from "./declarations.ts";
import { world } from "./world.ts";

const callsFor = async (request: string, tools = declarations) => (await converse(request, world(), { tools })).calls;
const read = (path: string, more: { readonly offset?: number; readonly limit?: number } = {}) =>
  call("read_file", { path, ...more });
const grep = (pattern: string, more = {}) => call("grep", { pattern, ...more });

describe("a file that is told by what it says is searched for, then read", () => {
  test.each([
    ["Find the file that defines parseDate and read it", "parseDate", "src/utils/dates.ts"],
    ["find the file that contains handleRequest and show it", "handleRequest", "src/server/routes.ts"],
    ['Find the file that mentions "rate limit" and open it', "rate limit", "README.md"],
    ["find the file that defines fetchUser, then read it", "fetchUser", "src/server/routes.ts"],
    ["Find the file where createServer is defined and print it", "createServer", "src/server/http.ts"],
    ["which file defines parseDate? Read it.", "parseDate", "src/utils/dates.ts"],
    ["look for the file that imports express and read it", "express", "src/server/http.ts"],
    ["find the module that exports parse and open it", "parse", "src/parser.ts"],
    ["find the function parseDate and show its file", "parseDate", "src/utils/dates.ts"],
    ["Read the file that defines parseDate", "parseDate", "src/utils/dates.ts"],
    ["open the file containing handleRequest", "handleRequest", "src/server/routes.ts"],
    ["what does the file that defines parseDate contain?", "parseDate", "src/utils/dates.ts"],
    ["Open whichever file mentions handleRequest", "handleRequest", "src/server/routes.ts"],
    ["find the test that uses fetchUser and read it", "fetchUser", "src/parser.test.ts"],
  ])("%j", async (request, pattern, path) => {
    expect(await callsFor(request)).toEqual([grep(pattern), read(path)]);
  });

  test.each([
    ["Find the file which mentions the rate limits and open it", "rate[\\s_-]*limit", {}, "README.md"],
    ["Show me the file that talks about deprecated parts", "deprecated[\\s_-]*part", {}, "docs/intro.md"],
    ["find the config file that sets the port and read it", "port", {}, "config/app.yaml"],
    [
      "find the markdown file that mentions the rate limit and read it",
      "rate[\\s_-]*limit",
      { glob: "**/*.md" },
      "README.md",
    ],
  ])("plain words in whatever spelling: %j", async (request, pattern, more, path) => {
    expect(await callsFor(request)).toEqual([grep(pattern, { ...more, ignore_case: true }), read(path)]);
  });

  test.each([
    ["find the file named routes.ts and read it", "**/routes.ts", "src/server/routes.ts"],
    ["Find a file called dates and open it", "**/*dates*", "src/utils/dates.ts"],
    ["Find the file whose name contains intro and read it", "**/*intro*", "docs/intro.md"],
    ["open the file called dates", "**/*dates*", "src/utils/dates.ts"],
  ])("one that is told by its name is looked for by it: %j", async (request, pattern, path) => {
    expect(await callsFor(request)).toEqual([call("glob", { pattern }), read(path)]);
  });

  test("several files, and the first of them", async () => {
    expect(await callsFor("Find the files that mention fetchUser and read the first one")).toEqual([
      grep("fetchUser", { output: "files" }),
      read("src/parser.test.ts"),
    ]);
  });

  test("nothing is changed in a file that was only described, unless it was pointed at", async () => {
    expect(await callsFor('Replace "a" with "b" in the file that defines parseDate')).toEqual([]);
  });
});

describe("which lines", () => {
  const measured = (path: string) => grep("^", { path, output: "count", max: 2000 });
  test.each([
    ["Find the largest file in src and print its first line", "src", "src/parser.ts", { limit: 1 }],
    ["print the first line of the largest file in src", "src", "src/parser.ts", { limit: 1 }],
    ["show the largest file's first line in src", "src", "src/parser.ts", { limit: 1 }],
    ["Read lines 2 to 3 of the longest file in docs", "docs", "docs/intro.md", { offset: 2, limit: 2 }],
    ["Find the smallest file in docs and print its last line", "docs", "docs/guide/setup.md", {}],
  ])("of a file told by its size: %j", async (request, folder, path, lines) => {
    expect(await callsFor(request)).toEqual([measured(folder), read(path, lines)]);
  });

  test.each([
    ["the first 3 lines of README.md", "README.md", { limit: 3 }],
    ["show the first three lines of CHANGELOG.md", "CHANGELOG.md", { limit: 3 }],
    ["show me lines 10 through 20 of src/parser.ts", "src/parser.ts", { offset: 10, limit: 11 }],
    ["read src/parser.ts from line 4 to line 8", "src/parser.ts", { offset: 4, limit: 5 }],
    ["what is on line 2 of src/server/http.ts?", "src/server/http.ts", { offset: 2, limit: 1 }],
    ["Read the second line of README.md", "README.md", { offset: 2, limit: 1 }],
    ["head -n 5 README.md", "README.md", { limit: 5 }],
    ["print the first line of README.md", "README.md", { limit: 1 }],
    ["What is the last line of docs/intro.md?", "docs/intro.md", {}],
    ["read the last 3 lines of src/parser.ts", "src/parser.ts", {}],
  ])("%j", async (request, path, lines) => {
    expect(await callsFor(request)).toEqual([read(path, lines)]);
  });

  test("the last line is what the answer quotes", async () => {
    const { text } = await converse("What is the last line of config/app.yaml?", world(), { tools: declarations });
    expect(text).toContain("the last line\n   > debug: true\n");
    expect(text).not.toContain("8080");
  });
});

describe("what is not wanted keeps nothing from being read", () => {
  test.each([
    "Do not change notes.txt, just read it",
    "Don't edit notes.txt, just show it to me",
    "don't change notes.txt just read it",
    "do not touch notes.txt, only read it",
    "Never write to notes.txt; only print it",
    "Please don't overwrite notes.txt, I only want to see it",
    "I don't want you to change notes.txt, just show it",
    "Instead of editing notes.txt, just show it",
    "rather than changing notes.txt, print it",
    "You must not change notes.txt. Show that file.",
    "Without changing anything, show notes.txt",
    "Without changing anything show notes.txt",
    "Read notes.txt, but do not change it",
    'Do not write "x" to notes.txt, just read it and write "y" to b.txt',
  ])("%j", async (request) => {
    expect(await callsFor(request)).toEqual([read("notes.txt")]);
  });

  test("the pronoun may be its", async () => {
    expect(await callsFor("Don't touch README.md, print its first line")).toEqual([read("README.md", { limit: 1 })]);
  });

  test.each(["Do not read notes.txt", 'Do not delete notes.txt, just write "x" to it'])("%j", async (request) => {
    expect(await callsFor(request)).toEqual([]);
  });
});

describe("what is said for tools of a user", () => {
  const text = { type: "string" };
  const declare = (name: string, description: string, properties: object, required = Object.keys(properties)) =>
    ({ name, description, parameters: { type: "object", properties, required } }) as ToolDeclaration;
  const own = [
    declare("translate", "Translates a text.", { text, language: text, source_language: text }, ["text", "language"]),
    declare("transfer_money", "Transfers money between two accounts.", {
      amount: { type: "number" },
      currency: { type: "string", description: "Currency code." },
      from: text,
      to: text,
    }),
    declare("list_commits", "Lists commits of a repository.", { repo: text, limit: { type: "integer" } }, []),
    declare("post_message", "Posts a message to a channel.", { channel: text, body: text }),
    declare("add_note", "Adds a note.", { title: text, body: text }, ["body"]),
  ];
  const transfer = (amount: number, currency: string, from: string, to: string) =>
    call("transfer_money", { amount, currency, from, to });
  const mail = (subject: string, body: string) => call("send_mail", { to: ["bob@example.org"], subject, body });

  test.each([
    ["list the last 3 orders", call("find_orders", { limit: 3 })],
    ["what were the last three orders?", call("find_orders", { limit: 3 })],
    ["show the last 3 orders of customer Smith", call("find_orders", { customer: "Smith", limit: 3 })],
    ["list the 10 most recent commits in repo rondo", call("list_commits", { repo: "rondo", limit: 10 })],
    ["translate 'good morning' into French", call("translate", { text: "good morning", language: "French" })],
    [
      "translate good morning from English into French",
      call("translate", { text: "good morning", language: "French", source_language: "English" }),
    ],
    ["transfer 20 EUR from A to B", transfer(20, "EUR", "A", "B")],
    ["Transfer $30 from Alice to Bob", transfer(30, "USD", "Alice", "Bob")],
    ["please transfer 20 euros to savings from checking", transfer(20, "EUR", "checking", "savings")],
    ["Transfer 150.50 USD from account 'A-1' to account 'B-2'", transfer(150.5, "USD", "A-1", "B-2")],
    ["send a mail to bob@example.org with subject Hi that says see you at 5", mail("Hi", "see you at 5")],
    ["Send a mail to bob@example.org, subject: Lunch, body: Noon works.", mail("Lunch", "Noon works")],
    ['Mail bob@example.org with the subject Report and the text "All well"', mail("Report", "All well")],
    [
      "post a message in #general saying we are live",
      call("post_message", { channel: "#general", body: "we are live" }),
    ],
    ["add a note titled Shopping that says buy milk", call("add_note", { title: "Shopping", body: "buy milk" })],
  ])("%j", async (request, expected) => {
    expect(await callsFor(request, [...declarations, ...own])).toEqual([expected]);
  });

  test.each([
    "Should I transfer 20 EUR from A to B?",
    "Nobody should transfer 20 EUR from A to B",
    "Why transfer 20 EUR from A to B?",
    "transfer 20 EUR from A",
    "Bob said: transfer 20 EUR from A to B",
    "Do not transfer 20 EUR from A to B, just read it",
    "what is 'thank you' in Italian?",
    "post a message to everybody",
  ])("nothing is picked for %j", async (request) => {
    expect(await callsFor(request, [...declarations, ...own])).toEqual([]);
  });
});
