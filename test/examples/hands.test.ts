import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { example, folderOf } from "./example.fixture.ts";

test("it searches, reads, runs code and edits, asking before the edit", async () => {
  const { code, stdout, stderr } = await example("hands");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/→ grep .*TOTAL.*→ read_file .*→ run_code .*may edit_file do this\?.*→ edit_file /s);
  expect(stdout).toMatch(/stop: offer\.md is now\n# Offer\n\nA kettle, a teapot and a cup: 52 euros\.\n\n$/);
});

test("its folder is gone afterwards, also where it failed", async () => {
  const TMPDIR = folderOf();
  const failed = await example("hands", [], { env: { TMPDIR, RONDO_MODEL: "nobody/nothing" } });
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toContain("nobody");
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith("hands-"))).toEqual([]);
});
