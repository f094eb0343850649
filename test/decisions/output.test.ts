import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { call, failure, picks, usersOf } from "../loop/play.fixture.ts";

const City = z.object({ name: z.string(), people: z.number() });

describe("output", () => {
  test("exec resolves to the value of the schema", async () => {
    const model = scripted(['```json\n{"name":"Oslo","people":700000}\n```']);
    const city: { name: string; people: number } = await createRuntime({ model }).exec("go", {
      tools: [],
      output: City,
    });
    expect(city).toEqual({ name: "Oslo", people: 700_000 });
    expect(model.requests[0]?.system).toContain('"people"');
  });

  test("tools may be used before", async () => {
    const look = tool({ name: "look", execute: () => "seen" });
    const model = scripted([picks(call("look")), 'Here: {"name":"Oslo","people":"7"}']);
    expect(await createRuntime({ model }).exec("go", { tools: [look], output: City })).toEqual({
      name: "Oslo",
      people: 7,
    });
  });

  test("an invalid one is repaired once, with the issues", async () => {
    const model = scripted(['{"name":"Oslo"}', '{"name":"Oslo","people":1}']);
    expect(await createRuntime({ model }).exec("go", { tools: [], output: City })).toEqual({ name: "Oslo", people: 1 });
    expect(usersOf(model.requests[1]?.messages).at(-1)).toMatch(/people/);
  });

  test("of any type, transforms applied", async () => {
    const runtime = (reply: string) => createRuntime({ model: scripted([reply]) });
    expect(await runtime("[1, 2]").exec("go", { tools: [], output: z.array(z.number()) })).toEqual([1, 2]);
    expect(await runtime("plain words").exec("go", { tools: [], output: z.string() })).toBe("plain words");
    expect(await runtime("7").exec("go", { tools: [], output: { type: "integer" } })).toBe(7);
    const length = z.string().transform((text) => text.length);
    expect(await runtime('"four"').exec("go", { tools: [], output: length })).toBe(4);
  });

  test("refusal, cut, cap and undecided have their own errors", async () => {
    const code = async (script: Parameters<typeof scripted>[0], extra = {}) =>
      (
        (await failure(
          createRuntime({ model: scripted(script) }).exec("go", { tools: [], output: City, ...extra }),
        )) as { code: string }
      ).code;
    expect(await code([{ text: "no", stopReason: "refusal" }])).toBe("refusal");
    expect(
      await code([
        { text: '{"name"', stopReason: "length" },
        { text: '{"na', stopReason: "length" },
      ]),
    ).toBe("length");
    expect(await code(["x", "y"])).toBe("undecided");
    const look = tool({ name: "look", execute: () => "seen" });
    expect(await code([picks(call("look")), "no json"], { tools: [look], maxIterations: 1 })).toBe("max_iterations");
    expect(await code([picks(call("look"))], { tools: [look], maxIterations: 1, atLimit: "stop" })).toBe(
      "max_iterations",
    );
  });

  test("at a limit the closing reply's value counts (with a warning), and its text alone does not", async () => {
    const look = tool({ name: "look", execute: () => "seen" });
    const model = scripted([picks(call("look")), '{"name":"Oslo","people":1}']);
    expect(await createRuntime({ model }).exec("go", { tools: [look], output: City, maxIterations: 1 })).toEqual({
      name: "Oslo",
      people: 1,
    });
  });
});
