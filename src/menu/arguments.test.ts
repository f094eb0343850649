import { type } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../model/model.ts";
import { type ReadArguments, readArguments } from "./arguments.ts";
import { compileInput } from "./schema.ts";
import type { ToolInput } from "./tool.ts";

function read(input: ToolInput | undefined, raw: string): ReadArguments {
  const result = readArguments(compileInput(input), raw, "weather");
  if (result instanceof Promise) throw new Error("must be synchronous");
  return result;
}

const problem = (result: ReadArguments): string => ("problem" in result ? result.problem : "");

const city = z.object({ city: z.string(), days: z.number().int().optional() });
const rawCity: JsonSchema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};

describe("blank arguments (ARGS-01, ARGS-03)", () => {
  it.each(["", " ", "\n", '""', '" "', "null"])("%j is an empty object", (raw) => {
    for (const input of [undefined, z.object({}), { type: "object" }, {}]) {
      expect(read(input, raw)).toEqual({ value: {}, repairs: 1 });
    }
  });

  it("{} is itself", () => {
    expect(read(undefined, "{}")).toEqual({ value: {}, repairs: 0 });
  });

  it.each(["", " ", '""'])("%j misses what is required, in words", (raw) => {
    for (const input of [city, rawCity]) {
      expect(problem(read(input, raw))).toMatch(
        /^The arguments of "weather" are not valid, so it was not run:\n- city: /,
      );
    }
  });
});

describe("arguments as they are", () => {
  it("pass without a repair, also where one could be made", () => {
    expect(read(rawCity, '{"city":"42","days":2}')).toEqual({ value: { city: "42", days: 2 }, repairs: 0 });
    expect(read(z.object({ n: z.coerce.number() }), '{"n":"42"}')).toEqual({ value: { n: 42 }, repairs: 0 });
    const either = { type: "object", properties: { p: { anyOf: [{ type: "object" }, { type: "string" }] } } };
    expect(read(either, '{"p":"{\\"a\\":1}"}')).toEqual({ value: { p: '{"a":1}' }, repairs: 0 });
  });

  it("are the tool's own copy (SEC-06)", () => {
    const raw = '{"city":"Rome","list":[1]}';
    for (const input of [rawCity, undefined]) {
      const first = read(input, raw) as { value: { city: string; list: number[] } };
      first.value.city = "changed";
      first.value.list.push(2);
      expect(read(input, raw)).toEqual({ value: { city: "Rome", list: [1] }, repairs: 0 });
    }
  });
});

describe("repairs", () => {
  it.each([
    ["zod", city],
    ["arktype", type({ city: "string", "days?": "number.integer" })],
    ["raw", rawCity],
  ] as [string, ToolInput][])("are made and counted where %s refuses", (_, input) => {
    expect(read(input, '{"city":"Rome","days":"2"}')).toEqual({ value: { city: "Rome", days: 2 }, repairs: 1 });
    expect(read(input, '{"city":"Rome","days":null}')).toEqual({ value: { city: "Rome" }, repairs: 1 });
    const twice = JSON.stringify('{"city":"Rome","days":"2"}');
    expect(read(input, twice)).toEqual({ value: { city: "Rome", days: 2 }, repairs: 2 });
  });

  it("tell what is left when they do not suffice", () => {
    expect(problem(read(rawCity, '{"city":1,"days":"2"}'))).toBe(
      'The arguments of "weather" are not valid, so it was not run:\n- city: must be string, not number\nCall it again with arguments that fit its schema.',
    );
  });
});

describe("a schema that takes a promise", () => {
  const input = z.object({ id: z.string(), n: z.number().refine(async (n) => n < 5, "is too big") });
  it("is awaited, before and after a repair", async () => {
    const run = (raw: string) => readArguments(compileInput(input), raw, "weather");
    expect(run('{"id":"a","n":1}')).toBeInstanceOf(Promise);
    expect(await run('{"id":"a","n":1}')).toEqual({ value: { id: "a", n: 1 }, repairs: 0 });
    expect(await run('{"id":"a","n":"1"}')).toEqual({ value: { id: "a", n: 1 }, repairs: 1 });
    expect(problem(await run('{"id":"a","n":"9"}'))).toContain("- n: is too big");
  });
});

describe("what is no JSON object", () => {
  it.each([
    ["[1]", "must be a JSON object, not an array"],
    ["5", "must be a JSON object, not a number"],
    ["true", "must be a JSON object, not a boolean"],
    ['"hello"', "must be a JSON object, not a string"],
  ])("%j is told", (raw, message) => {
    for (const input of [undefined, rawCity, {}]) {
      expect(problem(read(input, raw))).toContain(`- (all arguments): ${message}`);
    }
  });

  it("is told with position and what may have happened", () => {
    expect(problem(read(city, '{"city":"Ro'))).toBe(
      'The arguments of "weather" are not valid JSON, so it was not run: they end too early, at position 11, and may have been cut off. Call it again with complete arguments; if they are long, split the work over several calls.',
    );
    expect(problem(read(city, "{city:1}"))).toBe(
      'The arguments of "weather" are not valid JSON, so it was not run: they break at position 1, near "{city:1}". Call it again with one JSON object and nothing around it.',
    );
  });
});

describe("a problem", () => {
  it("is bounded, however much is wrong", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${"k".repeat(300)}${index}`, 1]));
    const strict = { type: "object", additionalProperties: { type: "string" } };
    const text = problem(read(strict, JSON.stringify(many)));
    expect(text.length).toBeLessThan(4_100);
    expect(text).toMatch(/- and \d+ more\n/);
    expect(problem(read(city, `{${"x".repeat(1_000_000)}`)).length).toBeLessThan(400);
    const long = z.object({ a: z.string().refine(() => false, "no ".repeat(5000)) });
    expect(problem(read(long, '{"a":"x"}')).length).toBeLessThan(600);
  });

  it("has one line per issue and no stack", () => {
    const thrower = z.object({ a: z.string().refine(() => false, "one\ntwo") });
    expect(problem(read(thrower, '{"a":"x"}')).split("\n")[1]).toBe("- a: one two");
  });
});
