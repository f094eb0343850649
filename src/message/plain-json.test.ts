import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainJson, plainJson, wellFormedJson } from "./plain-json.ts";

const cycle: Record<string, unknown> = { a: 1 };
cycle.self = cycle;

test.each<[string, unknown, unknown]>([
  ["cycle", cycle, { a: 1, self: "[cycle]" }],
  ["the same object twice is no cycle", [cycle.none, [1], [1]], [null, [1], [1]]],
  ["numbers", [Number.NaN, Number.POSITIVE_INFINITY, -0, 5n], ["NaN", "Infinity", 0, "5"]],
  ["fields without a form", { a: undefined, b: () => 1, c: Symbol("s"), d: 1 }, { d: 1 }],
  ["items without a form", [undefined, () => 1, 1], [null, null, 1]],
  ["map", { m: new Map([["k", new Set([1])]]) }, { m: [["k", [1]]] }],
  ["date", [new Date(0), new Date(Number.NaN)], ["1970-01-01T00:00:00.000Z", null]],
  ["bytes", { file: Buffer.from("abc") }, { file: "[Buffer of 3 bytes]" }],
  ["error", { reason: new TypeError("boom") }, { reason: "TypeError: boom" }],
  ["promise", { later: Promise.resolve(1) }, { later: "[promise that was not awaited]" }],
  ["regexp and boxes", [/a+/g, new String("s")], ["/a+/g", "s"]],
  ["lone surrogates", { "k\ud800": "v\udc00" }, { "k\ufffd": "v\ufffd" }],
  ["toJSON", { at: { toJSON: (key: string) => ({ key }) } }, { at: { key: "at" } }],
])("copies %s", (_, value, expected) => {
  expect(plainJson(value)).toEqual(expected);
});

test("keys that differ in lone surrogates only are both kept", () => {
  expect(Object.values(plainJson({ "\ud800": 1, "\ud801": 2 }) as object)).toEqual([1, 2]);
});

test("a field that throws is noted and the rest is kept", () => {
  const value = {
    get bad() {
      throw new Error("boom");
    },
    proxy: new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no keys");
        },
      },
    ),
    json: {
      toJSON() {
        throw "text";
      },
    },
    ok: 1,
  };
  expect(plainJson(value)).toEqual({
    bad: "[cannot be read: boom]",
    proxy: "[cannot be read: no keys]",
    json: "[cannot be read]",
    ok: 1,
  });
});

test("__proto__ is a key like any other", () => {
  const copy = plainJson(JSON.parse('{"__proto__":{"x":1}}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1}}');
  expect((copy as { x?: unknown }).x).toBe(undefined);
});

test("a copy does not change with its source", () => {
  const source = { list: [1] };
  const copy = plainJson(source);
  source.list.push(2);
  expect(copy).toEqual({ list: [1] });
});

test("deep values end in a note", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(JSON.stringify(plainJson(deep))).toContain("[nested too deep]");
  expect(isPlainJson(deep)).toBe(false);
  expect(isPlainJson(plainJson(deep))).toBe(true);
});

test("values that grow without end when written out are cut", () => {
  let bomb: unknown = "x".repeat(100);
  for (let level = 0; level < 40; level++) bomb = { a: bomb, b: bomb };
  const text = JSON.stringify(plainJson(bomb, 200, 10_000));
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain("[left out: the value is too large]");
  expect(JSON.stringify(plainJson(new Array(2 ** 32 - 1), 200, 1000))).toContain("too large");
});

test("any value becomes plain JSON, and what is plain JSON stays equal", () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      (value) => {
        const copy = plainJson(value);
        if (copy === undefined) return;
        expect(isPlainJson(copy)).toBe(true);
        expect(JSON.parse(JSON.stringify(copy))).toEqual(copy);
      },
    ),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      if (isPlainJson(value)) expect(JSON.stringify(plainJson(value))).toBe(JSON.stringify(value));
    }),
    { numRuns: 500 },
  );
}, 60_000);

test("what is well-formed JSON stays the very same", () => {
  const value = { a: ["😀", 1, null], b: undefined };
  expect(wellFormedJson(value)).toBe(value);
  expect(wellFormedJson({ a: ["\ud83d"] })).toEqual({ a: ["\ufffd"] });
});
