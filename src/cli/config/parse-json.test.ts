import { expect, test } from "vitest";
import { parseJson } from "./parse-json.ts";

const mistake = (text: string): string => {
  try {
    parseJson(text, "f.json");
  } catch (error) {
    return (error as Error).message;
  }
  return "none";
};

test.each([
  ["", "f.json:1:1: this is not JSON: expected a value, and the file ends"],
  ['{\n  "a": 1\n  "b": 2\n}', 'f.json:3:3: this is not JSON: expected "," or "}", found a string'],
  ['{"a": tru}', 'f.json:1:10: this is not JSON: expected true, false, null or a number, found "}"'],
  ["[1. ]", "f.json:1:3: this is not JSON"],
  ['{"a": 1,}', 'f.json:1:9: this is not JSON: expected a key in double quotes behind the comma, found "}"'],
  ["[1,]", 'f.json:1:4: this is not JSON: expected a value behind the comma, found "]"'],
  ["{a: 1}", 'f.json:1:2: this is not JSON: expected a key in double quotes or "}", found "a"'],
  ['{"a" 1}', 'f.json:1:6: this is not JSON: expected ":", found "1"'],
  ['{"a":}', 'f.json:1:6: this is not JSON: expected a value, found "}"'],
  ['{"a": "x\n"}', 'f.json:1:9: this is not JSON: expected the end of a string, a "'],
  ['{"a": "\\q"}', 'f.json:1:9: this is not JSON: expected an escape such as \\" or \\u0041 in a string, found "q"'],
  ['{"a": "x', 'f.json:1:9: this is not JSON: expected the end of a string, a ", and the file ends'],
  ['{"a": 1} x', 'f.json:1:10: this is not JSON: expected nothing more, found "x"'],
  [
    '{\r\n"a": 1, // b\r\n}',
    "f.json:2:9: this is not JSON: expected a key in double quotes behind the comma, found a comment",
  ],
  ['{"a": 1,\n "a": 2}', "f.json:2:2: the key a stands twice"],
  ['{"a": [{"b": 1, "\\u0062": 2}]}', "f.json:1:17: the key a[0].b stands twice"],
  ['{"a": {"__proto__": 1}}', 'f.json:1:8: "__proto__" cannot be a key here'],
])("%j", (text, says) => {
  expect(mistake(text)).toContain(says);
});

test("says where a value stands, by its JSON path", () => {
  const { where, value } = parseJson('{"a": {"b": [1,\n  2]}, "/x": true}', "f.json");
  expect(["a", "a.b", "a.b[0]", "a.b[1]", '["/x"]'].map(where)).toEqual(["1:2", "1:8", "1:14", "2:3", "2:8"]);
  expect(value).toEqual({ a: { b: [1, 2] }, "/x": true });
});

test("an object may have keys as objects have them", () => {
  expect(mistake('{"constructor": 1, "toString": {"hasOwnProperty": 2}}')).toBe("none");
});

test.each([
  ["[", "]"],
  ['{"a":', "}"],
  ['{"a":[', "]}"],
])("what is nested without end is refused, with its place: %s", (begin, end) => {
  const nested = (depth: number) => `${begin.repeat(depth)}1${end.repeat(depth)}`;
  expect(mistake(nested(40))).toBe("none");
  expect(mistake(nested(101))).toMatch(/^f\.json:1:\d+: what stands here is nested too deep: at most 100 levels$/);
  expect(mistake(nested(150_000))).toContain("nested too deep");
});
