import { describe, expect, test } from "vitest";
import { clausesOf } from "./clauses.ts";
import { mentionsOf } from "./mentions.ts";
import { ask, everyTool, user } from "./offline.fixture.ts";
import { planOf } from "./plan.ts";
import { menuOf } from "./profile.ts";

const size = 100_000;
const full = (piece: string) => piece.repeat(Math.ceil(size / piece.length));

const hostile = [
  "a",
  " ",
  "'",
  '"',
  "`",
  "```\n",
  "(",
  "[",
  "[1,",
  "“",
  "read the file ",
  "read a and read b, ",
  "Paris, ",
  "1 ",
  "a.b.",
  "/",
  "*",
  "Aa ",
  "for x ",
  "$1,",
  "-",
  "1 + ",
  "a@",
  "read a.ts\n",
  "x'y ",
  "é",
  "path=",
  "Read src/a.ts. ",
  "in the ",
  "find the file that uses ",
  "read the file that ",
  "without changing ",
  "lines 1 to ",
  "weather in Paris and ",
  "March ",
  "AB ",
  "show lines 1 to 2 of a.ts, then ",
  "if ",
  "a_",
  "\uE000",
  "aB",
  "saying : ",
  "replace 'a' with 'b' and ",
];
const crowd = Array.from({ length: 200 }, (_, index) => {
  const tool = everyTool[index % everyTool.length]!;
  return { ...tool, name: `${tool.name}_${index}`, description: `${tool.description} Variant ${index}.` };
});

describe.each(hostile)("100 kB of %j", (piece) => {
  const request = full(piece);
  test("few and short clauses are read of it, with few things in them", () => {
    const clauses = clausesOf(request);
    expect(clauses.length).toBeLessThanOrEqual(33);
    for (const { text, held } of clauses) {
      expect(text.length).toBeLessThan(20_000);
      expect(mentionsOf(text, held).length).toBeLessThanOrEqual(60);
    }
  });
  test("the work ends, with two hundred tools too", async () => {
    const { text, calls } = await ask([user(request)], { tools: crowd });
    expect(calls.length + text.length).toBeGreaterThan(0);
  });
});

test("what is not read is said", async () => {
  const { text } = await ask([user(full("Is it so? "))]);
  expect(text).toContain("It is more than I read at once.");
});

test("nothing is picked when the work for a request is spent", () => {
  const stretches = [{ request: "Read src/a.ts", done: [] }];
  const situation = { stretches, earlier: [], ids: new Set<string>() };
  const menu = menuOf(everyTool);
  expect(planOf(situation, menu, "auto").next?.name).toBe("read_file");
  expect(planOf(situation, menu, "auto", 0).next).toBeUndefined();
});

test("a long text in quotes is taken whole", async () => {
  const long = "for the file ".repeat(5000);
  const tool = {
    name: "write_file",
    description: "Writes a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  };
  const { calls } = await ask([user(`Write "${long}" to a.txt`)], { tools: [tool] });
  expect(calls).toEqual([`write_file ${JSON.stringify({ path: "a.txt", content: long })}`]);
});
