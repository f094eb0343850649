import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRuntime, type JsonObject, tool } from "../index.ts";
import { scripted } from "../testing/index.ts";
import { allIn, makeWorkspace } from "../tools/workspace.fixture.ts";
import { approver } from "./approve.ts";
import { foresee } from "./preview.ts";

type Call = { readonly name: string; readonly arguments: JsonObject };

const write = (path: string, content: string): Call => ({ name: "write_file", arguments: { path, content } });
const read = (path: string): Call => ({ name: "read_file", arguments: { path } });
const edit = (path: string, from: string, to: string): Call => ({
  name: "edit_file",
  arguments: { path, old_string: from, new_string: to },
});

/** A person who says yes to everything; the questions are put on the list. */
const yesTo = (questions: string[]) => async (question: string) => {
  questions.push(question);
  return "y";
};

/**
 * Runs the calls one after the other as the command does; `answer` is what a person answers, called with the question.
 * Gives what the person was asked and what the model read of the last call.
 */
async function asked(workspace: string, calls: readonly Call[], answer: (question: string) => string = () => "y") {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answer(question);
  };
  const runtime = createRuntime({
    workspace,
    model: scripted([...calls.map((call) => ({ calls: [call] })), "done"]),
    requiresApproval: ["write_file", "edit_file"],
    approve: approver(false, ask, (request) => foresee(request, runtime.workspace)),
  });
  const { messages } = await runtime.run("go").result;
  const last = messages.findLast((message) => message.role === "tool");
  return { questions, last: JSON.stringify(last?.content) };
}

test("a write is asked about as what it changes", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "one\r\ntwo\r\n" });
  const made = await asked(root, [write("new/b.txt", "x\n")]);
  expect(made.questions).toEqual([
    "write_file\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+x\nDo this? [y]es / [N]o / [r]un (this run): write_file(new/b.txt) ",
  ]);
  const edited = await asked(root, [edit("a.txt", "two", "2")], () => "n");
  expect(edited.questions[0]).toMatch(/\n one\n-two\n\+2\nDo this/);
  expect(edited.last).toContain("the user said no");
  const replaced = await asked(root, [read("a.txt"), write("a.txt", "one\nthree\n")]);
  expect(replaced.questions[0]).toMatch(/\n one\n-two\n\+three\nDo this/);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\r\nthree\r\n");
});

test("nobody is asked about a write that would fail, and the model is told why it would", async () => {
  const { root, outside, at } = makeWorkspace({
    "a.txt": "one\n",
    "long.txt": "line\n".repeat(5_000),
    ".env": "KEY=1",
    "b.bin": "a\0b",
  });
  symlinkSync(`${outside}/private.txt`, at("link.txt"));
  mkdirSync(at("folder"));
  writeFileSync(at("huge.txt"), "x".repeat(11e6));
  const before = allIn(root);
  const cases: (readonly [calls: readonly Call[], because: string])[] = [
    [[write("a.txt", "x")], "was not read in this run"],
    [[read("long.txt"), write("long.txt", "x")], "Only a part of"],
    [[read("a.txt"), write("a.txt", "one\n")], "has this content already"],
    [[write(".env", "x")], "secrets"],
    [[write("../x.txt", "x")], "outside of the workspace"],
    [[write("link.txt", "x")], "outside of the workspace"],
    [[write("folder", "x")], "is a folder"],
    [[write("a.txt/b", "x")], "is a file, not a folder"],
    [[write("b.bin", "x")], "binary file"],
    [[write("huge.txt", "x")], "10.5 MB"],
    [[write("c.txt", "#!/bin/sh\n\0")], "NUL character"],
    [[write(".git/hooks/x", "x")], "version control"],
    [[write("", "x")], "is empty"],
    [[edit("a.txt", "none", "x")], "old_string is not in"],
    [[edit("a.txt", "one", "one")], "are equal"],
    [[edit("a.tx", "one", "two")], 'Did you mean \\"a.txt\\"?'],
    [[edit("no/b.txt", "one", "two")], "does not exist"],
  ];
  for (const [calls, because] of cases) {
    const { questions, last } = await asked(root, calls);
    expect([because, questions]).toEqual([because, []]);
    expect(last).toContain("Denied: there is nothing to ask the user about: ");
    expect(last).toContain(because);
  }
  expect(allIn(root)).toEqual(before);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
});

test("what the run has read is known in runs inside it as well", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "one\n" });
  const inner = tool({
    name: "inner",
    execute: (_, { runtime }) =>
      runtime.exec("go", { model: scripted([{ calls: [write("a.txt", "two\n")] }, "ok"]), toolset: "full" }),
  });
  const questions: string[] = [];
  const ask = yesTo(questions);
  const runtime = createRuntime({
    workspace: root,
    tools: [inner],
    model: scripted([{ calls: [read("a.txt")] }, { calls: [{ name: "inner" }] }, "done"]),
    requiresApproval: ["write_file"],
    approve: approver(false, ask, (request) => foresee(request, runtime.workspace)),
  });
  await runtime.exec("go");
  expect(questions).toHaveLength(1);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("two\n");
});

test("a file that has gone since it was read: told once, then it may be made anew", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "one\n" });
  const remove = tool({ name: "remove", execute: async () => (await import("node:fs")).rmSync(at("a.txt")) });
  const questions: string[] = [];
  const ask = yesTo(questions);
  const runtime = createRuntime({
    workspace: root,
    tools: [remove],
    model: scripted([
      { calls: [read("a.txt")] },
      { calls: [{ name: "remove" }] },
      { calls: [write("a.txt", "two\n")] },
      { calls: [write("a.txt", "two\n")] },
      "done",
    ]),
    requiresApproval: ["write_file"],
    approve: approver(false, ask, (request) => foresee(request, runtime.workspace)),
  });
  const { messages } = await runtime.run("go").result;
  expect(JSON.stringify(messages)).toContain("was deleted by somebody else");
  expect(questions).toHaveLength(1);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("two\n");
});

test("a write that would have failed does not go through because the cause is gone by then", async () => {
  const { root, at } = makeWorkspace({ folder: "a file in the way" });
  const runtime = createRuntime({
    workspace: root,
    model: scripted([{ calls: [write("folder/a.txt", "x")] }, "done"]),
    requiresApproval: ["write_file"],
    approve: async (request) => {
      const approve = approver(
        false,
        () => Promise.reject(new Error("asked")),
        (one) => foresee(one, root),
      );
      const answer = await approve(request);
      (await import("node:fs")).rmSync(at("folder"));
      return answer;
    },
  });
  await runtime.exec("go");
  expect(existsSync(at("folder"))).toBe(false);
});

test("a yes is for what was shown: a file that changed meanwhile is not edited", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "debug = x\n" });
  const { questions, last } = await asked(root, [edit("a.txt", "x", "true")], (question) => {
    expect(question).toContain("+debug = true");
    writeFileSync(at("a.txt"), "allow_everything = x\n");
    return "y";
  });
  expect(questions).toHaveLength(1);
  expect(last).toContain("was changed by somebody else while the user was asked");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = x\n");
});

test("a tool of somebody else may have the same name, and is asked about with its arguments", async () => {
  const { root } = makeWorkspace();
  const questions: string[] = [];
  const ask = yesTo(questions);
  const own = tool({ name: "write_file", input: { type: "object" }, execute: () => "ok" });
  const runtime = createRuntime({
    workspace: root,
    model: scripted([{ calls: [write("../x", "x")] }, "done"]),
    requiresApproval: ["write_file"],
    approve: approver(false, ask, (request) => foresee(request, root)),
  });
  await runtime.exec("go", { tools: [own] });
  expect(questions[0]).toMatch(/^write_file \{/);
});

test("elsewhere than in the folder of the command it is said where", async () => {
  const { root, outside } = makeWorkspace();
  const ask = async (question: string) => {
    expect(question).toContain(`write_file\n(in ${root})\n--- /dev/null`);
    return "n";
  };
  const runtime = createRuntime({
    workspace: root,
    model: scripted([{ calls: [write("a.txt", "x")] }, "done"]),
    requiresApproval: ["write_file"],
    approve: approver(false, ask, (request) => foresee(request, outside)),
  });
  expect(await runtime.exec("go")).toBe("done");
});
