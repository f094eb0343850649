import { expect, test } from "vitest";
import { argsRight, namesRight } from "./bfcl.ts";

const made = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args: args as never });
const key = [{ f: { city: ["New York", "NYC"], days: [3, ""] } }];

test.each([
  [{ city: "new-york", days: 3 }, true],
  [{ city: "nyc" }, true],
  [{ city: "Boston" }, false],
  [{ days: 3 }, false],
  [{ city: "NYC", days: "3" }, false],
  [{ city: "NYC", other: 1 }, false],
])("%j fits the key: %s", (args, right) => {
  expect(argsRight([made("f", args)], key)).toBe(right);
});

test("calls may come in any order, each as often as wanted", () => {
  const two = [{ f: { a: [1] } }, { f: { a: [2] } }];
  expect(argsRight([made("f", { a: 2 }), made("f", { a: 1 })], two)).toBe(true);
  expect(argsRight([made("f", { a: 1 }), made("f", { a: 1 })], two)).toBe(false);
  expect(namesRight([made("f", {}), made("f", {})], two)).toBe(true);
  expect(namesRight([made("f", {})], two)).toBe(false);
});

test("lists in order, objects field by field", () => {
  expect(argsRight([made("f", { a: [1, 2] })], [{ f: { a: [[1, 2]] } }])).toBe(true);
  expect(argsRight([made("f", { a: [2, 1] })], [{ f: { a: [[1, 2]] } }])).toBe(false);
  expect(argsRight([made("f", { a: { x: "B" } })], [{ f: { a: [{ x: ["b"], y: ["", 1] }] } }])).toBe(true);
});
