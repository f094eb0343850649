import { spawn } from "node:child_process";
import { chownSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { addRule, changeProject } from "./write-user.ts";

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const writer = new URL("write-user.ts", import.meta.url).href;

/** Another process that adds rules. */
function addElsewhere(path: string, folder: string, rules: readonly string[]): Promise<number | null> {
  const code = `const { addRule } = await import(${JSON.stringify(writer)});
    for (const rule of ${JSON.stringify(rules)}) await addRule(${JSON.stringify(folder)}, rule, ${JSON.stringify(path)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("close", resolve));
}

test("what was approved for always is kept once, for the folder, and for nobody else to read", async () => {
  const { userFile } = makeHome();
  for (const rule of ["bash(npm test)", "write_file(src/**)", "bash(npm test)"])
    await addRule("/home/ann/x", rule, userFile);
  expect(read(userFile)).toEqual({ projects: { "/home/ann/x": { allow: ["bash(npm test)", "write_file(src/**)"] } } });
  expect(readdirSync(dirname(userFile))).toEqual(["config.json"]);
  if (process.platform === "win32") return;
  expect(statSync(userFile).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(userFile)).mode & 0o777).toBe(0o700);
});

test("everything else in the file stays", async () => {
  const { userFile } = makeHome({
    "xdg/rondo/config.json": { model: "offline", mcpServers: { x: { y: 1 } }, projects: { "/a": { trusted: "h" } } },
  });
  await addRule("/a", "grep", userFile);
  await addRule("/b", "glob", userFile);
  expect(read(userFile)).toEqual({
    model: "offline",
    mcpServers: { x: { y: 1 } },
    projects: { "/a": { trusted: "h", allow: ["grep"] }, "/b": { allow: ["glob"] } },
  });
});

test("processes that write at once lose nothing of each other", async () => {
  const { userFile } = makeHome();
  const rules = (name: string) => Array.from({ length: 25 }, (_, index) => `${name}(${index})`);
  const codes = await Promise.all(["a", "b", "c"].map((name) => addElsewhere(userFile, "/home/ann", rules(name))));
  expect(codes).toEqual([0, 0, 0]);
  expect(new Set(read(userFile).projects["/home/ann"].allow)).toEqual(new Set(["a", "b", "c"].flatMap(rules)));
  expect(readdirSync(dirname(userFile))).toEqual(["config.json"]);
}, 60_000);

test("a lock that was left by a process that is gone holds nobody up", async () => {
  const { userFile, write } = makeHome();
  const gone = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => gone.once("close", resolve));
  write("xdg/rondo/config.json.lock", `${gone.pid} ${hostname()} x`);
  await addRule("/home/ann", "grep", userFile);
  expect(readdirSync(dirname(userFile))).toEqual(["config.json"]);
});

test("a file that is not right is left as it is", async () => {
  const { userFile } = makeHome({ "xdg/rondo/config.json": '{"model": 1}' });
  await expect(addRule("/home/ann", "grep", userFile)).rejects.toThrow("model must be the name of a model");
  writeFileSync(userFile, "{");
  await expect(addRule("/home/ann", "grep", userFile)).rejects.toThrow("this is not JSON");
  expect(readFileSync(userFile, "utf8")).toBe("{");
  expect(readdirSync(dirname(userFile))).toEqual(["config.json"]);
});

test("a change that throws changes nothing and leaves no lock", async () => {
  const { userFile } = makeHome({ "xdg/rondo/config.json": "{}" });
  const throws = () => {
    throw new Error("no");
  };
  await expect(changeProject("/home/ann", throws, userFile)).rejects.toThrow("no");
  expect(readdirSync(dirname(userFile))).toEqual(["config.json"]);
});

test("a link to a file of the user's own is followed and stays one; a link to nothing is not written", async () => {
  const { at, userFile, write } = makeHome({ "dotfiles/rondo.json": "{}" });
  write("xdg/rondo/x", "");
  symlinkSync(at("dotfiles/rondo.json"), userFile);
  await addRule("/home/ann", "grep", userFile);
  expect(read(at("dotfiles/rondo.json")).projects["/home/ann"].allow).toEqual(["grep"]);
  expect(readdirSync(at("dotfiles"))).toEqual(["rondo.json"]);
  symlinkSync(at("nothing"), at("xdg/rondo/other.json"));
  await expect(addRule("/home/ann", "grep", at("xdg/rondo/other.json"))).rejects.toThrow();
});

test.runIf(process.getuid?.() === 0)("a link to somebody else's file is not written", async () => {
  const { at, write, userFile } = makeHome({ "theirs.json": "{}" });
  write("xdg/rondo/x", "");
  symlinkSync(at("theirs.json"), userFile);
  chownSync(at("theirs.json"), 12_345, 12_345);
  await expect(addRule("/home/ann", "save(a)", userFile)).rejects.toThrow("no file of yours");
  expect(readFileSync(at("theirs.json"), "utf8")).toBe("{}");
});
