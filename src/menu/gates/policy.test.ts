import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyGate } from "./policy.ts";

const passes = (name: string, allow: string[][], deny: string[] = []): boolean =>
  policyGate({ name }, { allow, deny }) === undefined;

describe("policyGate", () => {
  it("lets everything pass without lists", () => {
    expect(passes("a", [])).toBe(true);
  });
  it("intersects allow-lists; an empty one allows nothing", () => {
    expect(passes("a", [["a", "b"], ["a"]])).toBe(true);
    expect(passes("b", [["a", "b"], ["a"]])).toBe(false);
    expect(passes("a", [["a"], []])).toBe(false);
  });
  it("says which option vetoed; denials win", () => {
    expect(policyGate({ name: "a" }, { allow: [["a"]], deny: ["a"] })).toBe("it is denied by toolsDeny");
    expect(policyGate({ name: "a" }, { allow: [[]], deny: [] })).toBe("it is not among toolsAllow");
  });
  it("never lets more pass when a list or a denial is added", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(names, { maxLength: 3 }), names, names, names, (allow, deny, list, denied) => {
        for (const name of ["a", "b", "c"]) {
          if (passes(name, [...allow, list], deny)) expect(passes(name, allow, deny)).toBe(true);
          if (passes(name, allow, [...deny, ...denied])) expect(passes(name, allow, deny)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
