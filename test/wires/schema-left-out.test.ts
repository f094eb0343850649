import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type JsonSchema, tool } from "../../src/core.ts";
import { asked } from "./declared.ts";
import { rulesOf } from "./declared-tools.ts";
import { problemsOf } from "./schema-rules.ts";
import { wires } from "./wires.ts";

/** A tool whose author shows another schema than the one that decides. */
const shows = (name: string, jsonSchema: JsonSchema) =>
  tool({ name, description: "Shows.", input: { schema: z.looseObject({}), jsonSchema }, execute: () => "ok" });

const good = shows("good", { type: "object", properties: { a: { type: "string" } }, required: ["a"] });
const outside = shows("outside", {
  type: "object",
  properties: { a: { items: { $ref: "https://example.test/a.json" } } },
});
const nowhere = shows("nowhere", { type: "object", properties: { b: { $ref: "#/$defs/gone" } }, $defs: {} });

describe.each(wires)("$name", (wire) => {
  const warnings = ({ events }: Awaited<ReturnType<typeof asked>>) =>
    events.flatMap((event) => (event.type === "warning" ? [`${event.code}: ${event.message}`] : []));

  test("a tool that can be sent in no form is left out, said once with tool, keyword and place; the others go", async () => {
    const result = await asked(wire, [outside, good, nowhere], [[0, '{"a":"x"}']]);
    expect(result.bodies).toHaveLength(2);
    expect(result.declared.map(({ name }) => name)).toEqual(["good"]);
    expect(problemsOf(result.declared[0]?.schema, rulesOf(wire.name))).toEqual([]);
    expect(warnings(result)).toEqual([
      expect.stringMatching(/^tool_schema: The tool "outside" was left out.*\$ref at #\/properties\/a\/items\/\$ref/),
      expect.stringMatching(/^tool_schema: The tool "nowhere" was left out.*\$ref at #\/properties\/b\/\$ref/),
    ]);
  });

  test("a choice of a tool that was left out is not sent", async () => {
    const toolChoice = { type: "function", name: "outside" } as const;
    const result = await asked(wire, [outside, good], [], { toolChoice });
    expect(result.choice).toEqual(wire.auto);
    expect(warnings(result)).toContainEqual(
      'tool_choice: The choice of outside was sent as "auto": outside was left out.',
    );
  });

  test("of a choice of several the ones that were left out are not sent", async () => {
    const result = await asked(wire, [outside, good, shows("other", {})], [], { toolChoice: ["outside", "good"] });
    expect(result.choice).toEqual(wire.forced("good"));
    expect(warnings(result)).toContainEqual(
      "tool_choice: The choice of outside, good was sent of good alone: outside was left out.",
    );
  });

  test("if all are left out, no tools are sent", async () => {
    const result = await asked(wire, [outside, nowhere], [], { toolChoice: "required" });
    expect(result.declared).toEqual([]);
    expect(result.choice).toBe(undefined);
  });

  test("names of arguments that a provider does not take", async () => {
    const odd = { "filter[id]": { type: "string" }, ok: { type: "integer" } };
    const optional = shows("optional", { type: "object", properties: odd, additionalProperties: false });
    const needed = shows("needed", { type: "object", properties: odd, required: ["filter[id]"] });
    const result = await asked(wire, [optional, needed]);
    const looks = rulesOf(wire.name).argumentNames !== undefined;
    expect(result.declared.map(({ name }) => name)).toEqual(looks ? ["optional"] : ["optional", "needed"]);
    for (const { schema } of result.declared) {
      expect(problemsOf(schema, rulesOf(wire.name))).toEqual([]);
      expect(JSON.stringify(schema)).toContain("filter[id]");
    }
    expect(warnings(result)).toEqual(
      looks ? [expect.stringMatching(/"needed" was left out.*properties at #\/properties\/filter\[id\]/)] : [],
    );
  });
});
