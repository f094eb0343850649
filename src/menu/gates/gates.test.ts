import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { menuTool } from "../entry.ts";
import { type ToolOptions, tool } from "../tool.ts";
import { availabilityGate } from "./availability.ts";
import { deferralGate } from "./deferral.ts";
import { exposureGate } from "./exposure.ts";
import { firstGate, type GateQuestion } from "./first-gate.ts";
import { presetGate } from "./preset.ts";
import { registrationGate } from "./registration.ts";
import { heldMs, rememberedAvailability } from "./remembered.ts";

const made = (options: ToolOptions = {}) => menuTool(tool({ name: "t", ...options, execute: () => 1 }));
function throwing(): never {
  throw new Error("no server");
}

describe("gate 1, registration", () => {
  it.each<[ToolOptions["availableIf"], string | undefined]>([
    [undefined, undefined],
    [true, undefined],
    [() => true, undefined],
    [false, "its availableIf is false"],
    [() => false, "its availableIf did not say true"],
    [() => "yes" as never, "its availableIf did not say true"],
    [throwing, "its availableIf threw: no server"],
  ])("%s: %s", (availableIf, reason) => {
    expect(registrationGate(made(availableIf === undefined ? {} : { availableIf }))).toBe(reason);
  });
});

describe("gate 2, exposure", () => {
  it("hides what is registered and not exposed, not what is given as itself", () => {
    expect(exposureGate(made({ expose: false }), true)).toBe("it is registered, but not exposed (expose: false)");
    expect(exposureGate(made({ expose: false }), false)).toBe(undefined);
    expect(exposureGate(made(), true)).toBe(undefined);
  });
});

describe("gate 2b, preset", () => {
  it("hides what the preset does not name", () => {
    const preset = { name: "mine", tools: new Set(["a"]) };
    expect(presetGate({ name: "a" }, preset)).toBe(undefined);
    expect(presetGate({ name: "b" }, preset)).toBe('the preset "mine" does not name it');
    expect(presetGate({ name: "b" }, undefined)).toBe(undefined);
  });
});

describe("gate 4, availability", () => {
  const asked = { workspace: "/w" };
  it.each<[ToolOptions, string | undefined]>([
    [{}, undefined],
    [{ check: () => true, requiresEnv: ["SET"], canUse: () => true }, undefined],
    [{ check: () => false }, "its check did not say true"],
    [{ check: throwing }, "its check threw: no server"],
    [{ check: (async () => true) as never }, "its check gave a promise; it has to answer at once"],
    [{ check: (() => Promise.reject(new Error("x"))) as never }, "its check gave a promise; it has to answer at once"],
    [{ requiresEnv: ["SET", "EMPTY"] }, "the environment variable EMPTY is not set"],
    [{ requiresEnv: ["__proto__"] }, "the environment variable __proto__ is not set"],
    [{ canUse: () => false }, "its canUse did not say true"],
    [{ check: () => false, requiresEnv: ["UNSET"], canUse: throwing }, "its check did not say true"],
    [{ requiresEnv: ["UNSET"], canUse: throwing }, "the environment variable UNSET is not set"],
  ])("%j: %s", (options, reason) => {
    expect(availabilityGate(made(options), asked, { SET: "1", EMPTY: "" })).toBe(reason);
  });

  it("tells canUse who asks", () => {
    const canUse = vi.fn(() => true);
    availabilityGate(made({ canUse }), { source: "mail", workspace: "/w" });
    expect(canUse.mock.calls).toEqual([[{ source: "mail", workspace: "/w" }]]);
  });

  describe("remembered", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
    afterEach(() => void vi.useRealTimers());
    it("asks again after five seconds, and at once for another question", () => {
      const check = vi.fn(() => true);
      const one = made({ check });
      expect(rememberedAvailability(one, asked)).toBe(undefined);
      vi.setSystemTime(Date.now() + heldMs - 1);
      rememberedAvailability(one, asked);
      expect(check).toHaveBeenCalledTimes(1);
      rememberedAvailability(one, { ...asked, source: "mail" });
      expect(check).toHaveBeenCalledTimes(2);
      vi.setSystemTime(Date.now() + heldMs);
      check.mockReturnValue(false);
      expect(rememberedAvailability(one, { ...asked, source: "mail" })).toBe("its check did not say true");
    });
    it("does not trust a clock that went back", () => {
      const check = vi.fn(() => true);
      const one = made({ check });
      rememberedAvailability(one, asked);
      vi.setSystemTime(Date.now() - 60_000);
      rememberedAvailability(one, asked);
      expect(check).toHaveBeenCalledTimes(2);
    });
  });
});

describe("gate 6, deferral", () => {
  it.each([
    [{ defer: true }, false, [], "it asks for it (defer: true)"],
    [{ defer: true }, false, ["t"], undefined],
    [{}, false, [], undefined],
    [{}, true, [], "all tools together are too many to declare (deferAbove)"],
    [{}, true, ["t"], undefined],
    [{ defer: false }, true, [], undefined],
  ] as const)("%j crowded %s forced %j: %s", (options, crowded, forced, reason) => {
    expect(deferralGate(made(options), { crowded, forced })).toBe(reason);
  });
});

describe("the gates together", () => {
  const question: GateQuestion = {
    registered: true,
    preset: { name: "none of it", tools: new Set() },
    sources: ["mail"],
    workspace: "/w",
    allow: [[]],
    deny: ["t"],
  };
  const shut: ToolOptions = { expose: false, unsafeIn: ["mail"], check: () => false };
  it("name the first that keeps a tool out, in their order", () => {
    const { preset: _, ...withoutPreset } = question;
    const gateOf = (options: ToolOptions, asked: GateQuestion) => firstGate(made(options), asked)?.gate;
    expect(gateOf(shut, question)).toBe("exposure");
    expect(gateOf({ ...shut, expose: true }, question)).toBe("preset");
    expect(gateOf({ ...shut, expose: true }, withoutPreset)).toBe("source");
    expect(gateOf({ check: () => false }, withoutPreset)).toBe("availability");
    expect(gateOf({}, withoutPreset)).toBe("policy");
    expect(gateOf({}, { ...withoutPreset, allow: [], deny: [] })).toBe(undefined);
  });
  it("ask nothing of a tool that a gate before keeps out", () => {
    const check = vi.fn(() => true);
    firstGate(made({ check, unsafeIn: ["mail"] }), question);
    expect(check).not.toHaveBeenCalled();
  });
});
