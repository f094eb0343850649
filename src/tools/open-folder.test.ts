import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBelow, openFolder } from "./open-folder.ts";
import { allIn, makeWorkspace } from "./workspace.fixture.ts";

const linux = process.platform === "linux";

test("a link, a file and nothing are no folder", () => {
  const { outside, at } = makeWorkspace({ file: "" });
  symlinkSync(outside, at("link"));
  for (const name of ["link", "file", "none"]) expect(() => openFolder(at(name))).toThrow();
});

test.runIf(linux)("a folder that was opened stays the same when it is moved", () => {
  const { root, outside, at } = makeWorkspace({ "a/own": "" });
  const folder = openFolder(at("a"));
  expect(folder.actual()).toBe(at("a"));
  renameSync(at("a"), at("b"));
  symlinkSync(outside, at("a"));
  expect([readdirSync(folder.at), folder.actual()]).toEqual([["own"], join(root, "b")]);
  folder.close();
});

test("folders below are made, and taken away again as far as they are empty", () => {
  const { root, at } = makeWorkspace({ "a/own": "" });
  const start = openFolder(at("a"));
  const below = openBelow(start, ["b", "c", "d"]);
  expect(allIn(root)).toEqual(["a", "a/b", "a/b/c", "a/b/c/d", "a/own"]);
  writeFileSync(at("a/b/other"), "");
  below.undo();
  below.close();
  expect(allIn(root)).toEqual(["a", "a/b", "a/b/other", "a/own"]);
  start.close();
});

test("a link among them is not followed", () => {
  const { outside, at } = makeWorkspace();
  mkdirSync(at("a"));
  symlinkSync(outside, at("a/link"));
  const start = openFolder(at("a"));
  expect(() => openBelow(start, ["link", "new"])).toThrow();
  expect(() => openBelow(start, ["b", "c\0"])).toThrow();
  expect([readdirSync(at("a")), readdirSync(outside)]).toEqual([["link"], ["private.txt"]]);
  start.close();
});
