import { expect, test } from "vitest";
import { specials } from "./specials.ts";
import { walk } from "./walk.ts";

test.each(specials)("what the other families leave out: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
