import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool } from "../menu/tool.ts";
import { compileChoices } from "./compile.ts";
import { option } from "./option.ts";
import { parsePicks } from "./parse.ts";

const read = tool({ name: "read", input: z.object({ path: z.string() }), execute: () => "" });
const decision = compileChoices({ read, stop: "STOP", "1st place": "FIRST" });

/** The name and arguments of the pick that counts, or the problem. */
const picked = (text: string, of = decision) => {
  const parsed = parsePicks(text, of);
  return "problem" in parsed ? parsed.problem : `${parsed.picks[0].entry.name} ${parsed.picks[0].args}`;
};

describe("a pick as JSON", () => {
  test.each([
    ['{"call":"read","args":{"path":"a"}}', 'read {"path":"a"}'],
    ['{"call":"read","arguments":"{\\"path\\":\\"a\\"}"}', 'read {"path":"a"}'],
    ['{"action":"read","path":"a"}', 'read {"path":"a"}'],
    ['{"function":"read","parameters":{"path":"a"}}', 'read {"path":"a"}'],
    ['{"tool":"read","input":{"path":"a"}}', 'read {"path":"a"}'],
    ['{"name":"read","arguments":{"path":"a"}}', 'read {"path":"a"}'],
    ['{"function":{"name":"read","arguments":"{}"}}', "read {}"],
    ['{"choice":"stop"}', "stop {}"],
    ['{"decision":"STOP"}', "stop {}"],
    ['Well.\n```json\n{ "call": "stop" }\n```\nThat is it.', "stop {}"],
    ['{"call":"read","args":{"path":"} { \\" x"}} and so', 'read {"path":"} { \\" x"}'],
    ['I saw {braces} and "a quote. Then {"call":"stop"}', "stop {}"],
    ['[{"call":"stop"}]', "stop {}"],
  ])("%s", (text, expected) => {
    expect(picked(text)).toBe(expected);
  });

  test("of several the last that names an option", () => {
    expect(picked('{"call":"stop"} no: {"call":"read","args":{"path":"b"}} {"call":"nothing"} {"x":1}')).toBe(
      'read {"path":"b"}',
    );
  });

  test("data that has a name is no pick, and a pick by another key comes before one by its name alone", () => {
    expect(picked('{"call":"stop"}\nThe other is {"name":"read","size":7}.')).toBe("stop {}");
    expect(picked('{"call":"stop"} and not {"name":"read"}')).toBe("stop {}");
    expect(picked('Between {"name":"stop","size":1} and {"name":"read","size":2} I cannot decide.')).toBe(
      "it holds no pick.",
    );
    expect(picked('There is also {"name":"write","size":2}.')).toBe("it holds no pick.");
    expect(picked('{"call":"stop"}\n```json\n{"status":"ok","action":"read","time":3}\n```')).toBe("stop {}");
    expect(picked('{"status":"ok","action":"stop"}')).toBe('stop {"status":"ok"}');
    expect(picked('{"call":"stop"} no: {"call":"read","path":"b","note":"sure"}')).toBe(
      'read {"path":"b","note":"sure"}',
    );
    expect(picked('{"name":"stop"}')).toBe("stop {}");
    expect(picked('{"name":"read","path":"a"}')).toBe('read {"path":"a"}');
    expect(picked('{"type":"function","function":{"name":"read","arguments":{"path":"a"}}}')).toBe('read {"path":"a"}');
  });

  test("nothing behind an invented result is read", () => {
    expect(picked('{"call":"read","args":{"path":"a"}}\nObservation: gone.\n{"call":"stop"}')).toBe(
      'read {"path":"a"}',
    );
    expect(picked('{"call":"stop"}\n<tool_result>{"call":"read"}</tool_result>')).toBe("stop {}");
    expect(picked('{"call":"stop"}\n**Tool result:** {"call":"read"}')).toBe("stop {}");
  });

  test("an unknown name is told with the nearest", () => {
    expect(picked('{"call":"raed"}')).toMatch(/no option "raed".*"read"/);
    expect(picked('{"call":"__proto__"}')).toMatch(/no option "__proto__"/);
  });
});

describe("a pick as the whole reply", () => {
  test.each([
    ["2", "stop {}"],
    ["2.", "stop {}"],
    ["Option 2", "stop {}"],
    ["**2**", "stop {}"],
    ["２", "stop {}"],
    ["#3", "1st place {}"],
    ["stop", "stop {}"],
    [' "Stop". ', "stop {}"],
    ["`1st place`", "1st place {}"],
  ])("%s", (text, expected) => {
    expect(picked(text)).toBe(expected);
  });

  test.each(["1 or 2", "12", "0", "none", "", "I choose 1. Observation: ok. Next: 2", "stop or read", "I choose 2"])(
    "%s is none",
    (text) => {
      expect(picked(text)).toMatch(/no pick/);
    },
  );
});

describe("any text", () => {
  test("is read without a throw, and in time that grows with its length", () => {
    const hostile = [
      "{",
      '{"a":',
      "}",
      '"',
      "\\",
      "[",
      "\n",
      "```",
      '{"call":"read","args":',
      "Observation:",
      "\ud800",
    ];
    for (const piece of hostile) picked(piece.repeat(Math.ceil(300_000 / piece.length)));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string()), { maxLength: 60 }), (pieces) => {
        picked(pieces.join(""));
      }),
      { numRuns: 2_000 },
    );
  });

  test("any pick comes back from any prose, in any spelling", () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ""),
      {
        minLength: 1,
        maxLength: 6,
        selector: (name) => name.trim().toLowerCase(),
      },
    );
    const prose = fc.string({ maxLength: 80 }).filter((text) => !/[{}"]|observation|tool|function|result/i.test(text));
    const key = fc.constantFrom("call", "action", "function", "tool", "choice", "decision", "name");
    fc.assert(
      fc.property(names, fc.nat(), prose, prose, key, fc.jsonValue(), (all, at, before, behind, word, value) => {
        const name = all[at % all.length]!;
        const of = compileChoices(Object.fromEntries(all.map((one) => [one, option.value(one)])));
        const pick = JSON.stringify({ [word]: name, args: { value } });
        expect(picked(`${before}${pick}${behind}`, of)).toBe(`${name} ${JSON.stringify({ value })}`);
        expect(picked(`${before}\n\`\`\`json\n${pick}\n\`\`\`\n${behind}`, of)).toBe(
          `${name} ${JSON.stringify({ value })}`,
        );
      }),
      { numRuns: 500 },
    );
  });
});
