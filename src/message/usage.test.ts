import fc from "fast-check";
import { expect, test } from "vitest";
import { addUsage, noUsage, type Usage } from "./usage.ts";

const tokens = (totalTokens: number, cost?: number): Usage => ({
  inputTokens: totalTokens,
  outputTokens: 0,
  totalTokens,
  ...(cost !== undefined && { cost }),
});

test("costs add up where both are known", () => {
  expect(addUsage(tokens(10, 1), tokens(5, 2)).cost).toBe(3);
});

test.each([
  [tokens(10, 1), tokens(5)],
  [tokens(10), tokens(5, 2)],
])("a part with tokens and no known price leaves the sum without a cost: a sum too small would be a lie", (a, b) => {
  expect(addUsage(a, b)).toEqual(tokens(15));
});

test("and so it stays, whatever is added", () => {
  expect(addUsage(addUsage(tokens(10, 1), tokens(5)), tokens(1, 1)).cost).toBeUndefined();
});

test("a part without tokens has no say", () => {
  expect(addUsage(tokens(10, 1), noUsage).cost).toBe(1);
  expect(addUsage(tokens(10, 1), tokens(0)).cost).toBe(1);
  expect(addUsage(tokens(0), tokens(10, 1)).cost).toBe(1);
});

test("in whatever order and grouping, there is a cost exactly if every part with tokens has one", () => {
  const part = fc
    .record({ count: fc.integer({ min: 0, max: 9 }), cost: fc.option(fc.integer({ min: 0, max: 9 })) })
    .map(({ count, cost }) => tokens(count, cost ?? undefined));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), fc.nat(), (parts, cut) => {
      const at = cut % parts.length;
      const sum = (some: readonly Usage[]) => some.reduce(addUsage, noUsage);
      const whole = addUsage(sum(parts.slice(0, at)), sum(parts.slice(at)));
      const known = parts.every((one) => one.totalTokens === 0 || one.cost !== undefined);
      if (!known) expect(whole.cost).toBeUndefined();
      else expect(whole.cost ?? 0).toBe(parts.reduce((all, one) => all + (one.cost ?? 0), 0));
      expect(whole.totalTokens).toBe(parts.reduce((all, one) => all + one.totalTokens, 0));
    }),
  );
});
