import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { loadModules } from "./load-modules.ts";
import { hashOf } from "./trust.ts";

test("a module that was changed behind the look at it is not run", async () => {
  const { at, write } = makeHome();
  const code = (mark: string) => `
    import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(at("ran"))}, "");
    export const t = { name: ${JSON.stringify(mark)}, execute: () => "done" };`;
  const path = write("project/a.mjs", code("first"));
  const hash = hashOf(path);
  write("project/a.mjs", code("second"));
  const told: string[] = [];
  expect(await loadModules([{ path, hash }], [], (line) => told.push(line))).toEqual([]);
  expect([existsSync(at("ran")), told]).toEqual([false, [expect.stringContaining("changed after it was looked at")]]);
  const missing = [{ path: at("project/none.mjs"), hash: "missing" }];
  expect(await loadModules(missing, [], (line) => told.push(line))).toEqual([]);
  expect(told.at(-1)).toContain("there is no file");
  expect(existsSync(at("ran"))).toBe(false);
});
