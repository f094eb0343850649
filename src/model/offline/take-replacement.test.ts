import { expect, test } from "vitest";
import { builtInTools } from "../../tools/index.ts";
import { call, converse, declared } from "./offline.fixture.ts";

const tools = declared(builtInTools);
const edits = async (request: string, offered = tools) =>
  (await converse(request, () => "some TODO\n", { tools: offered })).calls.filter((made) =>
    made.startsWith("edit_file "),
  );
const edit = (path: string, ...pairs: readonly (readonly [string, string])[]) =>
  call("edit_file", { path, edits: pairs.map(([old_string, new_string]) => ({ old_string, new_string })) });

test.each([
  "Change 'hello' to uppercase in notes.txt",
  "Change 'hello' to bold in notes.txt",
  "Change 'hello' to UPPERCASE in notes.txt",
  "Change 'hello' to French in notes.txt",
  "Change hello_world to UPPERCASE in notes.txt",
  "Change 'hello' in line 2 to 'bye' in notes.txt",
  "Replace 'hello' with 'bye' in the last line of notes.txt",
  "Replace 'hello' with 'bye' at the end of notes.txt",
  "Replace the second 'hello' with 'bye' in notes.txt",
  "Replace the line 'hello' with 'bye' in notes.txt",
  "Replace the line containing 'hello' with 'bye' in notes.txt",
  "Replace whole word 'hello' with 'bye' in notes.txt",
  "Replace the regex 'h.*o' with 'bye' in notes.txt",
  "Replace 'hello' with 'bye' in notes.txt, ignoring case",
  "Replace 'hello' with 'bye' twice in notes.txt",
  "Replace 'hello' with 'bye' in a copy of notes.txt",
  "Replace 'hello' with 'bye' in notes.txt except in comments",
  "Replace 'hello' with 'bye' only in the heading of notes.txt",
  "Replace 'hello' with 'bye'. Only in the heading of notes.txt.",
  "Substitute 'bye' for 'hello' in notes.txt",
  "Swap 'hello' and 'bye' in notes.txt",
  "Replace hello with bye in notes.txt",
  "Replace tabs with spaces in notes.txt",
  "Change hello to HELLO in notes.txt",
  "Replace 'hello' with TODO in notes.txt",
  "Replace 'hello' with 'bye' in \uE100 notes.txt",
  "Edit notes.txt",
  "notes.txt: 'hello' by 'bye'",
  "Replace 'hello' in a.txt with 'bye' in notes.txt",
])("what is not understood to the last word is not edited: %s", async (request) => {
  expect(await edits(request)).toEqual([]);
});

test.each<[string, string]>([
  ["Replace 'hello' with 'bye' in notes.txt", edit("notes.txt", ["hello", "bye"])],
  ["In notes.txt, change 'hello' to 'bye'.", edit("notes.txt", ["hello", "bye"])],
  ["Please change `hello` in notes.txt to `bye`.", edit("notes.txt", ["hello", "bye"])],
  ["Edit notes.txt: replace 'hello' by 'bye'", edit("notes.txt", ["hello", "bye"])],
  ["Edit notes.txt and replace 'hello' by 'bye'", edit("notes.txt", ["hello", "bye"])],
  ["notes.txt: replace 'hello' by 'bye'", edit("notes.txt", ["hello", "bye"])],
  ["Replace 'hello' by 'bye' in the notes.txt file", edit("notes.txt", ["hello", "bye"])],
  ["Replace 'hello' by 'bye' in my file notes.txt", edit("notes.txt", ["hello", "bye"])],
  ["Use edit_file to replace 'hello' by 'bye' in notes.txt", edit("notes.txt", ["hello", "bye"])],
  ["Turn the text 'hello' into 'bye' in the file notes.txt", edit("notes.txt", ["hello", "bye"])],
  ["Replace 'a' by 'b' and 'c' by 'd' in notes.txt", edit("notes.txt", ["a", "b"], ["c", "d"])],
  ["Replace 'a.txt' with 'b.txt' in notes.txt", edit("notes.txt", ["a.txt", "b.txt"])],
  ["Replace TODO by DONE in notes.txt", edit("notes.txt", ["TODO", "DONE"])],
  ["Rename parseDate to readDate in src/a.ts", edit("src/a.ts", ["parseDate", "readDate"])],
  ["Change 12 to 13 in notes.txt", edit("notes.txt", ["12", "13"])],
  [
    "Replace all occurrences of 'hello' with 'bye' in notes.txt",
    call("edit_file", { path: "notes.txt", edits: [{ old_string: "hello", new_string: "bye", replace_all: true }] }),
  ],
])("a plain demand to replace a text is done: %s", async (request, expected) => {
  expect(await edits(request)).toEqual([expected]);
});

test("one edit goes to a tool that takes only one, two do not", async () => {
  const text = { type: "string" } as const;
  const parameters = {
    type: "object",
    properties: { file: text, search: text, replacement: text },
    required: ["file", "search", "replacement"],
  } as const;
  const one = [{ name: "edit_file", description: "Replaces a text in a file.", parameters }];
  expect(await edits("Replace 'a' by 'b' in x.txt", one)).toEqual([
    call("edit_file", { file: "x.txt", search: "a", replacement: "b" }),
  ]);
  expect(await edits("Change 'a' to italics in x.txt", one)).toEqual([]);
  expect(await edits("Replace 'a' by 'b' and 'c' by 'd' in x.txt", one)).toEqual([]);
});

test("a clause full of quotes and files is read at once", async () => {
  const request = `Replace ${"'a' by 'b' and ".repeat(90)}'c' in ${"x.txt and ".repeat(90)}${" ".repeat(900)}y`;
  expect(await edits(request)).toEqual([]);
});
