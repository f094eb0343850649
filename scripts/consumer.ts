/**
 * Compiles a project that has the built package and none of its optional peers, strictly and with library checks on:
 * `node scripts/consumer.ts` after a build. It shows the compiler's errors and fails with them.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const project = mkdtempSync(join(tmpdir(), "rondo-consumer-"));
const modules = join(project, "node_modules");

const source = `
import { aiSdk, createRuntime, exec, tool } from "rondo";
import { Agent } from "rondo/core";
import { scripted } from "rondo/testing";
import { readFile } from "rondo/tools";

declare module "rondo" {
  interface RegisteredTools {
    crm: true;
  }
}

class Support extends Agent {
  ask = this.method({ description: "Asks." }, () => this.runtime.exec("ask", { tools: [readFile] }));
}
const runtime = createRuntime({ model: scripted(["hello"]) });
const echo = tool({ name: "echo", execute: () => "echo" });
export const text: Promise<string> = runtime.exec("hi", { tools: [echo, new Support().ask] });
export const picked: Promise<"a" | "b"> = exec("hi", { choices: ["a", "b"] });
export const named = exec("hi", { tools: ["grep", "crm"] });
// @ts-expect-error: no tool has this name
export const unknown = exec("hi", { tools: ["grip"] });
export const wrap = aiSdk;
`;
const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  types: ["node"],
};

try {
  mkdirSync(join(modules, "rondo"), { recursive: true });
  cpSync(join(root, "dist"), join(modules, "rondo/dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(modules, "rondo/package.json"));
  for (const name of ["@standard-schema", "@cfworker", "@types", "undici-types"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name), "dir");
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "main.ts"), source);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.ts"] }));
  const { status } = spawnSync("tsc", ["-p", project], { stdio: "inherit", shell: process.platform === "win32" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
