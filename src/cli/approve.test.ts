import { expect, test } from "vitest";
import { createRuntime } from "../agent/create-runtime.ts";
import type { ApprovalRequest } from "../agent/options.ts";
import { approver } from "./approve.ts";
import { call } from "./report.fixture.ts";

function request(args: unknown = { path: "a.ts" }, signal = new AbortController().signal): ApprovalRequest {
  return { call, runtime: createRuntime(), arguments: args, runId: "r", path: "", signal };
}

test("--yes approves without asking", async () => {
  const approve = approver(true, () => Promise.reject(new Error("asked")));
  expect(await approve(request())).toBe(true);
});

test("nobody there: denied, with the reason", async () => {
  expect(await approver(false, undefined)(request())).toEqual({
    approved: false,
    reason: "nobody is there to approve it (rondo run --yes approves every call)",
  });
});

test.each([
  ["y", true],
  ["Yes ", true],
  ["", false],
  ["n", false],
  ["yellow", false],
  [undefined, false],
])("answer %j: %s", async (answer, approved) => {
  const given = await approver(false, async () => answer)(request());
  expect(typeof given === "boolean" ? given : given.approved).toBe(approved);
});

test("the person sees the arguments that would run, harmless and cut", async () => {
  const questions: string[] = [];
  const approve = approver(false, async (question) => {
    questions.push(question);
    return "y";
  });
  await approve(request({ text: "\u001b[2Jhidden", long: "x".repeat(10_000) }));
  expect(questions[0]).toMatch(/^read_file \{\n {2}"text": /);
  expect(questions[0]).not.toContain("\u001b");
  expect(questions[0]).toMatch(/… \d+ more characters\nRun this\? \[y\]es \/ \[N\]o $/);
});

test("what a call would change is shown in place of its arguments, harmless too", async () => {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return "y";
  };
  const approve = approver(false, ask, () => ({
    change: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\u001b[2Jb",
  }));
  expect(await approve(request())).toBe(true);
  expect(questions).toEqual(["read_file\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\\x1b[2Jb\nDo this? [y]es / [N]o "]);
});

test("a call that would come to nothing is denied with the reason, and nobody is asked", async () => {
  const approve = approver(
    false,
    () => Promise.reject(new Error("asked")),
    () => ({ problem: '"a.txt" is a folder.' }),
  );
  expect(await approve(request())).toEqual({
    approved: false,
    reason: 'there is nothing to ask the user about: "a.txt" is a folder.',
  });
});

test("calls are asked about one after the other, also behind one that failed", async () => {
  const log: string[] = [];
  let open = 0;
  const approve = approver(false, async () => {
    log.push(`open ${++open}`);
    await Promise.resolve();
    open--;
    if (log.length === 1) throw new Error("terminal gone");
    return "y";
  });
  const settled = await Promise.allSettled([approve(request()), approve(request()), approve(request())]);
  expect(settled.map((answer) => answer.status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(log).toEqual(["open 1", "open 1", "open 1"]);
});

test("a call that nobody waits for any more is not asked about", async () => {
  const approve = approver(false, () => Promise.reject(new Error("asked")));
  expect(await approve(request({}, AbortSignal.abort()))).toBe(false);
});

test("the question is to be shown as it is", async () => {
  const exact: unknown[] = [];
  await approver(false, async (_question, _signal, all) => void exact.push(all))(request());
  expect(exact).toEqual([true]);
});

test("what is hidden in a change or in arguments is written out", async () => {
  const questions: string[] = [];
  const ask = async (question: string) => void questions.push(question);
  await approver(false, ask, () => ({ change: "+a\r\u2028b\u202e\u200bc" }))(request());
  await approver(false, ask)(request({ text: "a\u2029b\u2066\u009b" }));
  expect(questions[0]).toContain("+a\\r\\u2028b\\u202e\\u200bc\n");
  expect(questions[1]).toContain('"a\\u2029b\\u2066\\x9b"');
});

test.each([
  ["r", true, { approved: true, scope: "run" }],
  [" Run", false, { approved: true, scope: "run" }],
  ["a", true, { approved: true, scope: "always" }],
  ["ALWAYS ", true, { approved: true, scope: "always" }],
  ["a", false, { approved: false, reason: "the user said no" }],
  ["ra", true, { approved: false, reason: "the user said no" }],
])("answer %j, with a place to keep it: %s", async (answer, canStore, given) => {
  const ask = async () => answer;
  expect(await approver(false, ask, undefined, canStore)({ ...request(), rule: "read_file(a.ts)" })).toEqual(given);
  // What a yes for more than this call would cover cannot be said: it is not offered, and no.
  expect(await approver(false, ask, undefined, canStore)(request())).toMatchObject({ approved: false });
});

test("what a yes for more than this call covers is shown, harmless and cut", async () => {
  const questions: string[] = [];
  const ask = async (question: string) => void questions.push(question);
  await approver(false, ask)({ ...request(), rule: "read_file(a\n\u001b[2J.ts)" });
  await approver(false, ask, undefined, true)({ ...request(), rule: "x".repeat(10_000), path: "1/0" });
  expect(questions[0]).toMatch(
    /Run this\? \[y\]es \/ \[N\]o \/ \[r\]un \(this run\): read_file\(a\\n\\x1b\[2J\.ts\) $/,
  );
  expect(questions[1]).toMatch(/^read_file \(nested, at 1\/0\) /);
  expect(questions[1]).toMatch(/ \/ \[a\]lways: x{200}… \(just these arguments\) $/);
});
