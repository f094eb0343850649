import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool } from "../menu/tool.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import { noUsage } from "../message/usage.ts";
import { compileChoices } from "./compile.ts";
import { judgeChoice } from "./judge.ts";
import { option } from "./option.ts";
import { compileOutput, judgeOutput } from "./output.ts";
import { parsePicks } from "./parse.ts";

const reply = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});

const call = tool({ name: "call", input: z.object({ name: z.string() }), execute: () => "" });
const decision = compileChoices({ refund: call, escalate: "ESCALATE" });
const picked = (text: string, of = decision) => {
  const parsed = parsePicks(text, of);
  return "problem" in parsed ? parsed.problem : `${parsed.picks[0].entry.name} ${parsed.picks[0].args}`;
};

describe("what stands inside a broken pick is no pick", () => {
  test.each([
    '{"call":"refund","args":{"name":"escalate"}',
    '{"call":"refund","args":{"name":"escalate"},}',
    '{"call":"refund","args":[{"name":"escalate"}],}',
    '{"thought":"hm","call":"refund","args":{"name":"escalate"}',
    '{call: "refund", args: {"name": "escalate"}}',
    "{'call': 'refund', 'args': {\"name\": \"escalate\"}}",
    '{"call":"refund","args":{"name":"say "hi" {"call":"escalate"}"}}',
    '{"call":"refund","args":{"name":"a\nb {"call":"escalate"}"}}',
  ])("%s", (text) => {
    expect(picked(text)).toMatch(/JSON/);
  });

  test("and a whole one behind it counts", () => {
    expect(picked('{"call":"refund",} no: {"call":"escalate"}')).toBe("escalate {}");
  });
});

describe("words of a result inside a pick's own arguments", () => {
  test.each(["Done. Observation: it works", "a <tool_result> b", "x\nTool result: y"])("%j", (name) => {
    const pick = JSON.stringify({ call: "refund", args: { name } });
    expect(picked(`So: ${pick}`)).toBe(`refund ${JSON.stringify({ name })}`);
  });
});

describe("hostile replies", () => {
  const deep = (open: string, close: string) => `${open.repeat(150_000)}1${close.repeat(150_000)}`;
  test.each([
    `{"call":"refund","args":${deep('{"a":', "}")}}`,
    `{"call":"refund","args":${deep("[", "]")}}`,
    deep('{"name":', "}"),
    '{"name":{"name":{"name":"escalate"}}}',
  ])("are read without a throw, and are no pick", (text) => {
    expect(picked(text)).toMatch(/JSON|no pick|no option/);
  });

  test("a megabyte of what never closes", () => {
    for (const piece of ["{", '{"a":', '{"a" ', '{"a"} {"', "[[", '["', "{ ", '{"call":"x",', "\n", "Observation "]) {
      picked(piece.repeat(Math.ceil(1_000_000 / piece.length)));
      picked(piece.repeat(100_000) + "}".repeat(100_000));
    }
  });
});

describe("numbers", () => {
  test("are no positions where options are numbers themselves", () => {
    const even = compileChoices([2, 4, 6]);
    expect(picked("3", even)).toMatch(/no pick/);
    expect(picked("4", even)).toBe("4 {}");
  });

  test("are what the menu shows, if they count", () => {
    expect(decision.menu).toMatch(/^1\. refund[\s\S]*^2\. escalate/m);
    expect(compileChoices([2, 4]).menu).toMatch(/^- 2[\s\S]*^- 4/m);
  });
});

test("a name that is the whole reply is taken as it stands before anything is taken off", () => {
  const of = compileChoices({ a: 1, "a.": 2, ﬁ: 3, fi: 4, "(x)": 5 });
  for (const name of ["a", "a.", "ﬁ", "fi", "(x)"]) expect(picked(name, of)).toBe(`${name} {}`);
});

describe("schema options", () => {
  const judged = async (choice: Parameters<typeof compileChoices>[0], text: string) => {
    const judgement = await judgeChoice(compileChoices(choice), reply(text));
    return judgement.valid ? judgement.value : judgement.reason;
  };
  const raw = option.schema({ type: "object", properties: { a: { type: "number" } }, required: ["a"] });

  test("the name stands, whatever the fields say; what is not declared is left out", async () => {
    const text = '{"call":"x","args":{"a":1,"decision":"y","__proto__":{"z":1},"b":2}}';
    expect(await judged({ x: raw }, text)).toStrictEqual({ decision: "x", a: 1 });
    const open = option.schema({ type: "object", additionalProperties: true });
    expect(await judged({ x: open }, '{"call":"x","args":{"b":2,"decision":"y"}}')).toEqual({ decision: "x", b: 2 });
    const loose = option.schema(z.looseObject({ a: z.number() }));
    expect(await judged({ x: loose }, '{"call":"x","args":{"a":1,"b":2}}')).toEqual({ decision: "x", a: 1, b: 2 });
  });

  test("fields that a transform makes are kept, and what is no object is a value", async () => {
    const renamed = option.schema(z.object({ a: z.number() }).transform(({ a }) => ({ b: a })));
    expect(await judged({ x: renamed }, '{"call":"x","args":{"a":1}}')).toEqual({ decision: "x", b: 1 });
    const bare = option.schema(z.object({ a: z.number() }).transform(({ a }) => [a]));
    expect(await judged({ x: bare }, '{"call":"x","args":{"a":1}}')).toEqual({ decision: "x", value: [1] });
  });

  test("a field named decision is a mistake", () => {
    const choices = { x: option.schema(z.object({ decision: z.string() })) };
    expect(() => compileChoices(choices)).toThrow(/choices\.x.*"decision"/);
  });

  test("a schema without option.schema around it is told so", () => {
    expect(() => compileChoices({ x: z.object({}) as never })).toThrow(/choices\.x.*option\.schema/);
    expect(() => compileChoices([option.value(1, { name: 5 as never })])).toThrow(/choices\[0\].*name/);
  });

  test("a schema that goes round in itself is rendered in a few lines", () => {
    const tree = { anyOf: [{ type: "array", items: { $ref: "#/$defs/tree" } }, { $ref: "#/$defs/tree2" }] };
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/tree" }, odd: { $ref: "#/$defs/a%" } },
      $defs: { tree, tree2: { anyOf: [{ $ref: "#/$defs/tree" }] }, "a%": { type: "string" } },
    };
    expect(compileChoices({ x: option.schema(schema) }).menu.length).toBeLessThan(2_000);
    expect(compileChoices({ x: option.schema(z.object({ any: z.json() })) }).menu.length).toBeLessThan(2_000);
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const wide = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { $ref: "#" }])) };
    expect(compileChoices({ x: option.schema(wide) }).menu.length).toBeLessThan(10_000);
  });

  test("what allOf adds is shown", () => {
    const both = z.intersection(z.object({ a: z.number() }), z.object({ b: z.boolean() }));
    expect(compileChoices({ x: option.schema(both) }).menu).toContain('{"call":"x","args":{"a":0,"b":false}}');
    const parts = [{ properties: { b: { type: "boolean" } } }, { $ref: "#/$defs/c" }];
    const $defs = { c: { properties: { c: { enum: ["x", "y"] } } } };
    const raw = option.schema({
      type: "object",
      properties: { a: { type: ["integer", "null"] } },
      allOf: parts,
      $defs,
    });
    const { menu } = compileChoices({ x: raw });
    expect(menu).toContain('{"call":"x","args":{"a":"…","b":false,"c":"x"}}'.replace('"…"', "0"));
    expect(menu).toContain("a: integer or null; optional");
  });
});

describe("output", () => {
  const judged = async (schema: Parameters<typeof compileOutput>[0], text: string) => {
    const judgement = await judgeOutput(compileOutput(schema), reply(text));
    return judgement.valid ? judgement.value : judgement.reason;
  };

  test.each(["high", "**high**", '"high"', "high.", "```\nhigh\n```", 'It is:\n```json\n"high"\n```'])(
    "an enum as %j",
    async (text) => {
      expect(await judged(z.enum(["low", "high"]), text)).toBe("high");
    },
  );

  test.each(["42", "42.", "`42`", '"42"', "The answer:\n```json\n42\n```"])("a number as %j", async (text) => {
    expect(await judged(z.number(), text)).toBe(42);
  });

  test("a text stays a text, byte for byte", async () => {
    for (const text of ["42", "**bold**", "null", '{"a":1}', "It is:\n```\nx\n```"])
      expect(await judged(z.string(), text)).toBe(text);
  });

  test("null and nothing are no object", async () => {
    const optional = z.object({ a: z.number().optional() });
    for (const text of ["null", '""', "", "none"]) expect(await judged(optional, text)).toMatch(/schema|no JSON/);
  });

  test("what stands inside broken JSON is no result", async () => {
    const list = z.array(z.number().optional());
    expect(await judged(list, '{"a":[1,2],}')).toMatch(/breaks/);
    expect(await judged(z.object({ a: z.number().optional() }), '[{"a":1},]')).toMatch(/breaks/);
  });

  test("the last that fits is taken; if none does, the last is told", async () => {
    const point = z.object({ x: z.number() });
    expect(await judged(point, 'Not {"x":1} but {"x":2}, see {"y":1} and [3].')).toEqual({ x: 2 });
    expect(await judged(point, '{"x":"a"} and {"x":true}')).toMatch(/boolean/);
  });
});

test("reasoning is not read", () => {
  const message: AssistantMessage = {
    ...reply("escalate"),
    content: [
      { type: "reasoning", text: '{"call":"refund"}' },
      { type: "text", text: "escalate" },
    ],
  };
  expect(picked(textOf(message))).toBe("escalate {}");
});

describe("any reply at all", () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    "\n",
    "```",
    ":",
    ",",
    '{"a":1}',
    '{"a":',
    "null",
    "\ud800",
    "__proto__",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 40 })
    .map((parts) => parts.join(""));
  const schemas = [z.object({ a: z.number() }), z.array(z.json()), z.number(), z.string(), z.enum(["a", "b"])];
  const outputs = schemas.map((schema) => ({ schema, output: compileOutput(schema) }));

  test("is judged without a throw, and what is taken fits", async () => {
    const property = fc.asyncProperty(text, fc.constantFrom(...outputs), async (said, { schema, output }) => {
      const judged = await judgeOutput(output, reply(said));
      if (judged.valid) expect(schema.safeParse(judged.value).success).toBe(true);
      else expect(judged.reason).toContain(output.prompt);
      const choice = await judgeChoice(decision, reply(said));
      if (!choice.valid) expect(choice.reason).toContain(decision.menu);
    });
    await fc.assert(property, { numRuns: 2_000 });
  });

  test("that ends with a value of its own yields that value", async () => {
    const prose = fc.string({ maxLength: 60 }).filter((said) => !/[{}[\]"`]/.test(said));
    const schema = z.object({ value: z.json() });
    const output = compileOutput(schema);
    const property = fc.asyncProperty(prose, fc.jsonValue(), prose, async (before, value, behind) => {
      const judged = await judgeOutput(output, reply(`${before}${JSON.stringify({ value })}${behind}`));
      // Behind the schema, which leaves out "__proto__".
      expect(judged).toEqual({ valid: true, value: schema.parse(JSON.parse(JSON.stringify({ value }))) });
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
