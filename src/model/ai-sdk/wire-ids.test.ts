import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelV4 } from "../../../test/wires/language-model.ts";
import { wireIds } from "./wire-ids.ts";
import { wireRules } from "./wire-rules.ts";

const rule = (provider: string, modelId = "m") => wireRules(modelV4([], { provider, modelId }), false).ids;
const rules = {
  strict: rule("anthropic.messages"),
  short: rule("openai.chat"),
  free: rule("openai.responses"),
  mistral: rule("mistral.chat", "mistral-large"),
};

describe.each(Object.entries(rules))("%s", (_, one) => {
  const id = fc.oneof(
    fc.string({ unit: "binary", maxLength: 90 }),
    fc.constantFrom("", "a", "a b", "a_b", "D681PevKs"),
  );

  test("any ids become as many legal ones, and those of a beginning do not depend on what follows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 20 }), fc.nat(20), (all, cut) => {
        const whole = wireIds(one);
        const sent = all.map(whole);
        expect(new Set(sent).size).toBe(all.length);
        for (const wire of sent) expect(wire).toMatch(one.legal);
        const part = wireIds(one);
        expect(all.slice(0, cut).map(part)).toEqual(sent.slice(0, cut));
        expect(all.map(whole)).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  test("a legal id that an earlier one stands behind already gives way", () => {
    const taken = wireIds(one)("not legal anywhere ".repeat(9));
    const ids = wireIds(one);
    expect(ids("not legal anywhere ".repeat(9))).toBe(taken);
    expect(ids(taken)).not.toBe(taken);
    expect(ids(taken)).toMatch(one.legal);
  });
});
