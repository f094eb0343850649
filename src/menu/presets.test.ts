import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInTools } from "../tools/index.ts";
import { checkPresets, ownPresets, type Presets, presetNames, toolsOfPreset } from "./presets.ts";

const builtIn = builtInTools.map(({ name }) => name);
const all = [...builtIn, "weather"];

describe("the presets of every runtime", () => {
  it("name tools that there are, and no others", () => {
    for (const name of Object.keys(ownPresets)) {
      for (const tool of toolsOfPreset(name, {}, all)) expect(builtIn).toContain(tool);
    }
    expect([...toolsOfPreset("default", {}, all)].sort()).toEqual([...builtIn].sort());
  });
  it("give nothing that writes or runs code with safe", () => {
    const safe = toolsOfPreset("safe", {}, all);
    for (const tool of builtInTools) if (safe.includes(tool.name)) expect(tool.readOnly).toBe(true);
  });
});

describe("presets of one's own", () => {
  const presets: Presets = {
    review: { includes: ["safe", "notes"], tools: ["weather", "grep"] },
    notes: { tools: ["weather", "note"] },
    everything: { tools: ["z"], includes: ["full"] },
    nothing: {},
    __proto: { tools: [] },
  };
  it("give what they include first, each tool once, always in the same order", () => {
    checkPresets(presets);
    expect(toolsOfPreset("review", presets, all)).toEqual([...ownPresets.safe.tools, "weather", "note"]);
    expect(toolsOfPreset("everything", presets, all)).toEqual([...all, "z"]);
    expect(toolsOfPreset("nothing", presets, all)).toEqual([]);
  });
  it.each([
    [5, '"presets" must be such as'],
    [[], '"presets" must be such as'],
    [{ a: 5 }, 'presets["a"] must be { includes, tools }, both of them arrays of names.'],
    [{ a: { tool: ["x"] } }, 'presets["a"] has "tool"; a preset has includes and tools.'],
    [{ a: { tools: "x" } }, 'presets["a"].tools must be an array of names.'],
    [{ a: { includes: [5] } }, 'presets["a"].includes must be an array of names.'],
    [{ safe: {} }, 'presets["safe"]: "safe" is a preset that there is already; give yours another name.'],
    [{ none: {} }, 'presets["none"]: "none" is a preset that there is already; give yours another name.'],
    [{ " ": {} }, '"presets": a preset has an empty name.'],
    [{ a: { includes: ["saef"] } }, 'presets["a"].includes: there is no preset "saef". Did you mean "safe"?'],
    [{ a: { includes: ["none"] } }, 'presets["a"].includes: there is no preset "none".'],
    [{ a: { includes: ["a"] } }, '"presets" include each other in a circle: a → a.'],
    [
      { x: { includes: ["a"] }, a: { includes: ["b"] }, b: { includes: ["safe", "c"] }, c: { includes: ["a"] } },
      '"presets" include each other in a circle: a → b → c → a.',
    ],
  ])("%j: %s", (given, message) => {
    expect(() => checkPresets(given)).toThrow(message as string);
  });
  it("are found out when they do not exist, with what is near", () => {
    expect(() => toolsOfPreset("codign", presets, all)).toThrow('there is no preset "codign". Did you mean "coding"?');
    expect(() => toolsOfPreset("__proto__", {}, all)).toThrow('there is no preset "__proto__"');
    expect(() => toolsOfPreset("toString", {}, all)).toThrow("There are full, none, default, coding, research, safe.");
    expect(presetNames(presets)).toContain("review");
  });
  it("are read in a time that grows with their number, in chains of any length", () => {
    const count = 20_000;
    const chain = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `p${i}`,
        { includes: i + 1 < count ? [`p${i + 1}`] : [], tools: [`t${i}`] },
      ]),
    );
    checkPresets(chain);
    expect(toolsOfPreset("p0", chain, []).slice(0, 2)).toEqual(["t19999", "t19998"]);
    expect(() => checkPresets({ ...chain, p19999: { includes: ["p19998"] } })).toThrow(
      "circle: p19998 → p19999 → p19998.",
    );
  });
  it("either circle, and are refused, or give each tool once", () => {
    const names = ["a", "b", "c", "d"];
    const some = fc.uniqueArray(fc.constantFrom(...names, "safe"), { maxLength: 3 });
    const preset = fc.record({ includes: some, tools: fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.tuple(preset, preset, preset, preset), (four) => {
        const given: Presets = Object.fromEntries(four.map((one, i) => [names[i]!, one]));
        let fine = true;
        try {
          checkPresets(given);
        } catch (error) {
          fine = false;
          expect(String(error)).toMatch(/circle: ([abcd] → )+[abcd]\./);
        }
        for (const name of fine ? names : []) {
          const tools = toolsOfPreset(name, given, []);
          expect(new Set(tools).size).toBe(tools.length);
          expect(tools).toEqual(toolsOfPreset(name, given, []));
        }
      }),
      { numRuns: 500 },
    );
  });
});
