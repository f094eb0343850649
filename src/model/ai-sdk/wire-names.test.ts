import fc from "fast-check";
import { expect, test } from "vitest";
import { wireNames } from "./wire-names.ts";

const legal = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

test("NAME-05 legal names stay; others become legal, readable, and the same every time", () => {
  const names = ["read_file", "a.b/c d", "naïve", "1st", "", "x".repeat(80), "-dash"];
  const one = wireNames();
  one.declare(names);
  const wires = names.map(one.wire);
  expect(wires[0]).toBe("read_file");
  expect(wires[1]).toMatch(/^a_b_c_d_/);
  for (const wire of wires) expect(wire).toMatch(legal);
  expect(wires.map(one.original)).toEqual(names);
  const other = wireNames();
  other.declare([...names].reverse());
  expect(names.map(other.wire)).toEqual(wires);
});

test("a legal name that looks like an encoded one keeps its own", () => {
  const taken = wireNames().wire("a.b");
  const names = wireNames();
  names.declare(["a.b", taken]);
  expect(names.wire(taken)).toBe(taken);
  expect(names.wire("a.b")).not.toBe(taken);
  expect(names.original(names.wire("a.b"))).toBe("a.b");
});

test("an unknown wire name is its own", () => {
  expect(wireNames().original("who")).toBe("who");
});

test("any set of names maps to as many legal ones and back", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.constantFrom("a.b", "a_b", "a/b", "", "_", "é"),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (all) => {
      const names = wireNames();
      names.declare(all);
      const wires = all.map(names.wire);
      expect(new Set(wires).size).toBe(all.length);
      for (const wire of wires) expect(wire).toMatch(legal);
      expect(wires.map(names.original)).toEqual(all);
    }),
    { numRuns: 500 },
  );
});
