import { describe, expect, test } from "vitest";
import { type Message, type Tool, type ToolOptions, tool } from "../../src/core.ts";
import { answers, call, picks, play } from "../loop/play.fixture.ts";

const through = (name: string, args: unknown = {}) => call("call_tool", { name, arguments: args } as never);
const search = (query: string, limit?: number) => call("tool_search", { query, ...(limit !== undefined && { limit }) });
const waiting = (name: string, description: string, input?: object, options: ToolOptions = {}) =>
  tool({
    name,
    description,
    defer: true,
    ...(input && { input: input as never }),
    ...options,
    execute: () => `ran ${name}`,
  });

async function asked(tools: readonly Tool<never>[], ...calls: ReturnType<typeof call>[]): Promise<readonly string[]> {
  const { result } = await play([picks(...calls), "done"], { tools });
  return answers(result.messages as readonly Message[]);
}
const found = (text = "") => [...text.matchAll(/^\{"name":"((?:[^"\\]|\\.)*)"/gm)].map(([, name]) => name);

describe("names of any kind", () => {
  const odd = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "send the mail",
    "naïve.größe",
    "発注 を 送る",
    "🙂",
    "a/b?c=d",
  ];
  const tools = odd.map((name, at) => waiting(name, `Turns dial number ${at}.`));
  test.each(odd)("%s is found by its name and runs", async (name) => {
    const [selected, ran] = await asked(tools, search(`select:${name}`), through(name));
    expect([found(selected), ran]).toEqual([[name], `ran ${name}`]);
  });
  test.each(["constructor", "toString", "valueOf", "__proto__"])("%s is no tool unless there is one", async (name) => {
    const [selected, ran] = await asked([waiting("mail", "Sends mail.")], search(`select:${name}`), through(name));
    expect(selected).toContain(`There is no tool "${name}" here.`);
    expect(ran).toContain(`There is no tool "${name}"`);
  });
});

describe("queries of any kind", () => {
  const tools = [
    waiting("weather", "Current weather of a city."),
    waiting("tenki", "東京などの天気予報を調べます"),
    waiting("pogoda", "Показывает погоду в городе"),
    waiting("akas", "พยากรณ์อากาศรายวัน"),
    waiting("other", "Does it all, for you and me."),
  ];
  test.each([
    ["明日の天気", ["tenki"]],
    ["天気", ["tenki"]],
    ["погоду", ["pogoda"]],
    ["อากาศ", ["akas"]],
    ["the you and me", ["other"]],
    ["🙂🙃", []],
    ["(.*)+$ [a-z]{1,99} \\", ["weather"]],
    [`weather ${"(a+)+".repeat(20_000)}`, ["weather"]],
    [Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(" "), []],
    [`weather ${"+".repeat(100_000)}`, ["weather"]],
    [`${"+weather ".repeat(10_000)}`, ["weather"]],
    ["天".repeat(100_000), []],
    ["\ud800 weather \0", ["weather"]],
  ])("%.30s", async (query, names) => {
    const [said = ""] = await asked(tools, search(query, 1));
    expect(found(said)).toEqual(names);
    expect(said.length).toBeLessThan(1_000);
  });
  test("a hundred thousand names that nothing has", async () => {
    const [said = ""] = await asked(
      tools,
      search(`select:${"x,y,".repeat(1_000)}${Array.from({ length: 20_000 }, (_, at) => `n${at}`)}`),
    );
    expect(said.split("\n")).toHaveLength(20);
  });
});

describe("schemas of any size", () => {
  const deep = (levels: number): object =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { next: deep(levels - 1) } };
  const wide = (count: number) => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `field_${at}`,
        { type: "string", description: `Number ${at} of the dial.` },
      ]),
    ),
    required: ["field_0"],
  });
  const small = Array.from({ length: 3 }, (_, at) =>
    waiting(`small_${at}`, "Turns a dial.", {
      type: "object",
      properties: { to: { type: "integer", description: "Where to." } },
    }),
  );
  test.each<[string, object]>([
    ["a hundred levels", deep(100)],
    ["a megabyte of fields", wide(15_000)],
    [
      "a long description",
      { type: "object", properties: { a: { type: "string", description: "dial ".repeat(200_000) } } },
    ],
    [
      "many values",
      { type: "object", properties: { a: { enum: Array.from({ length: 50_000 }, (_, at) => `value ${at}`) } } },
    ],
    ["long names", { type: "object", properties: { ["n".repeat(500_000)]: { type: "string" } } }],
  ])("%s leave room for the others", async (_, schema) => {
    const tools = [waiting("huge", "Turns the big dial.", schema), ...small];
    const [said = "", selected = "", wrong = ""] = await asked(
      tools,
      search("turn the dial"),
      search("select:huge,small_1"),
      call("call_tool", { name: "huge", arguments: "none" }),
    );
    expect(wrong).toContain('The parameters of "huge"');
    expect(wrong.length).toBeLessThan(10_000);
    expect(found(said).sort()).toEqual(["huge", "small_0", "small_1", "small_2"]);
    expect(found(selected)).toEqual(["huge", "small_1"]);
    for (const text of [said, selected]) {
      expect(text.length).toBeLessThanOrEqual(30_000);
      expect(text).toContain('"to":{"type":"integer","description":"Where to."}');
      for (const line of text.split("\n").slice(1)) expect(() => JSON.parse(line)).not.toThrow();
    }
  });
  test("twenty large ones are all there, in the room that a result has", async () => {
    const tools = Array.from({ length: 20 }, (_, at) => waiting(`large_${at}`, "Turns a dial.", wide(200)));
    const { result } = await play([picks(search("dial", 20)), "done"], { tools });
    const [said = ""] = answers(result.messages);
    expect(found(said)).toHaveLength(20);
    expect(said.length).toBeLessThanOrEqual(30_000);
  });
  test("a deep argument is told in its upper part, and that it was shortened", async () => {
    const [said = ""] = await asked(
      [waiting("huge", "Turns.", { ...wide(2_000), description: "Dials." })],
      search("select:huge"),
    );
    expect(said).toContain('"note":"shortened');
    expect(said).toContain('"field_0":{"type":"string"');
    expect(said).toContain('"required":["field_0"]');
  });
});

test("ten thousand tools: the right one is found and runs, and the block stays small", async () => {
  const tools = Array.from({ length: 10_000 }, (_, at) => waiting(`thing_${at}`, `Turns dial ${at} of the plant.`));
  const { model, result } = await play([picks(search("turn dial 7341")), picks(through("thing_7341")), "done"], {
    tools,
  });
  const [said, ran] = answers(result.messages);
  expect(found(said)[0]).toBe("thing_7341");
  expect(ran).toBe("ran thing_7341");
  expect(JSON.stringify(model.requests[0]!.tools).length).toBeLessThan(2_000);
});

test("of hundreds of names in a list that nothing has the first are told, with near ones, and how many more there are", async () => {
  const tools = Array.from({ length: 1_000 }, (_, at) => waiting(`thing_${at}`, "Turns a dial."));
  const toolsDeny = Array.from({ length: 500 }, (_, at) => `thnig_${at}`);
  const { events } = await play(["done"], { tools, toolsDeny });
  const warned = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  expect(warned.filter((text) => text.includes("toolsDeny")).length).toBe(20);
  expect(warned.at(-1)).toBe("… and 480 more of these.");
  expect(warned.filter((text) => text.includes("Did you mean")).length).toBe(20);
});
