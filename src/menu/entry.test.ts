import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RondoError } from "../error.ts";
import type { ToolContext } from "./context.ts";
import { menuTool, type OwnEntry } from "./entry.ts";
import { tool } from "./tool.ts";

const ctx = {} as ToolContext;
const input = z.object({ city: z.string() });

describe("menuTool", () => {
  it("gives a tool() its one form, with safe defaults", () => {
    const weather = tool({ name: "weather", description: "Weather.", input, execute: ({ city }) => `Sun in ${city}` });
    const made = menuTool(weather);
    expect(made).toMatchObject({
      name: "weather",
      description: "Weather.",
      readOnly: false,
      idempotent: false,
      repeatable: false,
      requiresApproval: false,
      timeoutMs: undefined,
      maxResultChars: undefined,
      unsafeIn: [],
      untrusted: false,
      source: weather,
    });
    expect(made.execute({ city: "Rome" }, ctx)).toBe("Sun in Rome");
    expect(made.declaration).toEqual({ name: "weather", description: "Weather.", parameters: made.input.jsonSchema });
    expect(made.declaration).toBe(made.declaration);
    expect(menuTool(weather)).toBe(made);
  });

  it("carries every option", () => {
    const options = {
      readOnly: true,
      idempotent: true,
      repeatable: true,
      requiresApproval: true,
      timeoutMs: Number.POSITIVE_INFINITY,
      maxResultChars: 10,
      unsafeIn: ["chat"],
      untrusted: true,
    };
    expect(menuTool(tool({ name: "a", ...options, execute: () => 1 }))).toMatchObject(options);
    const spec = { spec: { name: "a" }, execute: () => 1, ...options };
    expect(menuTool(spec)).toMatchObject(options);
  });

  it("asks an approval function with the arguments, and keeps its this", () => {
    const made = menuTool({
      spec: { name: "a" },
      execute: () => 1,
      limit: 3,
      requiresApproval(this: { limit: number }, args: { n: number }) {
        return args.n > this.limit;
      },
    } as OwnEntry);
    const asks = made.requiresApproval as (args: unknown) => unknown;
    expect([asks({ n: 4 }), asks({ n: 3 })]).toEqual([true, false]);
  });

  it("takes spec and execute of objects, instances and functions", () => {
    class Search {
      readonly spec = { name: "search", parameters: { type: "object", properties: { q: { type: "string" } } } };
      readonly prefix = "found ";
      execute(args: { q: string }): string {
        return this.prefix + args.q;
      }
    }
    const found = menuTool(new Search());
    expect(found.declaration.parameters).toEqual({ type: "object", properties: { q: { type: "string" } } });
    expect(found.execute({ q: "it" }, ctx)).toBe("found it");

    const logs = { spec: { name: "logs" }, execute: () => 0, logger: console, timeout: 5, names: [] };
    expect(menuTool(logs).timeoutMs).toBeUndefined();

    const callable = Object.assign(() => 0, {
      spec: { name: "f", input },
      execute: (args: { city: string }) => args.city,
    });
    expect(menuTool(callable).execute({ city: "Rome" }, ctx)).toBe("Rome");
    expect(menuTool(callable).input.validate({ city: 1 })).toHaveProperty("issues");
    expect(menuTool({ spec: { name: "none" }, execute: () => 0 }).declaration).toEqual({
      name: "none",
      description: "",
      parameters: { type: "object", properties: {} },
    });
  });

  const execute = (): number => 1;
  const mistakes: [string, unknown, RegExp][] = [
    ["no object", 5, /^tools\[2\]: a value of type number is no tool; write tool\(/],
    ["null", null, /^tools\[2\]: null is no tool/],
    ["undefined", undefined, /^tools\[2\]: a value of type undefined is no tool/],
    ["an array", [], /^tools\[2\]: an array is no tool/],
    ["an unmarked tool", { name: "a", execute }, /neither a tool\(\) nor.*wrap it in tool/],
    ["an empty object", {}, /neither a tool\(\) nor.*write tool/],
    ["a function", () => 1, /neither a tool\(\) nor/],
    ["a name", { named: "a" }, /tool\.named\("a"\) names a tool/],
    ["a spec that is none", { spec: "a", execute }, /spec must be an object, not "a"/],
    ["no executor", { spec: { name: "a" } }, /^tools\[2\] \("a"\): it has no executor/],
    ["no executor of a tool", tool({ name: "a" } as never), /has no executor/],
    ["an executor that is none", { spec: { name: "a" }, execute: "x" }, /has no executor/],
    ["no name", { spec: {}, execute }, /^tools\[2\]: it has no name/],
    ["an empty name", { spec: { name: "" }, execute }, /its name is empty/],
    ["a blank name", { spec: { name: " " }, execute }, /its name is empty/],
    ["a name that is none", { spec: { name: 5 }, execute }, /its name must be a text, not a value of type number/],
    ["a description that is none", { spec: { name: "a", description: 5 }, execute }, /description must be a text/],
    ["two inputs", { spec: { name: "a", input, parameters: {} }, execute }, /both parameters and input/],
    [
      "a schema that is none",
      { spec: { name: "a", input: "city" }, execute },
      /^tools\[2\] \("a"\): The input schema.*a string is no schema/,
    ],
    ...[0, -1, Number.NaN, "5", null].map((timeoutMs): [string, unknown, RegExp] => [
      `timeoutMs ${timeoutMs}`,
      { ...tool({ name: "a", execute }), timeoutMs },
      /timeoutMs must be a number above 0/,
    ]),
    [
      "maxResultChars 0",
      { ...tool({ name: "a", execute }), maxResultChars: 0 },
      /maxResultChars must be a number above 0/,
    ],
    [
      "a flag that is none",
      { ...tool({ name: "a", execute }), readOnly: "yes" },
      /readOnly must be true or false, not "yes"/,
    ],
    [
      "unsafeIn that is no list",
      { ...tool({ name: "a", execute }), unsafeIn: "chat" },
      /unsafeIn must be an array of texts/,
    ],
    [
      "approval that is none",
      { ...tool({ name: "a", execute }), requiresApproval: "yes" },
      /requiresApproval must be true, false or a function/,
    ],
  ];
  const declared = tool({ name: "pay", execute });
  mistakes.push(
    [
      "a misspelt option",
      { ...declared, requireApproval: true },
      /"pay"\): it has no option "requireApproval"; write "requiresApproval"/,
    ],
    ["an option in other letters", { ...declared, readonly: true }, /no option "readonly"; write "readOnly"/],
    ["an option that there is not", { ...declared, colour: 1 }, /no option "colour"; the options of a tool are name, /],
    [
      "a misspelt option beside spec",
      { spec: { name: "a" }, execute, readonly: true },
      /no option "readonly"; write "readOnly"/,
    ],
    [
      "an option inside of spec",
      { spec: { name: "a", requiresApproval: true }, execute },
      /its spec has "requiresApproval", which does not belong there; write "requiresApproval" beside spec/,
    ],
    [
      "a misspelt option inside of spec",
      { spec: { name: "a", requireApproval: true }, execute },
      /its spec has "requireApproval".*write "requiresApproval" beside spec/,
    ],
    ["one more", { spec: { name: "a" }, execute, requireApproval: true }, /write "requiresApproval"/],
  );
  it.each(mistakes)("says which entry is wrong, and why: %s", (_, entry, message) => {
    let thrown: unknown;
    try {
      menuTool(entry as OwnEntry, "tools[2]");
    } catch (error) {
      thrown = error;
    }
    expect(RondoError.isInstance(thrown) && thrown.code).toBe("invalid_tool");
    expect((thrown as Error).message).toMatch(message);
  });

  it("says whose schema cannot be declared", () => {
    const made = menuTool(tool({ name: "a", input: v.object({}) as never, execute }), "tools[1]");
    expect(() => made.declaration).toThrow(/^tools\[1\] \("a"\): The input schema cannot be used: a schema of valibot/);
  });
});
