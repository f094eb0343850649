/** Steps that need what the step before came to, over the tools that come with Rondo and real files. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRuntime } from "../../src/agent/create-runtime.ts";
import { callsOf } from "../../src/message/message.ts";
import { call, readable } from "../../src/model/offline/offline.fixture.ts";
import { offline } from "../../src/model/offline/offline.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { allIn, makeWorkspace } from "../../src/tools/workspace.fixture.ts";

const files = {
  "README.md": "# Shop\nThere is a rate limit.\n",
  "a.txt": "  alpha\nbeta\n",
  "docs/intro.md": "# Intro\ncolours are grey\n",
  "src/price.ts": "export const price = 3; // TODO tax\n",
  "src/sum.ts": "export function add(a, b) {\n  return a + b;\n}\n",
  "src/use.ts": 'import { add } from "./sum.ts";\n// TODO use it\nadd(1, 2);\n',
};

/** What a request does in a fresh workspace: its calls, its answer, and how to look at a file. */
async function answered(request: string) {
  const { root, at } = makeWorkspace(files);
  const runtime = createRuntime({ workspace: root, model: offline() });
  const { messages, text } = await runtime.run(request, { tools: builtInTools }).result;
  const calls = messages.flatMap((one) => (one.role === "assistant" ? callsOf(one).map(readable) : []));
  const made = allIn(root).filter((path) => /\.\w+$/u.test(path) && !Object.hasOwn(files, path));
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
  return { calls, text, made, read };
}

const todos = "src/price.ts:1:export const price = 3; // TODO tax\nsrc/use.ts:2:// TODO use it";

describe("a pronoun stands for the result of the step before", () => {
  test.each([
    ["Compute 17*23 and write it to out.txt", "out.txt", "391"],
    ["Calculate (3 + 4) * 12, then save that as answer.txt", "answer.txt", "84"],
    ["What is 2 ** 10 - 24? Store it in sums/big.txt.", "sums/big.txt", "1000"],
    ["Read a.txt and write it to b.txt", "b.txt", files["a.txt"]],
    ["Show README.md, then put its contents into a new file called copy.md, please.", "copy.md", files["README.md"]],
    ["Read the first 2 lines of src/use.ts and save them to head.txt", "head.txt", files["src/use.ts"].slice(0, -12)],
    ["Search for TODO in src and write them to todo.txt", "todo.txt", todos],
    ["grep TODO in src, then save the matches in todo.txt", "todo.txt", todos],
    ["Find all TypeScript files and write them to list.txt", "list.txt", "src/price.ts\nsrc/sum.ts\nsrc/use.ts"],
    ["List docs and save the listing to list.txt", "list.txt", "intro.md (25 bytes)"],
    ["Read the file that defines price and write it to b.txt", "b.txt", files["src/price.ts"]],
  ])("%j", async (request, path, content) => {
    const { read, made } = await answered(request);
    expect(read(path)).toBe(content);
    expect(made).toEqual([path]);
  });
});

describe("what a step found is counted in its result", () => {
  test.each([
    ["List the files and count them", 'glob {"pattern":"**/*"}', "6 files"],
    ["List the entries of src, then count them", 'list_dir {"path":"src"}', "3 files"],
    ["Find all TypeScript files. How many are there?", 'glob {"pattern":"**/*.ts"}', "3 files"],
    [
      "Search for TODO in src and count the matches",
      'grep {"pattern":"TODO","path":"src"}',
      "2 matching lines in 2 files",
    ],
    ["Read src/sum.ts and count the lines", 'read_file {"path":"src/sum.ts"}', "3 lines"],
    ["Find the markdown files, then tell me how many there are", 'glob {"pattern":"**/*.md"}', "2 files"],
  ])("%j", async (request, made, counted) => {
    const { calls, text } = await answered(request);
    expect(calls).toEqual([made]);
    expect(text).toContain(`: ${counted} in the result of`);
    expect(text).toContain("I am not a language model");
  });

  test("and the number is handed on", async () => {
    const { read } = await answered("Find the markdown files and count them, then write the number to n.txt");
    expect(read("n.txt")).toBe("2");
  });

  test("nothing is counted that was not listed", async () => {
    const { calls, text } = await answered("Read a.txt and count them");
    expect(calls).toEqual([call("read_file", { path: "a.txt" })]);
    expect(text).toContain('Not done: "count them"');
  });
});

describe("a file that is told by what is in it is found before anything is done with it", () => {
  test.each([
    ["Show the file that contains TODO", "src/price.ts"],
    ["read the file that defines add", "src/sum.ts"],
    ["show me whichever file mentions grey", "docs/intro.md"],
    ["cat the file with TODO in it", "src/price.ts"],
    ["Let me see the file that defines add", "src/sum.ts"],
    ["Read the file that has the word tax in it", "src/price.ts"],
    ['Show the file having "rate limit" in it', "README.md"],
  ])("%j", async (request, path) => {
    const { calls } = await answered(request);
    expect(calls.map((one) => one.slice(0, one.indexOf(" ")))).toEqual(["grep", "read_file"]);
    expect(calls[1]).toBe(call("read_file", { path }));
  });

  test.each([
    ["Search for return in the file that defines add", call("grep", { pattern: "return", path: "src/sum.ts" })],
    [
      "Count the lines of the file that defines add",
      call("grep", { pattern: "^", path: "src/sum.ts", output: "count" }),
    ],
  ])("%j", async (request, last) => {
    const { calls } = await answered(request);
    expect(calls).toEqual([call("grep", { pattern: "add" }), last]);
  });

  test.each([
    "Show the file that does not contain TODO",
    "Read the file that was changed yesterday",
    "Read the file that Bob likes",
    "Read the file whose first line says Shop",
  ])("nothing is read for what no search can tell: %j", async (request) => {
    expect((await answered(request)).calls).toEqual([]);
  });
});
