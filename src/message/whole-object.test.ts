import fc from "fast-check";
import { expect, test } from "vitest";
import { grow, objectText } from "./whole-object.ts";

const read = (...pieces: string[]) => {
  const object = objectText();
  for (const piece of pieces) grow(object, piece);
  return object;
};

test("an object is whole at its last brace, and not a character earlier", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 1, max: 7 }), (value, size) => {
      const text = JSON.stringify(value);
      const object = objectText();
      for (let at = 0; at < text.length; at += size) {
        expect(object.whole).toBe(false);
        grow(object, text.slice(at, at + size));
      }
      expect(object).toMatchObject({ whole: true, text });
    }),
  );
});

test.each([
  ['{"a":1} \n', true],
  ['{"a":1}{"a":1}', false],
  ['{"a":1}{{}', false],
  ['{"a":1},', false],
  ["}{{}", false],
  ["", false],
  ["   ", false],
  ['{"a":"}"', false],
  ['{"a":"\\"}"}', true],
])("%j: %s", (text, whole) => {
  expect(read(text).whole).toBe(whole);
  expect(read(...text).whole).toBe(whole);
});
