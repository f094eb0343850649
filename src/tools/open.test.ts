import { execFileSync } from "node:child_process";
import { closeSync, fstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inDirectory, openFile, openRegular } from "./open.ts";
import { makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { locate, openWorkspace } from "./workspace.ts";

const opened = (root: string, allowSecrets = false) => openWorkspace(root, { allowSecrets });
const openFds = () => readdirSync("/proc/self/fd").length;

test("a regular file is opened, also through a link inside", () => {
  const { root, at } = makeWorkspace({ "a.txt": "words" });
  symlinkSync("a.txt", at("link"));
  for (const given of ["a.txt", "link"]) {
    const { fd, size } = openFile(opened(root), locate(opened(root), given));
    expect([readFileSync(fd, "utf8"), size]).toEqual(["words", 5]);
    closeSync(fd);
  }
});

test("a file that was swapped for a link to the outside behind the check is refused", async () => {
  const { root, outside, at } = makeWorkspace({ "a.txt": "words" });
  const workspace = opened(root);
  const place = locate(workspace, "a.txt");
  rmSync(at("a.txt"));
  symlinkSync(join(outside, "private.txt"), at("a.txt"));
  expect(await messageOf(() => openFile(workspace, place))).toContain('"a.txt" is outside of the workspace');
  expect(() => openRegular(workspace, place)).toThrow("ELOOP");
});

test("a file whose folder was swapped for a link to the outside behind the check is refused", async () => {
  const { root, outside, at } = makeWorkspace({ "folder/private.txt": "words" });
  const workspace = opened(root);
  const file = locate(workspace, "folder/private.txt");
  const folder = locate(workspace, "folder");
  renameSync(at("folder"), at("moved"));
  symlinkSync(outside, at("folder"));
  expect(await messageOf(() => openFile(workspace, file))).toContain("is outside of the workspace");
  expect(await messageOf(() => openRegular(workspace, file))).toContain("is outside of the workspace");
  // Without following it the link is no folder.
  expect(await messageOf(() => inDirectory(workspace, folder, (at) => readdirSync(at)))).toContain("is not a folder");
});

test("a file that was swapped for a link to a secret is refused", async () => {
  const { root, at } = makeWorkspace({ "folder/config": "words", "secret/.ssh/config": "key" });
  const workspace = opened(root);
  const file = locate(workspace, "folder/config");
  renameSync(at("folder"), at("moved"));
  symlinkSync("secret/.ssh", at("folder"));
  expect(await messageOf(() => openFile(workspace, file))).toContain("is not read");
});

test.runIf(process.platform === "linux")("a folder that is moved away while it is listed stays the same folder", () => {
  const { root, outside, at } = makeWorkspace({ "folder/own.txt": "" });
  const names = inDirectory(opened(root), locate(opened(root), "folder"), (path) => {
    renameSync(at("folder"), at("moved"));
    symlinkSync(outside, at("folder"));
    return readdirSync(path);
  });
  expect(names).toEqual(["own.txt"]);
});

test("folders, pipes, sockets and devices are refused at once", async () => {
  const { root, at } = makeWorkspace({ "folder/a": "" });
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const message = (given: string) => messageOf(() => openFile(opened(root), locate(opened(root), given)));
  expect(await message("folder")).toBe('"folder" is a folder. Use list_dir to see what is in it.');
  expect(await message("pipe")).toContain("not a regular file");
  expect(await message("socket")).toContain("not a regular file");
  expect(await messageOf(() => openRegular(opened(root), locate(opened(root), "pipe")))).toContain(
    "not a regular file",
  );
  const devices = openWorkspace("/dev", { allowSecrets: false });
  expect(await messageOf(() => openFile(devices, locate(devices, "zero")))).toContain("not a regular file");
});

test("a file is not a folder", async () => {
  const { root } = makeWorkspace({ "a.txt": "" });
  const message = await messageOf(() => inDirectory(opened(root), locate(opened(root), "a.txt"), () => 0));
  expect(message).toBe('"a.txt" is not a folder. Use read_file to read a file.');
});

test("secrets are refused by their own name and by that of a link to or from them, and can be allowed", async () => {
  const { root, at } = makeWorkspace({ ".env": "A=1", ".ssh/config": "", ".env.example": "A=", "shared/vars": "A=1" });
  symlinkSync(".env", at("notes.txt"));
  symlinkSync("shared/vars", at(".env.local"));
  const message = (given: string) => messageOf(() => openFile(opened(root), locate(opened(root), given)));
  for (const given of [".env", "notes.txt", ".env.local", ".ssh/config"])
    expect(await message(given)).toContain(`"${given}" is not read`);
  expect(await messageOf(() => inDirectory(opened(root), locate(opened(root), ".ssh"), () => 0))).toContain(
    "is not read",
  );
  for (const [given, allow] of [
    [".env.example", false],
    [".env", true],
    ["notes.txt", true],
  ] as const) {
    const { fd } = openFile(opened(root, allow), locate(opened(root), given));
    expect(fstatSync(fd).isFile()).toBe(true);
    closeSync(fd);
  }
});

test("a file that vanished says so without an absolute path", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "" });
  const place = locate(opened(root), "a.txt");
  rmSync(at("a.txt"));
  expect(await messageOf(() => openFile(opened(root), place))).toBe('"a.txt" cannot be read: it does not exist.');
});

test.runIf(process.platform === "linux")("nothing stays open, however it ends", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "", "folder/x": "" });
  execFileSync("mkfifo", [at("pipe")]);
  const workspace = opened(root);
  const before = openFds();
  for (let n = 0; n < 5; n++) {
    await messageOf(() => openRegular(workspace, locate(workspace, "pipe")));
    await messageOf(() => openFile(workspace, locate(workspace, "folder")));
    closeSync(openRegular(workspace, locate(workspace, "folder/x")).fd);
    inDirectory(workspace, locate(workspace, "folder"), () => 0);
    await messageOf(() =>
      inDirectory(workspace, locate(workspace, "folder"), () => {
        throw new Error("no");
      }),
    );
  }
  expect(openFds()).toBe(before);
});
