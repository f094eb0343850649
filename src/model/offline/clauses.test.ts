import { expect, test } from "vitest";
import { clausesOf } from "./clauses.ts";

test.each([
  ["Read a.ts", ["Read a.ts"]],
  ["Find the file, then read it.", ["Find the file", "read it"]],
  ["Find the file and then read it", ["Find the file", "read it"]],
  [
    "Find the longest file, read its head, then list what it exports.",
    ["Find the longest file", "read its head", "list what it exports"],
  ],
  ["Read a.ts; list src", ["Read a.ts", "list src"]],
  ["Read a.ts. List src. What is in docs?", ["Read a.ts", "List src", "What is in docs"]],
  ["1. Read a.ts\n2. List src", ["Read a.ts", "List src"]],
  ["1. Read a.ts 2. List src", ["Read a.ts", "List src"]],
  ["- Read a.ts\n- List src", ["Read a.ts", "List src"]],
  ["Read a.ts and list src", ["Read a.ts", "list src"]],
  ["What is the weather in Rome and what is in docs?", ["What is the weather in Rome", "what is in docs"]],
  ["Please, could you read a.ts?", ["read a.ts"]],
  ["Hi! Read a.ts. Thanks!", ["Read a.ts"]],
  ['Send "Come, then read. Bye; now" to Bob', ['Send "Come, then read. Bye; now" to Bob']],
  ["Search and replace x", ["Search and replace x"]],
  ["Open e.g. a.ts", ["Open e.g. a.ts"]],
  ["Hello there!", []],
  ["", []],
  ["?!…", []],
])("%j", (request, expected) => {
  expect(clausesOf(request).map(({ text }) => text)).toEqual(expected);
});

test.each([
  ["Don't send it", "negated"],
  ["Never delete a.ts", "negated"],
  ["If it rains, send an email", "condition"],
  ["How do I send an email?", "question"],
  ["Should I send it?", "question"],
  ["Send it", undefined],
  ["How many files are there?", undefined],
])("%j is barred as %s", (request, barred) => {
  expect(clausesOf(request).map((clause) => clause.barred)).toEqual([barred]);
});

test("what comes behind a but is a clause of its own", () => {
  expect(clausesOf("Read a.ts but don't send it")).toEqual([
    { text: "Read a.ts" },
    { text: "don't send it", barred: "negated" },
  ]);
});
