import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { userFile, userFolder } from "./config-files.ts";
import { editFile, writeFile } from "./index.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

afterEach(() => vi.unstubAllEnvs());

const all = { allowUnsafePaths: true, allowSecrets: true };
const refused = "it says what this very program may do";

/** Tries both writing tools, with all that a runtime can allow. */
async function tries(root: string, path: string): Promise<void> {
  const ctx = contextOf(root, undefined, all);
  expect(await messageOf(() => writeFile.execute({ path, content: "{}" }, ctx))).toContain(refused);
  const edit = { path, old_string: "a", new_string: "b" };
  const there = existsSync(join(root, path));
  expect(await messageOf(() => editFile.execute(edit, ctx))).toContain(there ? refused : "does not exist");
}

test.each([
  "rondo.config.json",
  "sub/RONDO.Config.JSON",
  "new/rondo.config.json",
  "rondo.config.json.",
  "rondo.config.json::$DATA",
  "rondo.con\u200Bfig.json",
  // As a folder it would keep the command from beginning at all.
  "rondo.config.json/x",
  "sub/rondo.config.json/new/x",
])("the configuration of a project is not written: %s", async (path) => {
  const { root, at } = makeWorkspace({ "sub/x": "" });
  await tries(root, path);
  expect(existsSync(at("new"))).toBe(false);
});

test("nor by another name: through a symbolic link, as what the link leads to, as a hard link", async () => {
  const { root, at } = makeWorkspace({ "conf/real.json": "a", "sub/rondo.config.json": "a" });
  symlinkSync(at("conf/real.json"), at("rondo.config.json"));
  symlinkSync(at("rondo.config.json"), at("alias.json"));
  linkSync(at("sub/rondo.config.json"), at("sub/hard.json"));
  for (const path of ["alias.json", "conf/real.json", "sub/hard.json", "conf/../conf/real.json"])
    await tries(root, path);
  expect(readFileSync(at("conf/real.json"), "utf8")).toBe("a");
});

test("that of the checkout around the workspace is not written through a hard link either", async () => {
  const { root, at } = makeWorkspace({ ".git/HEAD": "", "rondo.config.json": "a", "inner/x": "" });
  linkSync(at("rondo.config.json"), at("inner/hard.json"));
  await tries(join(root, "inner"), "hard.json");
});

test.each(["HOME", "XDG_CONFIG_HOME"])("nor the user's own, where the workspace is around it: %s", async (variable) => {
  const { root, at } = makeWorkspace({ "notes.txt": "a" });
  vi.stubEnv("HOME", root);
  vi.stubEnv("XDG_CONFIG_HOME", variable === "HOME" ? undefined : at("settings"));
  const folder = variable === "HOME" ? ".config" : "settings";
  expect(userFile()).toBe(at(`${folder}/rondo/config.json`));
  // Also while there is none.
  for (const name of ["rondo/config.json", "Rondo/CONFIG.json", "rondo/tools.ts", "rondo"])
    await tries(root, `${folder}/${name}`);
  mkdirSync(at(`${folder}/rondo`), { recursive: true });
  writeFileSync(userFile(), "a");
  linkSync(userFile(), at("hard.json"));
  symlinkSync(at(`${folder}/rondo`), at("link"));
  for (const path of [`${folder}/rondo/config.json`, "hard.json", "link/config.json", "link/new.ts"])
    await tries(root, path);
  await writeFile.execute({ path: "other.txt", content: "a" }, contextOf(root));
  expect(existsSync(at("other.txt"))).toBe(true);
});

test("nor where a link stands for the folder of the user's", async () => {
  const { root, at } = makeWorkspace({ "dotfiles/rondo/config.json": "a" });
  vi.stubEnv("XDG_CONFIG_HOME", at("xdg"));
  symlinkSync(at("dotfiles"), at("xdg"));
  await tries(root, "dotfiles/rondo/config.json");
});

test("where the user's own configuration is", () => {
  expect(userFolder({ XDG_CONFIG_HOME: "/x" }, "linux")).toBe(join("/x", "rondo"));
  expect(userFolder({ XDG_CONFIG_HOME: "x", HOME: "/h" }, "linux")).toBe(join("/h", ".config", "rondo"));
  expect(userFolder({ APPDATA: "/a", HOME: "/h" }, "win32")).toBe(join("/a", "rondo"));
  expect(userFolder({ APPDATA: "/a", HOME: "/h" }, "linux")).toBe(join("/h", ".config", "rondo"));
});
