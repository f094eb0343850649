import { expect, test } from "vitest";
import { itemsOf } from "./found.ts";

const result = (text: string) => ({
  own: true,
  call: { type: "tool_call", id: "1", name: "grep", arguments: "{}" } as const,
  arguments: {},
  result: {
    role: "tool",
    callId: "1",
    toolName: "grep",
    content: [{ type: "text", text } as const],
    isError: false,
  } as const,
});

test("the files of a result, each once", () => {
  expect(itemsOf(result("src/a.ts: 4\n7 src/b.ts\nsrc/c.ts:3:x\nsrc/c.ts:9:y\nd.ts"))).toEqual([
    { path: "src/a.ts", count: 4 },
    { path: "src/b.ts", count: 7 },
    { path: "src/c.ts" },
    { path: "d.ts" },
  ]);
});

test("a line of more than 1,000 characters names no file", () => {
  expect(itemsOf(result(`src/a.ts:1:${"x".repeat(1000)}\nb.ts\n1 ${"a/".repeat(15_000)}!`))).toEqual([
    { path: "b.ts" },
  ]);
});
