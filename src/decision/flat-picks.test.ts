import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { AssistantMessage } from "../message/message.ts";
import { noUsage } from "../message/usage.ts";
import { compileChoices } from "./compile.ts";
import { judgeChoice } from "./judge.ts";
import { option } from "./option.ts";
import { parsePicks } from "./parse.ts";

const saying = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});

const nameKeys = ["call", "action", "function", "tool", "choice", "decision", "name"];
const argumentKeys = ["args", "arguments", "parameters", "input"];

const texts = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

describe("fields that are called as the keys of a pick are", () => {
  const decision = compileChoices({
    stop: "STOP",
    order: option.schema(z.object({ name: z.string(), choice: z.string(), tool: z.string().optional() })),
    shell: option.schema(z.object({ args: z.string(), input: z.string().optional() })),
    nested: option.schema(z.object({ args: z.object({ args: z.string() }), tool: z.object({ name: z.string() }) })),
    vague: option.schema(z.object({ args: z.unknown() })),
    loose: option.schema(z.looseObject({ name: z.string() })),
  });
  const decided = async (pick: object) => {
    const judged = await judgeChoice(decision, saying(JSON.stringify(pick)));
    return judged.valid ? judged.value : judged.reason.split("\n\n", 1)[0];
  };

  test.each<[object, unknown]>([
    [
      { decision: "order", name: "Bob", choice: "red" },
      { decision: "order", name: "Bob", choice: "red" },
    ],
    [
      { decision: "order", name: "Bob", choice: "stop" },
      { decision: "order", name: "Bob", choice: "stop" },
    ],
    [
      { name: "Bob", choice: "stop", tool: "order", call: "order" },
      { decision: "order", name: "Bob", choice: "stop", tool: "order" },
    ],
    [
      { call: "shell", args: "ls -l" },
      { decision: "shell", args: "ls -l" },
    ],
    [
      { call: "shell", args: "ls", input: "{}" },
      { decision: "shell", args: "ls", input: "{}" },
    ],
    [
      { call: "shell", args: { args: "ls", input: "x" } },
      { decision: "shell", args: "ls", input: "x" },
    ],
    [
      { call: "nested", args: { args: "a" }, tool: { name: "stop" } },
      { decision: "nested", args: { args: "a" }, tool: { name: "stop" } },
    ],
    [
      { call: "nested", args: { args: { args: "a" }, tool: { name: "stop" } } },
      { decision: "nested", args: { args: "a" }, tool: { name: "stop" } },
    ],
    [
      { call: "loose", args: { name: "stop", call: "stop", args: {} } },
      { decision: "loose", name: "stop", call: "stop", args: {} },
    ],
    [
      { call: "vague", args: { args: 1, extra: 2 } },
      { decision: "vague", args: 1 },
    ],
    [{ decision: "stop", reason: "enough" }, "STOP"],
    [{ action: "stop", name: "Bob" }, "STOP"],
    [
      { type: "function", function: { name: "order", arguments: '{"name":"a","choice":"b"}' } },
      { decision: "order", name: "a", choice: "b" },
    ],
  ])("%j", async (pick, value) => {
    expect(await decided(pick)).toEqual(value);
  });

  test("what is wrong with a pick does not make it one of another option", async () => {
    expect(await decided({ decision: "order", choice: "stop" })).toMatch(/name/);
    expect(await decided({ decision: "order", choice: "stop", colour: "red" })).toMatch(/name/);
    expect(await decided({ call: "order", args: { name: "a" } })).toMatch(/choice/);
  });
});

describe("any options with any fields", () => {
  const word = fc.oneof(fc.constantFrom(...nameKeys, ...argumentKeys), fc.string({ minLength: 1, maxLength: 8 }));
  const optionName = word.filter((name) => name.trim() !== "");
  const fields = fc.uniqueArray(
    word.filter((name) => name !== "decision" && name !== "__proto__"),
    { maxLength: 5 },
  );
  const options = fc.uniqueArray(fc.tuple(optionName, fc.oneof(fc.constant(undefined), fields)), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name.trim().toLowerCase(),
  });
  const compile = (all: readonly (readonly [string, readonly string[] | undefined])[]) =>
    compileChoices(
      Object.fromEntries(
        all.map(([name, own]) => [
          name,
          own ? option.schema({ ...texts(...own), required: own }) : option.value(`value of ${name}`),
        ]),
      ),
    );
  /** The option, and a text for each of its fields: often the name of an option. */
  const picks = options.chain((all) =>
    fc.record({
      all: fc.constant(all),
      at: fc.nat(all.length - 1),
      said: fc.array(fc.oneof(fc.constantFrom(...all.map(([name]) => name)), word, fc.constant("{}")), {
        minLength: 5,
        maxLength: 5,
      }),
      key: fc.constantFrom(...nameKeys),
    }),
  );

  test("the pick as the menu shows it comes back as that very pick", async () => {
    await fc.assert(
      fc.asyncProperty(picks, async ({ all, at, said }) => {
        const [name, own] = all[at]!;
        const decision = compile(all);
        const args = Object.fromEntries((own ?? []).map((field, i) => [field, said[i]!]));
        const pick = JSON.stringify({ call: name, ...(own && own.length > 0 && { args }) });
        const parsed = parsePicks(pick, decision);
        expect("picks" in parsed && parsed.picks[0]).toMatchObject({ entry: { name }, args: JSON.stringify(args) });
        const judged = await judgeChoice(decision, saying(pick));
        expect(judged).toMatchObject({
          valid: true,
          entry: { name },
          value: own ? { decision: name, ...args } : `value of ${name}`,
        });
      }),
      { numRuns: 1_500 },
    );
  });

  test("so does a flat one, unless all of it is as good a pick of another option", async () => {
    await fc.assert(
      fc.asyncProperty(picks, async ({ all, at, said, key }) => {
        const [name, own = []] = all[at]!;
        fc.pre(!own.includes(key));
        // Another option that has the key as a field and is named under one of these: nobody can tell them apart.
        fc.pre(!all.some(([other, others]) => other !== name && others?.includes(key) && said.includes(other)));
        const decision = compile(all);
        const args = Object.fromEntries(own.map((field, i) => [field, said[i]!]));
        const judged = await judgeChoice(decision, saying(JSON.stringify({ [key]: name, ...args })));
        expect(judged).toMatchObject({ valid: true, entry: { name } });
        if (judged.valid && judged.entry.kind === "schema") expect(judged.value).toEqual({ decision: name, ...args });
      }),
      { numRuns: 1_500 },
    );
  });
});
