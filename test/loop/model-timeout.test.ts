import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, method, type ToolEntry, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, never, picks, play, refuses } from "./play.fixture.ts";

const timeoutMs = { argument: "timeout_ms", min: 5, max: 40, default: 20 } as const;
const parameters = {
  type: "object",
  properties: { timeout_ms: { type: "integer" } },
} as const;

describe("a timeout that the model gives", () => {
  const seen: unknown[] = [];
  const note = (args: unknown) => void seen.push(args);
  const forms: readonly (readonly [string, ToolEntry])[] = [
    [
      "tool()",
      tool({ name: "wait", input: z.object({ timeout_ms: z.number().optional() }), timeoutMs, execute: note }),
    ],
    ["spec and execute", { spec: { name: "wait", parameters }, timeoutMs, execute: note } as ToolEntry],
    ["a method", method({ name: "wait", input: parameters, timeoutMs }, note) as unknown as ToolEntry],
  ];

  test.each(forms)("%s: is brought within bounds, and so the tool gets it", async (_, entry) => {
    seen.length = 0;
    const given = [{}, { timeout_ms: 1 }, { timeout_ms: 30 }, { timeout_ms: 9e9 }, { timeout_ms: "30" }];
    const calls = given.map((args) => call("wait", args));
    const { result } = await play([picks(...calls), "done"], { tools: [entry] });
    expect(result.outcome).toBe("stop");
    expect(seen).toEqual([20, 5, 30, 40, 30].map((timeout_ms) => ({ timeout_ms })));
    // The history holds what the model said.
    expect(JSON.stringify(result.messages)).toContain("9000000000");
  });

  test("is when the call is given up, that call alone", async () => {
    const slow = tool({ name: "slow", input: parameters, timeoutMs, execute: never });
    const { result } = await play([picks(call("slow", { timeout_ms: 1 }), call("slow", {})), "done"], {
      tools: [slow],
    });
    expect(answers(result.messages)).toEqual([
      expect.stringContaining("timed out after 0.005 s"),
      expect.stringContaining("timed out after 0.02 s"),
    ]);
  });

  test("what a schema makes something else of is left as it is", async () => {
    seen.length = 0;
    const input = z.object({ timeout_ms: z.number().transform((ms) => `${ms} ms`) });
    const odd = tool({ name: "odd", input, timeoutMs, execute: note });
    await play([picks(call("odd", { timeout_ms: 7 })), "done"], { tools: [odd] });
    expect(seen).toEqual([{ timeout_ms: "7 ms" }]);
  });

  test("is found in unions and behind references", async () => {
    const field = { type: "object", properties: { timeout_ms: { type: "integer" } } };
    for (const input of [
      { anyOf: [{ type: "object", properties: { a: {} } }, field] },
      { $ref: "#/$defs/x", $defs: { x: field } },
      { allOf: [field] },
    ]) {
      const one = tool({ name: "one", input: { type: "object", ...input }, timeoutMs, execute: () => "ok" });
      expect(await createRuntime({ model: scripted(["done"]) }).exec("go", { tools: [one] })).toBe("done");
    }
  });

  test.each([
    ["no such argument", { ...timeoutMs, argument: "timeout" }, /"timeout", which its input does not have.*timeout_ms/],
    ["an inherited name", { ...timeoutMs, argument: "constructor" }, /"constructor", which its input does not have/],
    ["no argument", { min: 1, max: 2 }, /timeoutMs.* needs argument/],
    ["no bounds", { argument: "timeout_ms" }, /timeoutMs.* needs min and max/],
    ["bounds the wrong way", { ...timeoutMs, min: 50 }, /min at most default at most max/],
    ["a bound that is none", { ...timeoutMs, max: Number.NaN }, /numbers above 0/],
    ["a default outside", { ...timeoutMs, default: 50 }, /min at most default at most max/],
    ["a misspelt field", { ...timeoutMs, maximum: 5 }, /has "maximum"; its fields are argument, min, max, default/],
    ["text", "5", /must be a number above 0/],
  ])("a clear mistake: %s", async (_, wrong, says) => {
    const one = tool({ name: "one", input: parameters, timeoutMs: wrong as never, execute: () => "ok" });
    await refuses({ tools: [one] }, "invalid_tool", says);
    const asMethod = () => method({ name: "one", input: parameters, timeoutMs: wrong as never }, () => "ok");
    if (!/input does not have/.test(says.source)) expect(asMethod).toThrow(says);
    else await refuses({ tools: [asMethod() as unknown as ToolEntry] }, "invalid_tool", says);
  });
});
