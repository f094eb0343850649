import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { glob, grep, listDir, readFile, writeFile } from "./index.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

afterEach(() => vi.unstubAllEnvs());

/** A workspace in which the user's settings are, under this name. */
function around(folder: string, files: { readonly [path: string]: string }) {
  const made = makeWorkspace({ "notes.txt": "TOKEN nowhere\n", ...files });
  vi.stubEnv("HOME", made.outside);
  vi.stubEnv("XDG_CONFIG_HOME", made.at(folder));
  return made;
}

const own = '{ "mcpServers": { "x": { "env": { "KEY": "TOKEN" } } } }\n';

test("what the user's settings keep secret is not read where they have another name than .config", async () => {
  const { root, at } = around("settings", {
    "settings/rondo/config.json": own,
    "settings/rondo/config.json.bak": own,
    "settings/rondo/tools.ts": "TOKEN of nobody\n",
    "settings/gh/hosts.yml": "TOKEN\n",
    "settings/other/config.json": "TOKEN of nobody\n",
  });
  symlinkSync(at("settings/rondo/config.json"), at("link.json"));
  linkSync(at("settings/rondo/config.json"), at("hard.json"));
  const ctx = contextOf(root);
  const secret = ["settings/rondo/config.json", "settings/rondo/config.json.bak", "settings/gh/hosts.yml", "link.json"];
  for (const path of [...secret, "hard.json"])
    expect(await messageOf(() => readFile.execute({ path }, ctx))).toContain("without allowSecrets");
  const found = String(await grep.execute({ pattern: "TOKEN" }, ctx));
  expect(found).toContain("settings/rondo/tools.ts");
  expect(found).toContain("settings/other/config.json");
  expect(found).not.toContain("KEY");
  expect(found).not.toContain("hosts.yml");
  const names = String(await glob.execute({ pattern: "**" }, ctx)).split("\n");
  for (const path of secret) expect(names).not.toContain(path);
  expect(await listDir.execute({ path: "settings/rondo" }, ctx)).toMatch(/config\.json \(.*, secret, cannot be read\)/);
  const allowed = contextOf(root, undefined, { allowSecrets: true });
  expect(await readFile.execute({ path: "settings/rondo/config.json" }, allowed)).toContain("TOKEN");
});

test("nor where the workspace is that folder, or lies in it", async () => {
  const { at } = around("settings", { "settings/rondo/config.json": own, "settings/gh/x/hosts.yml": "TOKEN\n" });
  for (const [folder, path] of [
    ["settings", "rondo/config.json"],
    ["settings/rondo", "config.json"],
    ["settings/gh/x", "hosts.yml"],
  ] as const)
    expect(await messageOf(() => readFile.execute({ path }, contextOf(at(folder))))).toContain("allowSecrets");
});

test("nor where a link stands for the folder or for the file", async () => {
  const { root, at } = around("xdg", {
    "dotfiles/rondo/config.json": own,
    "dotfiles/gh/hosts.yml": "TOKEN\n",
    "dots/rondo.json": own,
  });
  symlinkSync(at("dotfiles"), at("xdg"));
  const read = (path: string) => messageOf(() => readFile.execute({ path }, contextOf(root)));
  for (const path of [
    "dotfiles/rondo/config.json",
    "Dotfiles/../dotfiles/rondo/config.json",
    "xdg/rondo/config.json",
    "dotfiles/gh/hosts.yml",
  ])
    expect(await read(path)).toContain("allowSecrets");
  vi.stubEnv("XDG_CONFIG_HOME", at("conf"));
  mkdirSync(at("conf/rondo"), { recursive: true });
  symlinkSync(at("dots/rondo.json"), at("conf/rondo/config.json"));
  expect(await read("dots/rondo.json")).toContain("allowSecrets");
  expect(await read("conf/rondo/config.json")).toContain("allowSecrets");
});

test("nor where ~/.config is a link into the workspace, nor is it offered for a name that is nearly its own", async () => {
  const { root, at } = makeWorkspace({ "config/rondo/config.json": own, "home/x": "" });
  vi.stubEnv("HOME", at("home"));
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  symlinkSync(at("config"), at("home/.config"));
  const read = (path: string) => messageOf(() => readFile.execute({ path }, contextOf(root)));
  expect(await read("config/rondo/config.json")).toContain("allowSecrets");
  expect(await read("config/rondo/confih.json")).not.toContain("Did you mean");
});

test("what other programs execute or trust is not written there either", async () => {
  const { root, at } = around("settings", { "settings/git/config": "" });
  for (const path of ["settings/git/config", "settings/nvim/init.lua", "settings/fish/config.fish"])
    expect(await messageOf(() => writeFile.execute({ path, content: "x" }, contextOf(root)))).toContain(
      "without allowUnsafePaths",
    );
  writeFileSync(at("plain.txt"), "x");
  const path = "settings/notes/new.txt";
  expect(await writeFile.execute({ path, content: "x" }, contextOf(root))).toContain(path);
});
