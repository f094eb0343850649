import { describe, expect, test } from "vitest";
import { call, converse, type Tools, userTools, workspace } from "./offline.fixture.ts";

describe("several steps", () => {
  const measured = { pattern: "^", path: "src" };
  const all = { output: "count", max: 2000 };
  const counted = call("grep", { ...measured, ...all });
  test.each<[string, readonly string[]]>([
    [
      "Find the longest source file under src, read its first lines, then list what it exports.",
      [
        call("grep", { ...measured, glob: "**/*.{ts,tsx,js,jsx,mjs,py,rs,go,java,c,cpp}", ...all }),
        call("read_file", { path: "src/b.ts", limit: 20 }),
        call("grep", { pattern: "^export\\b", path: "src/b.ts" }),
      ],
    ],
    [
      'Count the lines of the files matching src/**/*.ts, read the head of the longest one, then grep "export" in it.',
      [
        call("grep", { pattern: "^", glob: "src/**/*.ts", output: "count" }),
        call("read_file", { path: "src/b.test.ts", limit: 20 }),
        call("grep", { pattern: "export", path: "src/b.test.ts" }),
      ],
    ],
    [
      "Find the shortest file in src and show me its first 5 lines",
      [counted, call("read_file", { path: "src/c.ts", limit: 5 })],
    ],
    [
      "Find package.json, then read it",
      [call("glob", { pattern: "**/package.json" }), call("read_file", { path: "package.json" })],
    ],
    [
      "Find all TypeScript files; read the second one",
      [call("glob", { pattern: "**/*.ts" }), call("read_file", { path: "src/b.ts" })],
    ],
    [
      "Find all TypeScript files; read the last one",
      [call("glob", { pattern: "**/*.ts" }), call("read_file", { path: "src/b.test.ts" })],
    ],
    [
      'List src, then search it for "decide"',
      [call("list_dir", { path: "src" }), call("grep", { pattern: "decide", path: "src" })],
    ],
    [
      "Read src/a.ts, then list its exports",
      [call("read_file", { path: "src/a.ts" }), call("grep", { pattern: "^export\\b", path: "src/a.ts" })],
    ],
    ["1. List src\n2. Read src/a.ts", [call("list_dir", { path: "src" }), call("read_file", { path: "src/a.ts" })]],
    [
      "What is the weather in Paris and what is the status of order B-22?",
      [call("get_weather", { city: "Paris" }), call("order_status", { order_id: "B-22" })],
    ],
    [
      "Read src/a.ts, then read src/a.ts",
      [call("read_file", { path: "src/a.ts" }), call("read_file", { path: "src/a.ts" })],
    ],
  ])("%j", async (request, expected) => {
    expect((await converse(request, workspace)).calls).toEqual(expected);
  });

  test("a field of a structured result feeds a parameter of that name", async () => {
    const tools = [
      ...userTools,
      {
        name: "last_order",
        description: "Finds the last order of a customer.",
        parameters: { type: "object", properties: { customer: { type: "string" } }, required: ["customer"] },
      },
    ];
    const answer: Tools = ({ name }) =>
      name === "last_order" ? { json: { order: { orderId: "C-7" } } } : { json: { state: "sent" } };
    const { calls } = await converse("Find the last order of customer Miller, then look up its status", answer, {
      tools,
    });
    expect(calls).toEqual([call("last_order", { customer: "Miller" }), call("order_status", { order_id: "C-7" })]);
  });

  test("the result of code is written where the request says", async () => {
    const tool = (name: string, description: string, ...names: readonly string[]) => ({
      name,
      description,
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          names.map((one) => [one, { type: "string", description: "JavaScript or a path" }]),
        ),
        required: names,
      },
    });
    const tools = [
      tool("run_code", "Runs JavaScript.", "code"),
      tool("write_file", "Writes a file.", "path", "content"),
    ];
    const { calls } = await converse("Run `6 * 7` and write the result to out.txt", () => "42\n", { tools });
    expect(calls).toEqual([
      call("run_code", { code: "6 * 7" }),
      call("write_file", { path: "out.txt", content: "42" }),
    ]);
  });

  test("nothing is passed on from a step that found nothing, and the report says so", async () => {
    const { calls, text } = await converse(
      'Search for "nope" in src; then read the first match',
      () => "[No match for /nope/ in 3 files.]",
    );
    expect(calls).toEqual([call("grep", { pattern: "nope", path: "src" })]);
    expect(text).toContain("[No match for /nope/ in 3 files.]");
    expect(text).toContain("could not tell path");
  });

  test('"them" is never narrowed to one in silence', async () => {
    const { calls, text } = await converse("Find all TypeScript files, then read each of them", workspace);
    expect(calls).toEqual([call("glob", { pattern: "**/*.ts" })]);
    expect(text).toContain('Not done: "read each of them"');
  });
});
