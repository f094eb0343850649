/** What changes something is only called where one thing is meant, and all that is said of it is understood. */
import { describe, expect, test } from "vitest";
import { builtInTools } from "../../tools/index.ts";
import { converse, declared, type Tools } from "./offline.fixture.ts";

const cancel = {
  name: "cancel_order",
  description: "Cancels an order.",
  parameters: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
};
const orders = {
  name: "find_orders",
  description: "Finds orders of a customer.",
  parameters: { type: "object", properties: { customer: { type: "string" } }, required: ["customer"] },
  readOnly: true,
};
const tools = [...declared(builtInTools), orders, cancel];
const changing = /^(?:write_file|edit_file|cancel_order) /u;

/** What is called to change something, where searches find so many files or orders. */
async function changes(request: string, found: number): Promise<readonly string[]> {
  const files = ["src/a.ts", "src/b.ts"].slice(0, found);
  const answer: Tools = ({ name, arguments: args }) => {
    if (name === "find_orders")
      return { json: [{ order_id: "ORD-1" }, { order_id: "ORD-2" }].slice(0, found) as { order_id: string }[] };
    if (name === "grep" && args.output !== "files") return files.map((file) => `${file}:1:// TODO`).join("\n");
    return name === "glob" || name === "grep" ? files.join("\n") : "some TODO\n";
  };
  return (await converse(request, answer, { tools })).calls.filter((call) => changing.test(call));
}

describe("of several things that were found none is what is meant", () => {
  test.each([
    'Search for "TODO" and replace "TODO" with "DONE" in it',
    'Search for "TODO" and replace "TODO" with "DONE" in the file',
    'Find the file that contains TODO and replace "TODO" with "DONE" in it',
    'Find all ts files, then replace "TODO" with "DONE" in it',
    'Find a.ts and write "x" to it',
    "Find the orders of customer Ann, then cancel it",
  ])("%s", async (request) => {
    expect(await changes(request, 2)).toEqual([]);
    expect(await changes(request, 1)).toHaveLength(1);
  });

  test.each(['Read a.txt and b.txt, then replace "a" with "b" in it', 'Read a.txt, b.txt and write "x" to it'])(
    "nor of several that were read: %s",
    async (request) => {
      expect(await changes(request, 2)).toEqual([]);
    },
  );

  test("but one that is named by its place, or told by what it does", async () => {
    const first = 'Find the files that mention TODO and replace "TODO" with "DONE" in the first one';
    expect(await changes(first, 2)).toHaveLength(1);
    const definer: Tools = ({ name }) =>
      name === "grep" ? "src/a.ts:1:parse();\nsrc/b.ts:1:function parse() {" : "some TODO\n";
    const request = 'Find the file that defines parse and replace "TODO" with "DONE" in it';
    expect((await converse(request, definer, { tools })).calls.at(-1)).toContain('"path":"src/b.ts"');
  });
});

test.each(['Create a file x.txt with "hello" and "world"', 'Create x.txt with "hello", "world" and "you"'])(
  "no text is written over another of the same demand: %s",
  async (request) => {
    expect(await changes(request, 1)).toEqual([]);
  },
);

test.each([
  'Write "a" to x.txt tomorrow',
  'Replace "a" with "b" in x.txt every day',
  "Cancel order ORD-1 in 5 minutes",
  "Cancel the order ORD-1 next week",
  "Cancel all orders except ORD-1",
  "Cancel the orders other than ORD-1",
  "Cancel order ORD-1 on 2030-01-02",
  "Cancel order ORD-1 of ann@example.org",
])("what the call would not heed keeps it from being made: %s", async (request) => {
  expect(await changes(request, 1)).toEqual([]);
});

test("but it is made where nothing is left out", async () => {
  expect(await changes("Cancel order ORD-1", 1)).toEqual(['cancel_order {"order_id":"ORD-1"}']);
  expect(await changes('Write "see you tomorrow, in 5 minutes" to x.txt', 1)).toHaveLength(1);
});

describe("what is said behind a demand may limit it: then nothing is changed", () => {
  const edit = 'Replace "a" with "b" in x.txt';
  test.each([
    `${edit} but not the first`,
    `${edit} but in uppercase`,
    `${edit}, but twice`,
    `${edit}, the second one`,
    `${edit}. The second one.`,
    `${edit}; skip comments`,
    `${edit}. Skip the comments.`,
    `${edit}. Ignore case.`,
    `${edit}. Match whole words.`,
    `${edit}. Case-insensitively.`,
    'Write "a" to x.txt. In capitals.',
    'Write "a" to x.txt. At the end.',
    'Write "a" to x.txt. Append.',
  ])("%s", async (request) => {
    expect(await changes(request, 1)).toEqual([]);
  });

  test.each([
    `${edit}, but do not send it`,
    `${edit}, but read y.txt first`,
    `${edit}. Thank you very much!`,
    `${edit}. Then read it.`,
    `${edit}. Show me the result.`,
    `${edit}. What does it say now?`,
    `${edit}. This is for the release.`,
    `${edit}; read y.txt`,
    `Read y.txt. ${edit}. Read x.txt.`,
    `${edit}. Best regards, Bob`,
  ])("but not everything does: %s", async (request) => {
    expect(await changes(request, 1)).toHaveLength(1);
  });
});
