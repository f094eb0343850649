import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBreak } from "./json-position.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("jsonBreak", () => {
  it.each([
    ["", 0, true],
    ["   ", 3, true],
    ["{a:1}", 1, false],
    ['{"a": tru}', 9, false],
    ['{"a": "x', 8, true],
    ['{"a":1', 6, true],
    ["[1,]", 3, false],
    ["[,1]", 1, false],
    ['{"a":1}}', 7, false],
    ['{"a":1} x', 8, false],
    ["{'a':1}", 1, false],
    ['{"a":1.}', 6, false],
    ['{"a":1.', 7, true],
    ['{"a":-', 6, true],
    ['{"a":01}', 6, false],
    ['{"a":"\n"}', 6, false],
    ['{"a":"\\x"}', 7, false],
    ['{"a":"\\u12', 10, true],
    ['{"a":"\\u12g4"}', 10, false],
    ['{"a":"\\', 7, true],
    ['```json\n{"a":1}\n```', 0, false],
    ["[1}", 2, false],
    ['{"a" 1}', 5, false],
    ['{"a":}', 5, false],
  ])("finds where %j breaks", (text, at, ended) => {
    expect(parses(text)).toBe(false);
    expect(jsonBreak(text)).toEqual({ at, ended });
  });

  it("finds nothing in JSON, and a cut in every beginning of an object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.boolean(), (value, seed, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0);
        expect(jsonBreak(text)).toBe(undefined);
        const cut = text.slice(0, seed % text.length);
        expect(jsonBreak(cut)).toEqual({ at: cut.length, ended: true });
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with JSON.parse on anything made of JSON's signs", () => {
    const sign = fc.constantFrom(...'{}[],:"\\u0019-+.eE truefalsn\n'.split(""), '"a"', "true", "null", "-1.5e3");
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        const text = signs.join("");
        expect(jsonBreak(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 5000 },
    );
  });
});
