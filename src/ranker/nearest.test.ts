import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestNames } from "./nearest.ts";

const tools = ["read_file", "list_dir", "glob", "grep", "write_file", "web_search", "web_fetch", "run_code"];

describe("nearestNames", () => {
  it.each([
    ["raed_file", "read_file"],
    ["readFile", "read_file"],
    ["READ-FILE", "read_file"],
    ["file_read", "read_file"],
    ["read", "read_file"],
    ["search", "web_search"],
    ["list_directory", "list_dir"],
    ["gerp", "grep"],
    ["functions.read_file", "read_file"],
    ["run_codes", "run_code"],
  ])("knows what %s was meant to be", (name, wanted) => {
    expect(nearestNames(name, tools)[0]).toBe(wanted);
  });

  it.each(["", "xyzzy", "send_email", "a", "x".repeat(1_000_000), "💥"])("finds nothing near %.20s", (name) => {
    expect(nearestNames(name, tools)).toEqual([]);
  });

  it("gives at most so many, nearest first, equals in their order", () => {
    expect(nearestNames("fil", ["filb", "fila", "x", "file_c"])).toEqual(["filb", "fila", "file_c"]);
    expect(nearestNames("fil", ["file_c", "fila", "filb", "x"], 2)).toEqual(["fila", "filb"]);
    expect(nearestNames("fil", ["fila"], 0)).toEqual([]);
  });

  it("compares names of other scripts and names of signs", () => {
    expect(nearestNames("поискк", ["поиск", "файл"])).toEqual(["поиск"]);
    expect(nearestNames("__proto_", ["__proto__", "constructor"])).toEqual(["__proto__"]);
    expect(nearestNames("??", ["??", "!!"])).toEqual(["??"]);
  });

  it("always knows the name itself in another case, and one letter left out of a long name", () => {
    const name = fc.stringMatching(/^[a-z]{6,20}$/);
    fc.assert(
      fc.property(name, fc.array(name), fc.nat(), (meant, others, seed) => {
        const names = [...others.filter((other) => other !== meant), meant];
        expect(nearestNames(meant.toUpperCase(), names)[0]).toBe(meant);
        const at = seed % meant.length;
        expect(nearestNames(meant.slice(0, at) + meant.slice(at + 1), [meant])).toEqual([meant]);
      }),
      { numRuns: 500 },
    );
  });
});
