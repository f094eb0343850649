import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type JsonSchema, RondoError } from "../../src/core.ts";
import { type ScriptedReply, scripted } from "../../src/testing/index.ts";

/** A tool as a server lists it. */
const listed = (name: string, parameters: JsonSchema, ran: string[] = []) => ({
  spec: { name, description: "From elsewhere.", parameters },
  execute: () => {
    ran.push(name);
    return "ok";
  },
});
const field = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { a: schema } });

const bad: [string, JsonSchema, RegExp][] = [
  ["a reference to nothing", field({ $ref: "#/$defs/gone" }), /\$ref "#\/\$defs\/gone" leads nowhere/],
  ["a reference elsewhere", field({ $ref: "https://a.example/s.json" }), /\$ref "https:\/\/a\.example\/s\.json"/],
  [
    "a reference to itself",
    { ...field({ $ref: "#/$defs/a" }), $defs: { a: { $ref: "#/$defs/a" } } },
    /\$ref "#\/\$defs\/a" leads back to itself/,
  ],
  ["a pattern that is none", field({ type: "string", pattern: "(" }), /#\/properties\/a\/pattern/],
  ["a type that is none", field({ type: "str" }), /#\/properties\/a\/type/],
  ["a root that is no object", { type: "string" }, /always an object/],
];

const call: ScriptedReply = { calls: [{ name: "good", arguments: "{}" }] };

async function run(options: ExecOptions) {
  const model = scripted([call, "Done."]);
  const begun = createRuntime({ model }).run("Go.", options);
  const warnings: string[] = [];
  for await (const event of begun) if (event.type === "warning") warnings.push(`${event.code}: ${event.message}`);
  const { outcome } = await begun.result;
  return { warnings, outcome, requests: model.requests };
}

describe("a tool whose raw schema cannot be used is left out of a run", () => {
  test.each(bad)("%s: said once with tool and place, the others stay", async (_, schema, says) => {
    const ran: string[] = [];
    const tools = [listed("bad", schema, ran), listed("good", field({ type: "string" }), ran)];
    const { warnings, outcome, requests } = await run({ tools });
    expect({ outcome, ran }).toEqual({ outcome: "stop", ran: ["good"] });
    expect(requests.map((request) => request.tools.map(({ name }) => name))).toEqual([["good"], ["good"]]);
    expect(warnings).toEqual([expect.stringMatching(says)]);
    expect(warnings[0]).toMatch(/^tool_schema: tools\[0\]: the tool "bad" was left out\. /);
  });

  const gone = listed("gone", bad[0]?.[1] as JsonSchema);
  const good = listed("good", { type: "object" });

  test.each<[string, ExecOptions, unknown, RegExp]>([
    ["its name", { tools: [gone, good], toolChoice: { type: "function", name: "gone" } }, "auto", /of gone .*"auto"/],
    [
      "several names",
      { tools: [gone, good], toolChoice: ["gone", "good"] },
      { type: "function", names: ["good"] },
      /of gone, good was taken for that of good/,
    ],
    ["any of none that is left", { tools: [gone], toolChoice: "required" }, "auto", /"required" was taken for "auto"/],
  ])("a choice of it does not stop the run: %s", async (_, options, choice, says) => {
    const { warnings, requests } = await run(options);
    expect(requests[0]?.toolChoice).toEqual(choice);
    expect(warnings).toContainEqual(expect.stringMatching(says));
  });

  test("a list that denies it is not misspelt, and a run inside says nothing more", async () => {
    const { warnings } = await run({ tools: [gone, good], toolsDeny: ["gone"] });
    expect(warnings).toEqual([expect.stringContaining('the tool "gone" was left out')]);

    const inner: string[][] = [];
    const nests = {
      ...listed("good", { type: "object" }),
      execute: async (
        _: unknown,
        ctx: { runtime: { exec(prompt: string, options: ExecOptions): Promise<string> } },
      ) => {
        const model = scripted(["In."]);
        await ctx.runtime.exec("In.", { model });
        inner.push(model.requests[0]?.tools.map(({ name }) => name) ?? []);
        return "ok";
      },
    };
    const outer = await run({ tools: [gone, nests as never] });
    expect(inner).toEqual([["good"]]);
    expect(outer.warnings).toHaveLength(1);
  });

  test("where tools are defined, it throws", async () => {
    const model = scripted([]);
    const codes: unknown[] = [];
    const noted = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        codes.push(RondoError.isInstance(error) && error.code);
      }
    };
    noted(() => createRuntime({ model, tools: [gone] }));
    noted(() => createRuntime({ model }).register(gone));
    expect(codes).toEqual(["invalid_tool", "invalid_tool"]);
    // A shorthand is no schema from elsewhere but a mistake.
    const short = listed("short", { city: "string" });
    await expect(createRuntime({ model }).exec("Go.", { tools: [short] })).rejects.toMatchObject({
      code: "invalid_tool",
    });
  });
});
