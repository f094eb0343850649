import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalArguments, canonicalJson, type Json } from "./json.ts";

test.each([
  ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', true],
  ['{"a":{"c":1,"b":[1,2]}}', '{"a":{"b":[1,2],"c":1}}', true],
  ['{"a":[1,2]}', '{"a":[2,1]}', false],
  ['{"n":1e400}', '{"n":null}', false],
  ['{"n":1e400}', '{"n":-1e400}', false],
  ['{"n":0}', '{"n":-0}', false],
  ['{"n":1}', '{"n":1.0}', true],
  ['{"__proto__":1}', "{}", false],
  ["{broken", " {broken ", true],
])("whether the arguments %s and %s are the same: %s", (a, b, same) => {
  expect(canonicalArguments(a) === canonicalArguments(b)).toBe(same);
});

test("a value has one text, which is read as the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value as Json))).toEqual(value);
    }),
  );
});
