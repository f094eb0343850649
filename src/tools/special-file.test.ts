import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { glob } from "./glob.body.ts";
import { grep } from "./grep.body.ts";
import { listDir } from "./list-dir.body.ts";
import { readFile } from "./read-file.body.ts";
import { lookAt } from "./special-file.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

/** A folder with a file, a pipe and a socket in it. */
async function furnished(): Promise<string> {
  const { root, at } = makeWorkspace({ "a.txt": "x" });
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return root;
}

test.each([
  ["pipe", undefined, "a named pipe"],
  ["socket", undefined, "a socket"],
  ["null", "/dev", "a device"],
])("what cannot be read is named, and no other tool is: %s", async (path, workspace, kind) => {
  const ctx = contextOf(workspace ?? (await furnished()));
  for (const work of [() => listDir({ path }, ctx), () => glob({ pattern: "**", path }, ctx)])
    expect(await messageOf(work)).toBe(`"${path}" is ${kind}, neither a folder nor a file: no tool here can read it.`);
  for (const work of [() => readFile({ path }, ctx), () => grep({ pattern: "x", path }, ctx)])
    expect(await messageOf(work)).toMatch(/^"\w+" is not a regular file .*so it is not read\.$/);
});

test("a folder says of each what it is", async () => {
  expect(await listDir({}, contextOf(await furnished()))).toBe(
    "a.txt (1 byte)\npipe (a named pipe, cannot be read)\nsocket (a socket, cannot be read)",
  );
  expect((await listDir({}, contextOf("/dev"))).split("\n")).toContain("null (a device, cannot be read)");
});

test("what has gone since it was found is told without its absolute path", async () => {
  const { at } = makeWorkspace();
  const place = { given: "gone", real: at("gone"), path: "gone", named: "gone" };
  expect(await messageOf(() => lookAt(place))).toBe('"gone" cannot be read: it does not exist.');
});
