import { linkSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { previewWrite } from "./preview.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { openWorkspace } from "./workspace.ts";
import { writeFile } from "./write-file.body.ts";

const read = (path: string) => readFileSync(path, "utf8");

describe("symbolic links", () => {
  test("a link to a file inside stays, the file is written", async () => {
    const { root, at } = makeWorkspace({ "real/a.txt": "old" });
    symlinkSync("real/a.txt", at("link"));
    await writeFile({ path: "link", content: "new" }, contextOf(root));
    expect([read(at("real/a.txt")), readlinkSync(at("link"))]).toEqual(["new", "real/a.txt"]);
  });

  test("a link to a folder inside is followed", async () => {
    const { root, at } = makeWorkspace({ "real/a.txt": "old" });
    symlinkSync("real", at("link"));
    await writeFile({ path: "link/b/c.txt", content: "new" }, contextOf(root));
    expect(read(at("real/b/c.txt"))).toBe("new");
  });

  test.each([
    ["../outside/new.txt"],
    ["/etc/rondo-test"],
    ["folder/../../outside/new.txt"],
    ["out/new.txt"],
    ["out/new/deep.txt"],
    ["out/private.txt"],
    ["file"],
    ["dangling"],
    ["dangling/new.txt"],
    ["dangling-inside"],
    ["loop"],
    ["loop/new.txt"],
  ])("%s leads outside, or to nothing, and is refused", async (path) => {
    const { root, outside, at } = makeWorkspace({ "folder/x": "" });
    symlinkSync(outside, at("out"));
    symlinkSync(join(outside, "private.txt"), at("file"));
    symlinkSync(join(outside, "new.txt"), at("dangling"));
    symlinkSync("not-there.txt", at("dangling-inside"));
    symlinkSync("loop", at("loop"));
    const before = allIn(root);
    const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)));
    expect(message).toMatch(/outside of the workspace|symbolic link/);
    expect(message).not.toContain(root);
    expect([allIn(root), allIn(outside)]).toEqual([before, ["private.txt"]]);
    expect(read(join(outside, "private.txt"))).toBe("private words\n");
  });

  test("a file with several names stays one file, and that is said", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "one\n" });
    linkSync(at("a.txt"), at("b.txt"));
    const note = "The file has 2 names (hard links); by all of them it is changed.";
    const call = { name: "write_file", arguments: { path: "a.txt", content: "two\n" } } as const;
    expect(previewWrite(call, openWorkspace(root)).text).toContain("(hard links: the file has 2 names");
    expect(await writeFile(call.arguments, contextOf(root))).toContain(note);
    const edit = { path: "b.txt", old_string: "two", new_string: "three" };
    expect(await editFile(edit, contextOf(root))).toContain(`lines). ${note}\n\n---`);
    expect([read(at("a.txt")), statSync(at("a.txt")).nlink]).toEqual(["three\n", 2]);
  });
});

describe("files that are not for a tool to write", () => {
  test.each([
    [".git/hooks/pre-commit", "version control"],
    ["a/.git/config", "secrets"],
    [".GitHub/workflows/x.yml", "continuous integration"],
    [".npmrc", "secrets"],
    [".vscode/tasks.json", "editors"],
    [".bashrc", "shell start files"],
    ["rondo.config.ts", "agents"],
    [".env", "secrets"],
    ["deploy.key", "secrets"],
  ])("%s", async (path, why) => {
    const { root } = makeWorkspace();
    const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)));
    expect(message).toMatch(/is not written: .* Tell the user what to (?:change|put) there instead\.$/);
    expect(message).toContain(why);
    expect(allIn(root)).toEqual([]);
  });

  test("under the name of a link to or from them", async () => {
    const { root, at } = makeWorkspace({ ".github/x.yml": "", "plain/x.yml": "" });
    symlinkSync(".github", at("docs"));
    symlinkSync("plain", at(".vscode"));
    for (const path of ["docs/x.yml", "docs/new.yml", ".vscode/x.yml", ".vscode/new.yml"])
      expect(await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)))).toContain("is not written");
  });

  test("each is written where its option allows it, and no other", async () => {
    const { root, at } = makeWorkspace();
    const unsafe = contextOf(root, undefined, { allowUnsafePaths: true });
    await writeFile({ path: ".github/x.yml", content: "x" }, unsafe);
    expect(await messageOf(() => writeFile({ path: ".env", content: "x" }, unsafe))).toContain("secrets");
    const secrets = contextOf(root, undefined, { allowSecrets: true });
    await writeFile({ path: ".env", content: "x" }, secrets);
    expect(await messageOf(() => writeFile({ path: ".github/x.yml", content: "y" }, secrets))).toContain("integration");
    expect([read(at(".github/x.yml")), read(at(".env"))]).toEqual(["x", "x"]);
  });
});

describe("a folder that git would take for a repository, whatever its name", () => {
  const refused = async (root: string, path: string) =>
    expect([path, await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)))]).toEqual([
      path,
      expect.stringContaining("files of version control are left to the user"),
    ]);

  test("is not made", async () => {
    const { root } = makeWorkspace({ "docs/x.md": "" });
    for (const path of ["docs/HEAD", "docs/head", "HEAD", "new/HEAD"]) await refused(root, path);
    await writeFile({ path: "docs/config", content: "x" }, contextOf(root));
    await writeFile({ path: "objects/refs/x", content: "x" }, contextOf(root));
    await refused(root, "docs/HEAD");
  });

  test("is not written to, also through a link", async () => {
    const { root, at } = makeWorkspace({ "bare/HEAD": "", "bare/x": "", HEAD: "" });
    symlinkSync("bare", at("link"));
    const inside = [
      "config",
      "CONFIG",
      "con\u200cfig",
      "config.worktree",
      "commondir",
      "hooks/x",
      "objects/a/b",
      "refs/x",
    ];
    for (const path of inside) for (const folder of ["bare/", "link/", ""]) await refused(root, folder + path);
    await writeFile({ path: "bare/readme.md", content: "x" }, contextOf(root));
    await writeFile({ path: "src/config", content: "x" }, contextOf(root));
    const unsafe = contextOf(root, undefined, { allowUnsafePaths: true });
    await writeFile({ path: "bare/config", content: "x" }, unsafe);
    expect(read(at("bare/config"))).toBe("x");
  });
});
