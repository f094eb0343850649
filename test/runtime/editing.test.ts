import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRuntime, type RuntimeOptions } from "../../src/index.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";

/** A runtime in a folder with these files, whose model makes these calls, one a round. */
function workIn(
  files: { readonly [name: string]: string },
  calls: readonly [string, object][],
  options: RuntimeOptions = {},
) {
  const workspace = mkdtempSync(join(tmpdir(), "rondo-editing-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  const steps = calls.map(([name, args]) => ({ calls: [{ name, arguments: args }] }) as ScriptEntry);
  const model = scripted([...steps, "done"]);
  const results = () =>
    (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
      message.role === "tool" ? [{ text: message.content[0], isError: message.isError }] : [],
    );
  const runtime = createRuntime({ workspace, model, ...options });
  return { runtime, results, read: (name: string) => readFileSync(join(workspace, name), "utf8") };
}

test("a bare exec can read, edit and write files", async () => {
  const { runtime, results, read } = workIn({ "a.txt": "one\ntwo\n" }, [
    ["read_file", { path: "a.txt" }],
    ["edit_file", { path: "a.txt", edits: [{ old_string: "two", new_string: "2" }] }],
    ["write_file", { path: "notes/b.txt", content: "new\n" }],
    ["write_file", { path: "a.txt", content: "all new\n" }],
  ]);
  expect(await runtime.exec("go")).toBe("done");
  expect(results().map(({ isError }) => isError)).toEqual([false, false, false, false]);
  expect([read("a.txt"), read("notes/b.txt")]).toEqual(["all new\n", "new\n"]);
});

test("what is wrong is a result that the model can act on, and the run goes on", async () => {
  const { runtime, results, read } = workIn({ "a.txt": "one\n" }, [
    ["write_file", { path: "a.txt", content: "x" }],
    ["edit_file", { path: "a.txt", old_string: "two", new_string: "2" }],
    ["edit_file", { path: "a.txt", oldText: "one", newText: "1" }],
    ["write_file", { path: ".github/workflows/x.yml", content: "x" }],
    ["write_file", { path: "b.txt" }],
    ["write_file", { path: ["b.txt"], content: { a: 1 } }],
  ]);
  expect(await runtime.exec("go")).toBe("done");
  expect(results().every(({ isError }) => isError)).toBe(true);
  const texts = results().map(({ text }) => JSON.stringify(text));
  for (const [i, part] of ["Read it first", "old_string is not in", "oldText", "is not written", "content"].entries())
    expect(texts[i]).toContain(part);
  expect(read("a.txt")).toBe("one\n");
});

test("allowSecrets opens secret files to the readers too, allowUnsafePaths the others to the writers", async () => {
  const calls: [string, object][] = [
    ["read_file", { path: ".env" }],
    ["grep", { pattern: "KEY" }],
    ["glob", { pattern: "*" }],
    ["list_dir", {}],
    ["write_file", { path: ".envrc", content: "x" }],
  ];
  const closed = workIn({ ".env": "KEY=1\n" }, calls);
  await closed.runtime.exec("go");
  expect(closed.results().map(({ isError }) => isError)).toEqual([true, false, false, false, true]);
  expect(JSON.stringify(closed.results())).not.toContain("KEY=1");
  const open = workIn({ ".env": "KEY=1\n" }, calls, { allowSecrets: true, allowUnsafePaths: true });
  await open.runtime.exec("go");
  expect(open.results().map(({ text }) => (text as { text: string }).text)).toEqual([
    "KEY=1\n",
    ".env:1:KEY=1",
    ".env",
    ".env (6 bytes)",
    'Created ".envrc" (1 line, 1 byte).',
  ]);
});
