import { expect, test } from "vitest";
import { callArguments } from "./call-arguments.ts";

const ended = (pieces: readonly string[], final?: string) => {
  const args = callArguments();
  const told = pieces.map((piece) => args.push(piece));
  const { rest, text } = args.end(final);
  return { text, told: [...told, rest].join("") };
};

test.each<[string, string[], string | undefined, string]>([
  ["pieces", ['{"a"', ":1", "}"], undefined, '{"a":1}'],
  ["nothing", [], undefined, ""],
  ["nothing but a last word", [], '{"a":1}', '{"a":1}'],
  ["all so far in each piece", ['{"a"', '{"a":1', '{"a":1}', '{"a":1}'], undefined, '{"a":1}'],
  ["pieces, then all", ['{"a"', ":1}", '{"a":1}'], undefined, '{"a":1}'],
  ["pieces, then all twice", ['{"a"', ":1}", '{"a":1}', '{"a":1}'], undefined, '{"a":1}'],
  ["pieces that repeat because they are nested", ['{"a":', '{"a":1}', "}"], undefined, '{"a":{"a":1}}'],
  ["nested, and nothing behind it", ['{"a":', '{"a":', "1}}"], undefined, '{"a":{"a":1}}'],
  ["nested lists", ["[", "[1]", "]"], undefined, "[[1]]"],
  ["digits that repeat", ["1", "1"], undefined, "11"],
  ["one letter a piece", [..."[[[1]]]"], undefined, "[[[1]]]"],
  ["white space that repeats", [" ", " ", '{"a":1}'], undefined, '  {"a":1}'],
  ["broken either way", ['{"a"', '{"a"'], undefined, '{"a"{"a"'],
  ["the package's own sum of what repeats", ['{"a"', '{"a":1}'], '{"a"{"a":1}', '{"a":1}'],
  ["a last word that says otherwise", ['{"a":1}'], '{"a":2}', '{"a":2}'],
  ["a blank last word", ['{"a":1}'], "", '{"a":1}'],
  ["an empty object as the last word of half a call", ['{"a":'], "{}", '{"a":'],
  ["an empty object that is one", ["{", "}"], "{}", "{}"],
  ["an empty object for nothing", [], "{}", "{}"],
  ["an empty object in front of the arguments", ["{}", '{"a"', ":1}"], '{}{"a":1}', '{"a":1}'],
  ["an empty object in front of pieces with all so far", ["{}", '{"a"', '{"a":1}'], undefined, '{"a":1}'],
  ["an empty object and something else", ["{}", "}"], undefined, "{}}"],
  ["a broken last word", ['{"a":1}'], '{"a":1}{"a":1}', '{"a":1}'],
])("%s", (_, pieces, final, text) => {
  expect(ended(pieces, final).text).toBe(text);
});

test("what is told piece by piece is the whole, without repeats", () => {
  expect(ended(['{"a"', '{"a":1', '{"a":1}']).told).toBe('{"a":1}');
  expect(ended(['{"a":', '{"a":1}', "}"]).told).toBe('{"a":{"a":1}}');
  expect(ended(['{"a"', ":1}", '{"a":1}']).told).toBe('{"a":1}');
  expect(ended(["{}", '{"a"', ":1}"]).told).toBe('{"a":1}');
  expect(ended(["{}"]).told).toBe("{}");
  expect(ended(["{}", "\n"]).told).toBe("{}\n");
});

test("a piece that continues nothing sets free what was held", () => {
  const args = callArguments();
  expect([args.push('{"a":'), args.push('{"a":1}'), args.push(',"b":2')]).toEqual(['{"a":', "", '{"a":1},"b":2']);
});
