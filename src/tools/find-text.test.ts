import fc from "fast-check";
import { expect, test } from "vitest";
import { placesOfLines } from "./alike-lines.ts";
import { finder, holds } from "./find-text.ts";

/** All places, also those that overlap, or each behind the one before. */
function places(next: (from: number) => number, step: number): number[] {
  const found: number[] = [];
  for (let at = next(0); at !== -1; at = next(at + step)) found.push(at);
  return found;
}

test.each([
  ["looking around a part of it", Number.POSITIVE_INFINITY],
  ["character by character", 0],
  ["one, then the other", 200],
])("a text is found where the language finds it, %s", (_, compared) => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
  const text = fc.tuple(piece, fc.nat(40), piece, fc.nat(40)).map(([a, m, b, n]) => a.repeat(m) + b.repeat(n));
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (before, wanted, behind, overlap) => {
      fc.pre(wanted !== "");
      const all = before + wanted + behind + wanted + wanted.slice(1);
      const step = overlap ? 1 : wanted.length;
      const expected = places((from) => all.indexOf(wanted, from), step);
      expect(places(finder(all, wanted, undefined, compared), step)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("texts that nearly fit at every place take no time that multiplies their lengths", () => {
  // Each would take from a quarter of an hour to days.
  const zeros = "0".repeat(9_000_000);
  const many = "0".repeat(1_000_000);
  for (const wanted of [`1${many}`, `${many}1`, `${"0".repeat(20)}1${many}`, `${many}1${many}`])
    expect(holds(zeros, wanted)).toBe(false);
  expect(places(finder(`${zeros}1${many}1`, `${many}1`), 1)).toEqual([8_000_000, 9_000_001]);
});

test("what has to be looked at one by one is told first", () => {
  const told: number[] = [];
  const next = finder("0".repeat(9_000_000), `${"0".repeat(1_000_000)}1`, (chars) => told.push(chars));
  expect([next(0), told.length]).toEqual([-1, 1]);
  finder("some words", "0".repeat(100), (chars) => told.push(chars))(0);
  expect(told).toHaveLength(1);
});

test("lines are found where they stand one after the other, the first and the last in part", () => {
  const line = fc.constantFrom("a", "b", "ab", "ba");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { minLength: 1, maxLength: 6 }), (lines, wanted) => {
      const last = wanted.length - 1;
      const fits = (at: number) =>
        wanted.every((one, i) => {
          const there = lines[at + i];
          if (there === undefined) return false;
          if (last === 0) return there.includes(one);
          return i === 0 ? there.endsWith(one) : i === last ? there.startsWith(one) : there === one;
        });
      const expected = lines.flatMap((_, at) => (fits(at) ? [at] : []));
      expect(placesOfLines(lines, wanted, 100)).toEqual(expected);
      expect(placesOfLines(lines, wanted, 2)).toEqual(expected.slice(0, 2));
    }),
    { numRuns: 1_000 },
  );
});

test("equal lines, of which many are wanted, take no time that multiplies their numbers", () => {
  const lines = Array.from({ length: 1_000_000 }, () => "x");
  const wanted = [...lines.slice(0, 400_000), "y", "x"];
  expect(placesOfLines(lines, wanted, 10)).toEqual([]);
  expect(placesOfLines([...lines, "y", "x"], wanted, 10)).toEqual([600_000]);
});
