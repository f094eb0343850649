import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** What the check says of a tree of these files, beside those that there must be. */
function layers(files: { readonly [path: string]: string }) {
  const root = mkdtempSync(join(tmpdir(), "rondo-layers-"));
  roots.push(root);
  const tree = { "src/loop/decide.ts": "", "src/loop/apply.ts": "", "src/core.ts": "", ...files };
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "layers.ts"), root], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status, said: stdout + stderr };
}

const core = 'export { a } from "./agent/a.ts";\n';

test("a tree that keeps to the rules", () => {
  const { status, said } = layers({
    "src/core.ts": core,
    "src/agent/a.ts": [
      'import type { Big } from "big";',
      'import { Validator } from "@cfworker/json-schema";',
      'import { readFile } from "node:fs/promises";',
      'import { b } from "../model/b.ts";',
      'export const a = () => import("big/sub");',
    ].join("\n"),
    "src/model/b.ts": 'export type { Other } from "other";\nexport const b = 1;\n',
  });
  expect(said).toMatch(/layers hold/);
  expect(status).toBe(0);
});

test.each([
  ["a static import", 'import { x } from "big";'],
  ["an import for its effect", 'import "big/effect";'],
  ["an import over several lines", 'import {\n  x,\n  y,\n} from "big/sub";'],
  ["a re-export", 'export * from "big";'],
  ["an import of types alone that is not erased", 'import { type X } from "big";'],
])("%s of another package, two files away from the core", (_, line) => {
  const { status, said } = layers({
    "src/core.ts": core,
    "src/agent/a.ts": 'import { b } from "../model/ai-sdk/b.ts";\nexport const a = b;\n',
    "src/model/ai-sdk/b.ts": `${line}\nexport const b = 1;\n`,
  });
  expect(status).toBe(1);
  expect(said).toContain("src/core.ts -> src/agent/a.ts -> src/model/ai-sdk/b.ts: loads big, but rondo/core may load");
  expect(said).toContain('await import("big")');
});

test("what only a lazy part loads is its own affair", () => {
  const { status } = layers({
    "src/core.ts": core,
    "src/agent/a.ts": 'export const a = () => import("../model/b.ts");\n',
    "src/model/b.ts": 'import { x } from "big";\nexport const b = x;\n',
  });
  expect(status).toBe(0);
});

test("an import from a layer below", () => {
  const { status, said } = layers({
    "src/model/b.ts": 'import { a } from "../agent/a.ts";\nexport const b = a;\n',
    "src/agent/a.ts": "export const a = 1;\n",
  });
  expect(status).toBe(1);
  expect(said).toContain("src/model/b.ts: imports src/agent/a.ts, which lies below it");
});
