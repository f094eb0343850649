import { expect, test } from "vitest";
import { menuTools, padding, written } from "./search/catalogue.ts";
import { halves, hitsOf } from "./search/measure.ts";
import { requests } from "./search/requests.ts";

const tools = menuTools([...written, ...padding]);
const asked = requests.map(([request, right]) => ({ request, right: [right] }));

test("the table: a hundred requests for as many of a thousand tools", () => {
  const names = new Set(tools.map(({ name }) => name));
  expect([names.size, tools.length]).toEqual([1_000, 1_000]);
  expect(new Set(requests.map(([, right]) => right)).size).toBe(100);
  for (const [, right] of requests) expect(names).toContain(right);
});

// What fails is not told for the half that is held out: who tunes the search would see it.
test.each(Object.entries(halves(asked)))("the right one of a thousand is among five: %s", (_, half) => {
  const { asked, five, first } = hitsOf(tools, half);
  expect(five / asked).toBeGreaterThanOrEqual(0.9);
  expect(first / asked).toBeGreaterThanOrEqual(0.7);
});
