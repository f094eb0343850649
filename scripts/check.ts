/** Everything that must hold, cheapest first. `npm test` runs it; name checks as arguments to run only those. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Counts = { readonly passed: number; readonly failed: number };

const scratch = mkdtempSync(join(tmpdir(), "rondo-check-"));
const report = join(scratch, "vitest.json");

const checks: Record<string, readonly string[]> = {
  layers: ["node", "scripts/layers.ts"],
  types: ["tsc", "--noEmit", "-p", "."],
  lint: ["biome", "check", "."],
  unused: ["knip"],
  tests: ["vitest", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`],
  build: ["tsdown", "--log-level", "warn"],
  package: ["publint", "--strict"],
  exports: ["attw", "--pack", ".", "--profile", "esm-only"],
  consumer: ["node", "scripts/consumer.ts"],
  size: ["size-limit"],
};

function run(name: string, [command, ...args]: readonly string[]): Counts {
  const began = performance.now();
  const { status } = spawnSync(command!, args, { stdio: "inherit", shell: process.platform === "win32" });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok" : "FAILED"}: ${name} (${seconds} s)\n`);
  if (name !== "tests") return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  return { ...counted(status === 0) };
}

/** What vitest counted; a run that fails without a failing test (an unhandled rejection, say) counts as one. */
function counted(ok: boolean): Counts {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: ok ? numFailedTests : Math.max(1, numFailedTests) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(", ")}; there are ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const [name, command] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const counts = run(name, command);
  passed += counts.passed;
  failed += counts.failed;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`Tests: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
