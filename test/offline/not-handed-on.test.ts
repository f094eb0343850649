/** Requests in which "it" is no known and whole text, or is to be altered first: nothing may be written. */
import { describe, expect, test } from "vitest";
import { createRuntime } from "../../src/agent/create-runtime.ts";
import { call, converse, user } from "../../src/model/offline/offline.fixture.ts";
import { offline } from "../../src/model/offline/offline.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { allIn, makeWorkspace } from "../../src/tools/workspace.fixture.ts";
import { declarations } from "./declarations.ts";

const many = Array.from({ length: 2_100 }, (_, index) => `line ${index + 1}`).join("\n");
const files = {
  "README.md": "# Shop\n",
  "a.txt": "alpha\nbeta\n",
  "empty.txt": "",
  "long.txt": many,
  "src/sum.ts": "export function add(a, b) {}\n// TODO types\n",
  "windows.txt": "one\r\ntwo\r\n",
};

test.each([
  "Write it to b.txt",
  "Save that as b.txt",
  "Read missing.txt and write it to b.txt",
  "Read a.txt, tell me a joke and write it to b.txt",
  "Read a.txt, then summarise the news and write the result to b.txt",
  "Read a.txt. It is nice. Write it to b.txt.",
  "Read a.txt and README.md and write them to b.txt",
  "Read a.txt, read README.md, and write them to b.txt",
  "Read a.txt and write them to b.txt",
  "Read a.txt and write it in capitals to b.txt",
  "Read a.txt and write it to b.txt as French",
  "Read a.txt and translate it into French and write it to b.txt",
  "Read a.txt and write it without the first line to b.txt",
  "Read a.txt and write it to the end of README.md",
  "Read a.txt and write the result backwards to b.txt",
  "Read a.txt and write what it says about alpha to b.txt",
  "Read a.txt and write it to b.txt and c.txt",
  "Read a.txt and write it",
  "Read a.txt and save it in docs",
  "Read a.txt and open it in b.txt",
  "Read the last line of a.txt and write it to b.txt",
  "Read long.txt and write it to b.txt",
  "Read windows.txt and write it to b.txt",
  "Read empty.txt and write it to b.txt",
  "Find README.md and write it to b.txt",
  "Find the file that defines add and save it to b.txt",
  "Find the longest file in src and write it to b.txt",
  "Search for nothingsuch in src and write them to b.txt",
  "Search for TODO in src, search for add in src and write them to b.txt",
  "Search for TODO in src and write the contents to b.txt",
  "Search for TODO in src and write them to b.txt, but not yet",
  "Read a.txt and write the number to b.txt",
  "Read a.txt, list src. Write the content to b.txt.",
  "Find the files without TODO and write them to b.txt",
  "Show the file that does not define add and write it to b.txt",
  "Read a.txt. Should I write it to b.txt?",
  "Read a.txt and write it to b.txt if it is short",
  "My boss wants me to read a.txt and write it to b.txt",
  "Explain how to compute 17*23 and write it to b.txt",
  "Compute 17*x and write it to b.txt",
  'The word is "hi". Compute 17*x and write it to b.txt',
])("nothing is written: %j", async (request) => {
  const { root } = makeWorkspace(files);
  const runtime = createRuntime({ workspace: root, model: offline() });
  const { messages, text } = await runtime.run(request, { tools: builtInTools }).result;
  expect(
    messages.flatMap((one) => (one.role === "tool" && /^(?:write|edit)/u.test(one.toolName) ? [one] : [])),
  ).toEqual([]);
  expect(allIn(root)).toEqual(allIn(makeWorkspace(files).root));
  expect(text).toContain("I am not a language model");
});

describe("what an earlier message came to", () => {
  const write = call("write_file", { path: "b.txt", content: "391" });
  const answer = ({ name }: { readonly name: string }) => (name === "run_code" ? "391" : "ok");
  const asking = async (...requests: readonly string[]) => {
    let messages = [user(requests[0]!)];
    const calls: string[] = [];
    for (const next of [...requests.slice(1), undefined]) {
      const said = await converse(messages, answer, { tools: declarations });
      calls.push(...said.calls);
      messages = next === undefined ? said.messages : [...said.messages, user(next)];
    }
    return calls;
  };

  test("is handed on, where the whole of it was done", async () => {
    expect((await asking("Compute 17*23", "Write it to b.txt")).at(-1)).toBe(write);
    expect((await asking("Compute 17*23", "Write the result to b.txt")).at(-1)).toBe(write);
  });

  test("is counted", async () => {
    expect(await asking("List src", "Count them")).toEqual([call("list_dir", { path: "src" })]);
  });

  test.each([
    [["Compute 17*23", "Tell me a poem", "Write it to b.txt"]],
    [["Compute 17*23, then tell me a poem", "Write it to b.txt"]],
    [['Write "x" to a.txt', "Write it to b.txt"]],
  ])("is not, where it is something else: %j", async (requests) => {
    expect((await asking(...requests)).filter((one) => one.includes("b.txt"))).toEqual([]);
  });

  test("is not, where another model had the last word", async () => {
    const first = await converse("Compute 17*23", answer, { tools: declarations });
    const messages = first.messages.map((one) => (one.role === "assistant" ? { ...one, model: "other/model" } : one));
    const { calls } = await converse([...messages, user("Write it to b.txt")], answer, { tools: declarations });
    expect(calls).toEqual([]);
  });
});
