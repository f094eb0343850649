import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("CONC-04 finished nested runs, their handles, contexts and values are collectable while the outer run goes on", async () => {
  const script = fileURLToPath(new URL("memory.fixture.ts", import.meta.url));
  const flags = ["--expose-gc", "--max-old-space-size=1500", "--no-warnings"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { timeout: 25_000 });
  const { made, held } = JSON.parse(stdout) as { made: number; held: number };
  expect(made).toBeGreaterThan(1000);
  // The last call's may still be on some stack.
  expect(held).toBeLessThanOrEqual(10);
});
