import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathInside } from "./path-inside.ts";
import { makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { locate, openWorkspace, reasonOf, type Workspace } from "./workspace.ts";

const opened = (root: string): Workspace => openWorkspace(root, { allowSecrets: false });

test("relative and absolute paths, dots and trailing slashes lead to the same place", () => {
  const { root, at } = makeWorkspace({ "src/a.ts": "" });
  for (const given of ["src/a.ts", "./src/a.ts", "src/../src//a.ts", at("src/a.ts"), "../root/src/a.ts"])
    expect(locate(opened(root), given)).toMatchObject({
      given,
      real: at("src/a.ts"),
      path: "src/a.ts",
      named: "src/a.ts",
    });
  for (const given of [".", "src/..", root, `${root}/`]) expect(locate(opened(root), given).path).toBe("");
  expect(locate(opened(root), "src/").path).toBe("src");
});

test("a workspace that is itself a symbolic link works, by either of its names", () => {
  const { root, outside } = makeWorkspace({ "a.ts": "" });
  const link = join(outside, "link");
  symlinkSync(root, link);
  const workspace = opened(link);
  expect(workspace.root).toBe(root);
  for (const given of ["a.ts", join(root, "a.ts"), join(link, "a.ts")])
    expect(locate(workspace, given).path).toBe("a.ts");
});

test("symbolic links inside are followed to where they lead", () => {
  const { root, at } = makeWorkspace({ "real/a.ts": "" });
  symlinkSync("real", at("folder"));
  symlinkSync(at("real/a.ts"), at("file"));
  expect(locate(opened(root), "folder/a.ts")).toMatchObject({ path: "real/a.ts", named: "folder/a.ts" });
  expect(locate(opened(root), "file")).toMatchObject({ path: "real/a.ts", named: "file" });
});

test("what is outside is refused the same way, whether it exists or not", async () => {
  const { root, outside, at } = makeWorkspace();
  symlinkSync(outside, at("folder"));
  symlinkSync(join(outside, "private.txt"), at("file"));
  mkdirSync(`${root}-beside`);
  const refused = [
    "..",
    "../outside/private.txt",
    "../outside/nothing.txt",
    "../outside/no/thing",
    join(outside, "private.txt"),
    join(outside, "nothing"),
    "/",
    "/etc/passwd",
    "/no/such/thing",
    "../root-beside",
    "folder",
    "folder/private.txt",
    "folder/nothing.txt",
    "file",
    "a/../../outside",
  ];
  for (const given of refused) {
    const message = await messageOf(() => locate(opened(root), given));
    expect(message).toContain(`"${given}" is outside of the workspace`);
    if (!given.startsWith("/")) expect(message).not.toContain(outside);
  }
});

test("dangling links and circles say no more than that", async () => {
  const { root, outside, at } = makeWorkspace();
  symlinkSync(join(outside, "new"), at("dangling"));
  symlinkSync("round", at("circle"));
  symlinkSync("circle", at("round"));
  for (const given of ["dangling", "dangling/x", "circle", "round/x"]) {
    const message = await messageOf(() => locate(opened(root), given));
    expect(message).toContain(`"${given}" goes through the symbolic link`);
    expect(message).not.toContain(outside);
  }
});

test("a missing path names what is like it, but no secret", async () => {
  const { root } = makeWorkspace({
    "src/index.ts": "",
    "src/inbox.ts": "",
    "README.md": "",
    ".env": "",
    "src/id_rsa": "",
  });
  const message = (given: string) => messageOf(() => locate(opened(root), given));
  expect(await message("src/indx.ts")).toBe(
    '"src/indx.ts" does not exist: there is no "indx.ts" in "src". Did you mean "src/index.ts" or "src/inbox.ts"?',
  );
  expect(await message("scr/index.ts")).toBe(
    '"scr/index.ts" does not exist: there is no "scr" in the workspace. Did you mean "src"?',
  );
  expect(await message("readme")).toContain('Did you mean "README.md"?');
  expect(await message(".evn")).not.toContain(".env");
  expect(await message("src/id_rs")).not.toContain("id_rsa");
  expect(await message("zzzzzz")).toContain("list_dir and glob show what is there");
  expect(await message("README.md/x")).toBe('"README.md/x" does not exist: "README.md" is a file, not a folder.');
});

test.each([
  ["", "is empty"],
  ["  ", "is empty"],
  ["a\0b", "NUL character"],
  ["~", "not the home folder"],
  ["~/x", "not the home folder"],
  ["~root/x", "not the home folder"],
  ["x".repeat(5_000), "its name is too long"],
])("%j is no path", async (given, problem) => {
  const { root } = makeWorkspace();
  expect(await messageOf(() => locate(opened(root), given))).toContain(problem);
});

test("a workspace that is missing is an error without its path", async () => {
  const { root } = makeWorkspace();
  expect(await messageOf(() => opened(`${root}/none`))).toBe("The workspace folder cannot be used: it does not exist.");
});

test("whatever the path, what is found is inside and no error names a folder around the workspace", () => {
  const { root, outside, at } = makeWorkspace({ "a/b/c.txt": "", "d.txt": "" });
  symlinkSync("../..", at("a/up"));
  symlinkSync("b", at("a/in"));
  symlinkSync(outside, at("out"));
  const part = fc.constantFrom(
    "a",
    "b",
    "c.txt",
    "d.txt",
    "..",
    ".",
    "",
    "up",
    "in",
    "out",
    "root",
    "outside",
    "private.txt",
    "none",
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
      try {
        const place = locate(opened(root), parts.join("/"));
        expect(pathInside(root, place.real)).toBe(place.path);
      } catch (error) {
        expect((error as Error).message).not.toContain(outside.slice(0, -"/outside".length));
      }
    }),
    { numRuns: 1_000 },
  );
});

test("reasons are words, and name the code where there are none", () => {
  expect(reasonOf(Object.assign(new Error("open '/secret/path'"), { code: "EACCES" }))).toBe("permission denied");
  expect(reasonOf(Object.assign(new Error("open '/secret/path'"), { code: "EWEIRD" }))).toBe(
    "the file system says EWEIRD",
  );
  expect(reasonOf(new Error("/secret/path"))).toBe("the file system says no");
});
