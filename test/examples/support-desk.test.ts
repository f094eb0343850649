import { expect, test } from "vitest";
import { example } from "./example.fixture.ts";

test("called as code: the value of the decision; watched and steered: what it was told counts", async () => {
  const { code, stdout, stderr } = await example("support-desk");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Refund 120 as money\.\n/);
  expect(stdout).toMatch(/weather \{"city":"Lisbon"\} -> .*Lisbon: some \d+ days with rain/s);
  expect(stdout).toContain("stop { id: 'C-9', as: 'store credit', amount: 340 }\n");
});

test("another ticket is decided by what the order says", async () => {
  expect((await example("support-desk", ["Order C-9 is not here"])).stdout).toMatch(/^Refund 340 as money\.\n/);
  expect((await example("support-desk", ["Order B-4 does not fit"])).stdout).toMatch(/^For a person\.\n/);
  expect((await example("support-desk", ["What is Z-1?"])).stdout).toMatch(/^For a person\.\n/);
});
