import { describe, expect, test } from "vitest";
import { callsInText } from "./calls-in-text.ts";
import { textGate } from "./text-gate.ts";

const isTool = (name: string) => name === "read_file" || name === "list_dir";
const read = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
const list = '{"name": "list_dir", "arguments": {}}';
const names = (text: string) => callsInText(text, isTool)?.map(({ name }) => name);

describe("calls that a model wrote down as text", () => {
  test.each([
    [read, ["read_file"]],
    [`\n${read}\n${list}`, ["read_file", "list_dir"]],
    [`[${read}, ${list}]`, ["read_file", "list_dir"]],
    [`\`\`\`json\n${read}\n\`\`\``, ["read_file"]],
    [`<tool_call>\n${read}\n</tool_call>`, ["read_file"]],
    ['{"type": "function", "function": {"name": "list_dir", "arguments": "{}"}}', ["list_dir"]],
    ['{"name": "list_dir", "parameters": {"path": "} {"}}', ["list_dir"]],
    [`${read}\n${list.slice(0, -3)}`, ["read_file"]],
    [`${read}\nThe file says hello.`, ["read_file"]],
    [`${read} {"name": "rm", "arguments": {}}`, ["read_file"]],
  ])("%s", (text, expected) => expect(names(text)).toEqual(expected));

  test.each([
    "",
    "Hello.",
    '{"port": 8421}',
    '{"name": "rm", "arguments": {}}',
    `Call ${read}`,
    read.slice(0, -1),
    "{}",
  ])("none in %s", (text) => expect(names(text)).toBeUndefined());
});

describe("what may be a call is held back", () => {
  const told = (...pieces: string[]) => {
    const gate = textGate();
    return { told: pieces.map((piece) => gate.pass(piece)), rest: gate.rest() };
  };
  test("plain text streams", () => {
    expect(told("Hel", "lo {name}", ", `code`\n", "\nbye")).toEqual({
      told: ["Hel", "lo {name}", ", `code`", "\n\nbye"],
      rest: "",
    });
  });
  test("from a line that begins as a call does, all is held", () => {
    expect(told("Sure:", "\n", "``", "`json\n{", "}\n```\nbye")).toEqual({
      told: ["Sure:", "", "", "", ""],
      rest: "\n```json\n{}\n```\nbye",
    });
    expect(told(' {"name"', ": 1}")).toEqual({ told: ["", ""], rest: ' {"name": 1}' });
    expect(told("", "`", "x` is a name")).toEqual({ told: ["", "", "`x` is a name"], rest: "" });
  });
});
