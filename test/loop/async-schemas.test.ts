import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool } from "../../src/core.ts";
import { answers, call, picks, play } from "./play.fixture.ts";
import { expectNothingUnhandled } from "./unhandled.fixture.ts";

expectNothingUnhandled();

describe("TOOL-13 a schema whose own code rejects", () => {
  const throwing = async (): Promise<boolean> => {
    throw new Error("the check is down");
  };
  test.each([
    ["an async refinement", z.object({ n: z.number().refine(throwing) })],
    [
      "one that only promises",
      z.object({ n: z.number() }).refine(() => Promise.reject(new Error("the check is down"))),
    ],
    ["an async transform", z.object({ n: z.number().transform(throwing) })],
    [
      "a refinement deep inside",
      z.object({ n: z.number(), list: z.array(z.object({ x: z.string().refine(throwing) })) }),
    ],
  ])("%s: an error result, and nothing is unhandled", async (_, input) => {
    const log: unknown[] = [];
    const one = tool({
      name: "one",
      input: { schema: input, jsonSchema: { type: "object" } },
      execute: (args) => void log.push(args),
    });
    const { result } = await play([picks(call("one", { n: 1, list: [{ x: "y" }] })), "done"], { tools: [one] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*the check is down/s)]);
    expect(log).toEqual([]);
  });

  test("in a schema that holds itself", async () => {
    const node = z.object({
      name: z.string().refine(throwing),
      get children() {
        return z.array(node).optional();
      },
    });
    const one = tool({ name: "one", input: node, execute: () => "ran" });
    const { result } = await play([picks(call("one", { name: "x", children: [{ name: "y" }] })), "done"], {
      tools: [one],
    });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*the check is down/s)]);
  });

  test("one that is only slow is waited for", async () => {
    const input = z.object({ n: z.number().refine(async (n) => n > 1, "too small") });
    const one = tool({ name: "one", input, execute: ({ n }) => `got ${n}` });
    const { result } = await play([picks(call("one", { n: 1 }), call("one", { n: 2 })), "done"], { tools: [one] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*too small/s), "got 2"]);
  });
});
