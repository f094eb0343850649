import fc from "fast-check";
import { expect, test } from "vitest";
import { errorResult, type NormalisedResult, normaliseResult } from "./normalise.ts";
import { isPlainJson } from "./plain-json.ts";
import { result } from "./result.ts";

const throwing = (message: string) => () => {
  throw new Error(message);
};
const unreadable = () => new Proxy({}, { ownKeys: throwing("no keys"), get: throwing("no fields") });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

function textOf(normalised: NormalisedResult): string {
  return normalised.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

test.each<[string, unknown, string]>([
  ["text", "hi", "hi"],
  ["empty text", "", "(empty text)"],
  ["a lone surrogate", "a\ud83d", "a\ufffd"],
  ["undefined", undefined, "(no value)"],
  ["null", null, "null"],
  ["true", true, "true"],
  ["a number", 4.5, "4.5"],
  ["NaN", Number.NaN, "NaN"],
  ["an infinity", Number.NEGATIVE_INFINITY, "-Infinity"],
  ["a bigint", 2n ** 70n, "1180591620717411303424"],
  ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["no date", new Date(Number.NaN), "null"],
  ["an address", new URL("https://example.org/a"), "https://example.org/a"],
  ["toJSON that gives nothing", { toJSON: () => undefined }, "(no value)"],
])("%s is text", (_, value, text) => {
  expect(normaliseResult(value, "t")).toEqual({ content: [{ type: "text", text }], isError: false });
});

test.each<[string, unknown, unknown]>([
  ["an object", { a: [1, "x"] }, { a: [1, "x"] }],
  ["what only looks like a result", { isError: true, content: [] }, { isError: true, content: [] }],
  ["what only looks like an error", { error: { message: "boom" } }, { error: { message: "boom" } }],
  ["content that is not there", { content: undefined }, {}],
  ["an empty array", [], []],
  ["a map", new Map([[1, 2]]), [[1, 2]]],
  ["a set", new Set(["a"]), ["a"]],
])("%s is a json part", (_, value, json) => {
  expect(normaliseResult(value, "t")).toEqual({ content: [{ type: "json", value: json }], isError: false });
});

test("a json part is a copy", () => {
  const value = { list: [1] };
  const { content } = normaliseResult(value, "t");
  value.list.push(2);
  expect(content).toEqual([{ type: "json", value: { list: [1] } }]);
});

test.each<[string, unknown, string]>([
  ["a function", () => 1, "a function"],
  ["a symbol", Symbol("s"), "a symbol"],
  ["a buffer", Buffer.alloc(1024), "Buffer of 1024 bytes"],
  ["a typed array", new Uint16Array(4), "Uint16Array of 8 bytes"],
  ["bytes", new ArrayBuffer(3), "ArrayBuffer of 3 bytes"],
  ["a hostile proxy", unreadable(), "no fields"],
  ["a revoked proxy", revoked(), "revoked"],
  ["toJSON that throws", { toJSON: throwing("no json") }, "no json"],
])("%s is an error that names tool and reason", (_, value, reason) => {
  const normalised = normaliseResult(value, "save");
  expect(normalised.isError).toBe(true);
  expect(textOf(normalised)).toContain('"save"');
  expect(textOf(normalised)).toContain(reason);
});

test("an error that is returned is an error", () => {
  expect(normaliseResult(new Error("boom"), "t")).toEqual({ content: [{ type: "text", text: "boom" }], isError: true });
});

test("result() is taken as it is, clean", () => {
  const image = { type: "image", data: "aGk=", mediaType: "image/png" } as const;
  const details = { at: 1 };
  const value = result({ content: [{ type: "text", text: "a\ud83d" }, image, { type: "json", value: [1] }], details });
  expect(normaliseResult(value, "t")).toEqual({
    content: [{ type: "text", text: "a\ufffd" }, image, { type: "json", value: [1] }],
    isError: false,
    details: { at: 1 },
  });
});

test("result() without content says so, an error always in words", () => {
  expect(normaliseResult(result({ content: [] }), "t")).toEqual({
    content: [{ type: "text", text: "(no content)" }],
    isError: false,
  });
  const image = { type: "image", data: "aGk=", mediaType: "image/png" } as const;
  for (const content of [[], "", " \n", image]) {
    const normalised = normaliseResult(result({ content, isError: true }), "save");
    expect(normalised.isError).toBe(true);
    expect(textOf(normalised)).toContain('Tool "save" failed without a message.');
  }
});

test.each<[string, unknown]>([
  ["Response", new Response("body")],
  ["ReadableStream", new ReadableStream()],
  ["Blob", new Blob(["a"])],
  ["WeakMap", new WeakMap()],
  ["Generator", (function* () {})()],
  ["AsyncGenerator", (async function* () {})()],
])("a %s holds nothing that JSON has: an error that says what to do", (name, value) => {
  const normalised = normaliseResult(value, "load");
  expect(normalised.isError).toBe(true);
  expect(textOf(normalised)).toMatch(`Tool "load" ran, but returned an object of class ${name}, which holds nothing`);
});

test("an empty object stays one, also of a class", () => {
  for (const value of [{}, new (class Done {})(), Object.create(null)]) {
    expect(normaliseResult(value, "t")).toEqual({ content: [{ type: "json", value: {} }], isError: false });
  }
});

test("a part of result() that is none is told in its place, and the others are kept", () => {
  const parts = [{ type: "text", text: "kept" }, { type: "audio" }, { type: "image", data: "" }, null] as never[];
  const normalised = normaliseResult(result({ content: parts }), "t");
  expect(normalised.isError).toBe(true);
  expect(normalised.content[0]).toEqual({ type: "text", text: "kept" });
  expect(textOf(normalised)).toMatch(/type "audio".*image needs data.*null/);
});

test.each<[string, unknown, RegExp]>([
  ["an error", new Error("boom"), /^boom$/],
  [
    "an error without a message",
    new Error(""),
    /^Tool "save" failed without a message: it threw an object of class Error\.$/,
  ],
  ["undefined", undefined, /^Tool "save" failed without a message: it threw undefined\.$/],
  ["an empty object", {}, /it threw an object\.$/],
  ["a wrapped message", { error: { message: "boom" } }, /^boom$/],
  [
    "an object in a circle",
    Object.assign(
      { status: 1 },
      {
        get self() {
          return this;
        },
      },
    ),
    /status/,
  ],
  ["toString that throws", { toString: throwing("no"), message: { toString: throwing("no") } }, /^Tool "save"|message/],
  ["a hostile proxy", unreadable(), /Tool "save" failed/],
  ["a revoked proxy", revoked(), /Tool "save" failed/],
])("errorResult tells %s", (_, thrown, text) => {
  const normalised = errorResult(thrown, "save");
  expect(normalised.isError).toBe(true);
  expect(textOf(normalised)).toMatch(text);
});

test("a result() that is thrown is an error, whatever it says of itself", () => {
  const thrown = result({ content: "not there", details: { status: 404 } });
  expect(errorResult(thrown, "t")).toEqual({
    content: [{ type: "text", text: "not there" }],
    isError: true,
    details: { status: 404 },
  });
});

test("any value, returned or thrown, gives plain JSON with content", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
  });
  const name = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.oneof(anything, name), name, fc.boolean(), (value, toolName, thrown) => {
      const normalised = thrown ? errorResult(value, toolName) : normaliseResult(value, toolName);
      expect(isPlainJson(normalised, 210)).toBe(true);
      expect(normalised.content.length).toBeGreaterThan(0);
      for (const part of normalised.content) if (part.type === "text") expect(part.text).not.toBe("");
      if (thrown) expect(textOf(normalised).trim()).not.toBe("");
    }),
    { numRuns: 2000 },
  );
}, 60_000);
