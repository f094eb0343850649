import { execFileSync } from "node:child_process";
import { expect, expectTypeOf, test } from "vitest";
import { type BuiltInToolName, isTool } from "../menu/tool.ts";
import { builtInTools } from "./index.ts";
import { contextOf, makeWorkspace } from "./workspace.fixture.ts";

const names = ["read_file", "list_dir", "glob", "grep", "write_file", "edit_file", "run_code", "read_result"] as const;

test("the tools that come with Rondo, in this order", () => {
  expectTypeOf<(typeof names)[number]>().toEqualTypeOf<BuiltInToolName>();
  expect(builtInTools.map(({ name }) => name)).toEqual(names);
  for (const one of builtInTools) {
    expect(isTool(one)).toBe(true);
    expect(one.readOnly ?? false).toBe(!/^(?:write|edit)_/.test(one.name));
    expect(one.requiresApproval ?? false).toBe(false);
    expect(one.description).toMatch(/\.$/);
    expect(one.input).toMatchObject({ type: "object", additionalProperties: false });
  }
});

test.each([
  ["read_file", { path: "a.txt" }, "hello"],
  ["list_dir", {}, "a.txt (5 bytes)"],
  ["glob", { pattern: "*" }, "a.txt"],
  ["grep", { pattern: "l+" }, "a.txt:1:hello"],
  ["run_code", { code: "6 * 7" }, "42"],
  ["write_file", { path: "b.txt", content: "x\n" }, 'Created "b.txt" (1 line, 2 bytes).'],
  [
    "edit_file",
    { path: "a.txt", old_string: "hell", new_string: "cell" },
    'Edited "a.txt" (1 replacement, +1 -1 lines).\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-hello\n\\ No newline at end of file\n+cello\n\\ No newline at end of file',
  ],
])("%s does its work when it is called", async (name, args, expected) => {
  const { root } = makeWorkspace({ "a.txt": "hello" });
  const found = builtInTools.find((one) => one.name === name);
  expect(await found?.execute(args, contextOf(root))).toBe(expected);
});

test("no body is loaded before its tool is called", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    const { builtInTools } = await import(process.argv[1]);
    const before = loaded.length;
    await builtInTools[1].execute({}, { runtime: { workspace: "." }, signal: new AbortController().signal });
    console.log(JSON.stringify([loaded.slice(0, before), loaded.slice(before)]));`;
  const index = new URL("./index.ts", import.meta.url).href;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program, index], { encoding: "utf8" });
  const [before, after] = JSON.parse(output) as [string[], string[]];
  const declarations =
    /\/(index|read-file|list-dir|glob|grep|write-file|edit-file|run-code|read-result|pager|tool)\.ts$/;
  expect(before.filter((url) => !declarations.test(url))).toEqual([]);
  expect(after.some((url) => url.endsWith("/list-dir.body.ts"))).toBe(true);
});
