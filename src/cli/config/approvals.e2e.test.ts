import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import type { Reply } from "../chat-server.fixture.ts";
import { rondo } from "../command.fixture.ts";
import { stage } from "../e2e.fixture.ts";
import { makeHome } from "./config.fixture.ts";
import { addRule } from "./write-user.ts";

const on = stage();
const writes = (round: number): Reply =>
  round % 2 === 1
    ? { calls: [{ name: "write_file", arguments: { path: "new/notes.txt", content: "one\n" } }] }
    : { text: "done" };

test("a rule that was kept for a folder lets its calls run there, also through a link, and in no other folder", async () => {
  const { at, env, project, userFile } = makeHome({ "other/.git/HEAD": "" });
  mkdirSync(at("project/sub"));
  symlinkSync(project, at("link"));
  await addRule(project, "write_file(new/**)", userFile);
  const { model } = await on.serve(writes);
  for (const [folder, written] of [
    ["project", true],
    ["link", true],
    ["other", false],
    ["project/sub", false],
  ] as const) {
    rmSync(at("project/new"), { recursive: true, force: true });
    const { code } = await rondo(["run", "note it", "--model", model, "--cwd", at(folder)], { env });
    expect([folder, existsSync(at(`${folder}/new/notes.txt`)), code]).toEqual([folder, written, 0]);
  }
});

test.each(["xdg/rondo/config.json", "project/rondo.config.json"])("a denial in %s wins over --yes", async (path) => {
  const { at, env, project } = makeHome({ [path]: { approvals: { deny: ["write_file(new/**)"] } } });
  const { model } = await on.serve(writes);
  const { stderr } = await rondo(["run", "note it", "--model", model, "--cwd", project, "--yes"], { env });
  expect(stderr).toMatch(/denied/i);
  expect(existsSync(at("project/new"))).toBe(false);
});

test.each(["write_file(new/**)", "writeFile"])("so does --deny %s", async (rule) => {
  const { at, env, project } = makeHome();
  const { model } = await on.serve(writes);
  const { stderr } = await rondo(["run", "it", "--model", model, "--cwd", project, "--yes", "--deny", rule], { env });
  expect(stderr).toMatch(/denied|forbids/i);
  expect(existsSync(at("project/new"))).toBe(false);
});

test("a project's denial means the same file wherever in the project a run is", async () => {
  const { at, env } = makeHome({ "project/rondo.config.json": { approvals: { deny: ["write_file(a*b/new/**)"] } } });
  const { model } = await on.serve(writes);
  for (const [folder, written] of [
    ["a[*]b", false],
    ["c", true],
  ] as const) {
    mkdirSync(at(`project/${folder}`));
    await rondo(["run", "note it", "--model", model, "--cwd", at(`project/${folder}`), "--yes"], { env });
    expect([folder, existsSync(at(`project/${folder}/new/notes.txt`))]).toEqual([folder, written]);
  }
});
