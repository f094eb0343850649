import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { glob, grep, listDir, readFile } from "./index.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

afterEach(() => vi.unstubAllEnvs());

const json = '{"mcp":{"env":{"KEY":"quiet-secret"}}}';

/** No reader shows what the file at this path of the workspace holds. */
async function isKept(root: string, path: string): Promise<void> {
  const ctx = contextOf(root);
  expect(await messageOf(() => readFile.execute({ path }, ctx))).toContain("is not read");
  expect(await grep.execute({ pattern: "quiet" }, ctx)).not.toContain("quiet-secret");
  expect(await messageOf(() => grep.execute({ pattern: "quiet", path }, ctx))).not.toContain("quiet-secret");
  expect(await glob.execute({ pattern: "**/*.json" }, ctx)).not.toContain("config.json");
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  expect(await listDir.execute({ path: folder }, ctx)).toContain("secret, cannot be read");
  // Nor is it offered for a name that is nearly its own.
  expect(
    await messageOf(() => readFile.execute({ path: path.replace("config.json", "confih.json") }, ctx)),
  ).not.toContain("Did you mean");
  expect(await readFile.execute({ path }, contextOf(root, undefined, { allowSecrets: true }))).toContain(
    "quiet-secret",
  );
}

test("the user's configuration is not read wherever $XDG_CONFIG_HOME puts it", async () => {
  const { root, at } = makeWorkspace({ "settings/rondo/config.json": json });
  vi.stubEnv("XDG_CONFIG_HOME", at("settings"));
  await isKept(root, "settings/rondo/config.json");
});

test("nor behind a link, as where dotfiles are kept in a repository", async () => {
  const { root, at } = makeWorkspace({ "dotfiles/config/rondo/config.json": json, "home/x": "" });
  vi.stubEnv("HOME", at("home"));
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  symlinkSync(at("dotfiles/config"), at("home/.config"));
  await isKept(join(root, "dotfiles"), "config/rondo/config.json");
});

test("nor where its folder is the workspace, or around it", async () => {
  const { at } = makeWorkspace({
    "settings/rondo/config.json": json,
    "settings/rondo/.config/rondo/config.json": json,
  });
  vi.stubEnv("XDG_CONFIG_HOME", at("settings"));
  await isKept(at("settings/rondo"), "config.json");
});

test("files of other programs stay readable, and so do those of its name elsewhere", async () => {
  const { root, at } = makeWorkspace({ "settings/rondo/config.json": json, "settings/other/config.json": "shown" });
  vi.stubEnv("XDG_CONFIG_HOME", at("settings"));
  expect(await readFile.execute({ path: "settings/other/config.json" }, contextOf(root))).toContain("shown");
});
