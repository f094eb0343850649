import fc from "fast-check";
import { expect, test } from "vitest";
import { masked, unmasked, withoutQuotes } from "./masking.ts";

test.each([
  ['say "a, b" and go', "say \uE0000\uE001 and go"],
  ["'It's fine' it's", "\uE0000\uE001 it's"],
  ["run\n```js\na;\nb\n```", "run\n\uE0000\uE001"],
  ['"All of it. Every word"', "All of it. Every word"],
  ['"one" and "two"', "\uE0000\uE001 and \uE0001\uE001"],
  ["no mark \uE0000\uE001", "no mark  0 "],
])("%j", (request, expected) => {
  expect(masked(request).text).toBe(expected);
});

test("short quotes come back, long ones stay set aside", () => {
  const long = `"${"x".repeat(1000)}"`;
  const { text, held } = masked(`write 'a' and ${long} to b`);
  expect(unmasked(text, held)).toBe("write 'a' and \uE0001\uE001 to b");
  expect(withoutQuotes(held[1] ?? "")).toHaveLength(1000);
  expect(withoutQuotes("```ts\nlet a;\n```")).toBe("let a;");
});

test("nothing gets lost", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", '"', "'", "`", "```", "\n", " ", "“", "”", "b c"), { maxLength: 30 }),
      (parts) => {
        const request = `x${parts.join("")}y`;
        const { text, held } = masked(request);
        expect(unmasked(text, held, Number.POSITIVE_INFINITY)).toBe(request);
      },
    ),
    { numRuns: 1000 },
  );
});
