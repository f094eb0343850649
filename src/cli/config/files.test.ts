import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { readProjectConfig } from "./project-config.ts";
import { readUserConfig } from "./user-config.ts";

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_option" });
    return (error as Error).message;
  }
  return "none";
};

test("no file is an empty configuration; a byte order mark is no mistake", () => {
  const { userFile, write } = makeHome();
  expect(readUserConfig(userFile)).toEqual({});
  write("xdg/rondo/config.json", '\uFEFF{"model": "offline"}');
  expect(readUserConfig(userFile)).toEqual({ model: "offline" });
});

test("what cannot be read says so: a folder, a link to nothing, something huge, no permission", () => {
  const { at, write } = makeHome();
  mkdirSync(at("folder"));
  symlinkSync(at("nothing"), at("link"));
  truncateSync(write("huge", ""), 100 * 1024 * 1024);
  expect(messageOf(() => readUserConfig(at("folder")))).toBe(`${at("folder")} is a folder, not a file`);
  expect(messageOf(() => readUserConfig(at("link")))).toBe(`${at("link")} is a symbolic link to nothing`);
  expect(messageOf(() => readUserConfig(at("huge")))).toBe(`${at("huge")} is too large: at most 1 MB`);
  if (process.platform !== "win32") {
    // Nobody writes to it: who waits for that waits for ever.
    execFileSync("mkfifo", [at("pipe")]);
    expect(messageOf(() => readUserConfig(at("pipe")))).toBe(`${at("pipe")} is no regular file`);
  }
  if (process.getuid?.() !== 0) {
    chmodSync(write("closed", "{}"), 0);
    expect(messageOf(() => readUserConfig(at("closed")))).toContain("permission denied");
  }
});

test("with a mistake on every line, the first few are told and the others counted", () => {
  const { write, userFile } = makeHome();
  const keys = Array.from({ length: 60_000 }, (_, i) => `"a${i}":0`);
  write("xdg/rondo/config.json", `{${keys.join(",\n")}}`);
  expect(messageOf(() => readUserConfig(userFile))).toMatch(/config\.json:1:2: a0 is not known.*; and 59995 more$/);
});

test.each([
  [{ a: { includes: ["zzz"] } }, 'there is no preset "zzz"'],
  [{ a: { includes: ["b"] }, b: { includes: ["a"] } }, "in a circle: a → b → a"],
])("presets that lead nowhere or round are told with their place: %j", (presets, what) => {
  const { write, userFile } = makeHome();
  write("xdg/rondo/config.json", { presets });
  const message = messageOf(() => readUserConfig(userFile));
  expect(message).toContain("config.json:1:2: presets ");
  expect(message).toContain(what);
});

test.runIf(process.platform === "linux")("nothing is waited for: a device, a pipe", () => {
  expect(messageOf(() => readUserConfig("/dev/zero"))).toBe("/dev/zero is no regular file");
});

test.each([
  ['{"modle": "x"}', 'modle is not known; did you mean "model"?'],
  ['{"model": 3}', "1:2: model must be the name of a model, not a number"],
  ['{"model": " "}', "model must be the name of a model, which is not empty"],
  [
    '{"approvals": {"mode": "readonly"}}',
    'approvals.mode must be one of "ask", "accept-edits", "read-only", "all"; did you mean "read-only"?',
  ],
  ['{"approvals": {"deny": ["bash", "x("]}}', 'approvals.deny[1] is no rule: The rule "x(" cannot be read'],
  ['{"modules": "x.ts"}', "modules must be an array, not a string"],
  ['{"presets": {"full": {}}}', "presets.full is a preset that there is already"],
  ['{"presets": {"a": {"include": []}}}', 'presets.a.include is not known; did you mean "includes"?'],
  ['{"projects": {"/x": {"trusted": true}}}', 'projects["/x"].trusted must be a hash, not a boolean'],
  ["[]", "the configuration must be an object, not an array"],
  ["null", "the configuration must be an object, not null"],
])("the user's file %s", (text, says) => {
  const { userFile, write } = makeHome();
  write("xdg/rondo/config.json", text);
  expect(messageOf(() => readUserConfig(userFile))).toContain(says);
});

test.each([
  ['{"approvals": {"allow": ["bash"]}}', "approvals.allow is not for a project to say"],
  ['{"approvals": {"ask": []}}', "approvals.ask is not for a project to say"],
  ['{"approvals": {"mode": "all"}}', "approvals.mode is not for a project to say"],
  ['{"projects": {}}', "projects is not for a project to say"],
  ['{"allowUnsafePaths": true}', "allowUnsafePaths is not known here"],
  ['{"disabledTools": ["write_file", "bash(rm *)"]}', 'disabledTools[1] is a rule; it belongs into "approvals.deny"'],
  ['{"presets": {"safe": {"tools": ["bash"]}}}', "presets.safe is a preset that there is already"],
])("a project's file may not say %s", (text, says) => {
  const { project, write } = makeHome();
  write("project/rondo.config.json", text);
  const message = messageOf(() => readProjectConfig(project, "/own.json"));
  expect(message).toContain(says);
  if (says.includes("not for a project")) expect(message).toContain("it belongs into your own file, /own.json");
});

test("the nearest file of the checkout counts, and none beyond it", () => {
  const { at, project, write } = makeHome();
  mkdirSync(at("project/a/b"), { recursive: true });
  write("rondo.config.json", { model: "offline" });
  expect(readProjectConfig(at("project/a/b"))).toBeUndefined();
  write("project/rondo.config.json", {});
  expect(readProjectConfig(at("project/a/b"))?.folder).toBe(project);
  write("project/a/rondo.config.json", {});
  expect(readProjectConfig(at("project/a/b"))?.folder).toBe(at("project/a"));
});

test("outside of a checkout only the folder itself counts", () => {
  const { at, write } = makeHome();
  mkdirSync(at("loose/inner"), { recursive: true });
  write("loose/rondo.config.json", {});
  expect(readProjectConfig(at("loose/inner"))).toBeUndefined();
  expect(readProjectConfig(at("loose"))?.folder).toBe(at("loose"));
});
