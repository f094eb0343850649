import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ExecOptions } from "../agent/options.ts";
import { createRuntime, tool } from "../index.ts";
import { textOf } from "../message/message.ts";
import { scripted } from "../testing/index.ts";
import { makeWorkspace } from "./workspace.fixture.ts";

const read = (args: object = {}) => ({ name: "read_file", arguments: { path: "a.txt", ...args } });
const write = (content = "new\n") => ({ name: "write_file", arguments: { path: "a.txt", content } });
const edit = (old_string: string, new_string: string) => ({
  name: "edit_file",
  arguments: { path: "a.txt", old_string, new_string },
});

/** Lets a model make these replies of calls; gives the results of each, and what is then in the file. */
async function made(
  content: string,
  replies: readonly (readonly object[])[],
  contextTokens?: number,
  options: ExecOptions = { toolset: "full" },
) {
  const { root, at } = makeWorkspace({ "a.txt": content });
  const script = [...replies.map((calls) => ({ calls: calls as never })), "done"];
  const model = scripted(script, contextTokens === undefined ? {} : { contextTokens });
  const runtime = createRuntime({ model, workspace: root });
  const { messages } = await runtime.run("go", options).result;
  const results = messages.flatMap((message) => (message.role === "tool" ? [textOf(message)] : []));
  return { results, now: readFileSync(at("a.txt"), "utf8") };
}

test("a line that was shown cut is not known until it is read alone", async () => {
  const content = `first\n${"x".repeat(9_000)}\nlast\n`;
  const { results, now } = await made(content, [[read()], [write()], [read({ offset: 2, limit: 1 })], [write()]]);
  expect(results[1]).toBe(
    'Only a part of "a.txt" was read in this run, so it is not replaced: what you have not seen would be lost. Line 2 has 9,000 bytes and was not shown whole: read it alone first (offset 2, limit 1), or change a part of it with edit_file.',
  );
  expect(results[2]).toContain("x".repeat(9_000));
  expect(now).toBe("new\n");
});

test("a line that cannot be shown whole keeps its file from being replaced", async () => {
  const content = `first\n${"x".repeat(40_000)}\n`;
  const { results, now } = await made(content, [[read()], [read({ offset: 2, limit: 1 })], [write()]]);
  expect(results[2]).toContain(
    "Line 2 has 40,000 bytes and was not shown whole, nor can it be: change a part of the file",
  );
  expect(now).toBe(content);
});

test("for a model with a small window a file is read in smaller parts, of which none lacks its middle", async () => {
  const content = Array.from({ length: 200 }, (_, i) => `line ${i} of a file\n`).join("");
  const replies = [[read()], [write()]];
  const { results, now } = await made(content, replies, 1_000);
  expect(results[0]!.length).toBeLessThan(2_000);
  expect(results[0]).not.toContain("left out");
  const next = Number(/Go on with offset (\d+)\.\]$/.exec(results[0]!)?.[1]);
  expect(results[1]).toContain(`Read the rest first (lines ${next} to the end: offset ${next})`);
  expect(now).toBe(content);
  // As it is told to go on.
  const reads = [[read()]];
  for (let offset = next; offset > 0; ) {
    reads.push([read({ offset })]);
    const { results } = await made(content, reads, 1_000);
    offset = Number(/Go on with offset (\d+)\.\]$/.exec(results.at(-1)!)?.[1] ?? 0);
  }
  expect(reads.length).toBeGreaterThan(2);
  expect((await made(content, [...reads, [write()]], 1_000)).now).toBe("new\n");
});

test("what the cap of a result takes away counts as not shown, however small it is", async () => {
  const { readFile } = await import("./read-file.ts");
  const short = tool({ ...readFile, maxResultChars: 60 });
  const content = "0123456789\n".repeat(4);
  const replies = [[read()], [read({ offset: 3 })], [write()]];
  const { results, now } = await made(content, replies, undefined, { tools: [short, "write_file"] });
  expect(results[0]).toContain("left out");
  expect(results[2]).toContain("Read the rest first (lines 1 to ");
  expect(now).toBe(content);
});

test("a file that is read in the same reply has not been seen yet", async () => {
  const { results, now } = await made("old\n", [[read(), write()], [write("newer\n")]]);
  expect(results[1]).toBe(
    '"a.txt" was read in the same reply as this call, so you have not seen yet what is in it, and it is not replaced. Look at what read_file says first, then write it.',
  );
  expect(results[2]).toContain("Replaced");
  expect(now).toBe("newer\n");
});

test("nor has one that was read and edited there, and both count in the next reply", async () => {
  const { results, now } = await made("old\n", [
    [read(), edit("old", "odd"), write()],
    [write()],
    [write("1"), write("2")],
  ]);
  expect(results[2]).toContain("in the same reply");
  expect(results.slice(3).map((one) => one.slice(0, 8))).toEqual(["Replaced", "Replaced", "Replaced"]);
  expect(now).toBe("2");
});

test("a person is not asked about a write that follows a read in the same reply", async () => {
  const { root } = makeWorkspace({ "a.txt": "old\n" });
  const { foresee } = await import("../cli/preview.ts");
  const foreseen: unknown[] = [];
  const runtime = createRuntime({
    model: scripted([{ calls: [read(), write()] }, { calls: [write()] }, "done"]),
    workspace: root,
    requiresApproval: ["write_file"],
    approve: (request) => {
      foreseen.push(foresee(request, root));
      return true;
    },
  });
  await runtime.exec("go");
  expect(foreseen).toEqual([
    { problem: expect.stringContaining("in the same reply") },
    { change: expect.stringContaining("+new") },
  ]);
});

test("a run inside does not know what is read beside it in the same reply", async () => {
  const inner = tool({
    name: "inner",
    execute: (_, { runtime }) => runtime.exec("go", { model: scripted([{ calls: [write()] }, "ok"]), toolset: "full" }),
  });
  const options = { tools: ["read_file", "write_file", inner] as const };
  const both = await made("old\n", [[read(), { name: "inner", arguments: {} }]], undefined, options);
  expect(both.now).toBe("old\n");
  const after = await made("old\n", [[read()], [{ name: "inner", arguments: {} }]], undefined, options);
  expect(after.now).toBe("new\n");
});
