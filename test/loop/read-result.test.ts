import { describe, expect, test } from "vitest";
import { createRuntime, method, result, type ToolEntry, tool } from "../../src/core.ts";
import { KeptResults } from "../../src/menu/kept-results.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { readResult } from "../../src/tools/index.ts";
import { answers, call, picks, play, resultsOf } from "./play.fixture.ts";

const digits = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(5, "0")).join("");
const long = (text = digits, extra = {}) =>
  tool({ name: "long", maxResultChars: 1_000, execute: () => text, ...extra });

const idIn = (text: string): string => /read_result\(\{"id":"(\w+)"/.exec(text)?.[1] ?? expect.unreachable(text);

type Requests = Parameters<Extract<ScriptEntry, (...args: never[]) => unknown>>[0];

/** A reply that reads on in the first result that was cut. */
const reading =
  (...pages: readonly { readonly offset?: number; readonly limit?: number }[]) =>
  ({ messages }: Requests) => {
    const id = idIn(answers(messages).find((text) => text.includes("read_result({")) ?? "");
    return picks(...pages.map((page) => call("read_result", { id, ...page })));
  };

describe("a result that was cut", () => {
  test("names how to read on, and all of it can be read, page by page", async () => {
    const read: string[] = [];
    const next: ScriptEntry = ({ messages }) => {
      const [first, ...pages] = answers(messages);
      const id = idIn(first!);
      if (pages.length === 0) return picks(call("read_result", { id }));
      const page = /^(\d*)\n\[characters \d+ to \d+ of 50000(?:; go on with offset (\d+)|, the end)\]$/;
      const [, text, on] = page.exec(pages.at(-1)!)!;
      read.push(text!);
      return on === undefined ? "done" : picks(call("read_result", { id, offset: Number(on) }));
    };
    const script: ScriptEntry[] = [picks("long"), ...Array.from({ length: 6 }, () => next)];
    const model = { ...scripted(script), contextTokens: 10_000 };
    const run = createRuntime({ model }).run("go", { tools: [long(), readResult] });
    const { messages, outcome } = await run.result;
    expect(outcome).toBe("stop");
    const [cut, ...pages] = answers(messages);
    expect(cut!.length).toBeLessThanOrEqual(1_000);
    const said = /\n\[\.\.\. (\d+) of 50000 characters left out; read on with .*"offset":(\d+)\}\) \.\.\.\]\n/.exec(
      cut!,
    )!;
    const [head, tail] = cut!.split(said[0]!);
    expect(head).toBe(digits.slice(0, Number(said[2])));
    expect(tail).toBe(digits.slice(Number(said[2]) + Number(said[1])));
    expect(read.join("")).toBe(digits);
    // A page is as long as a result may be, and is itself not cut.
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(12_000);
    expect(pages.length).toBe(5);
  });

  test("is cut as ever where nothing can read it on: byte for byte", async () => {
    const { result: run } = await play([picks("long"), "done"], { tools: [long()] });
    expect(answers(run.messages)[0]).toMatch(/\n\[\.\.\. \d+ of 50000 characters left out \.\.\.\]\n/);
    const other = tool({ name: "read_result", execute: () => "mine" });
    const { result: mine } = await play([picks("long", "read_result"), "done"], { tools: [long(), other] });
    expect(answers(mine.messages)).toEqual([answers(run.messages)[0], "mine"]);
    const { result: denied } = await play([picks("long"), "done"], {
      tools: [long(), readResult],
      toolsDeny: ["read_result"],
    });
    expect(answers(denied.messages)[0]).toBe(answers(run.messages)[0]);
  });

  test("JSON and several parts are one text; pages split no pair of surrogates", async () => {
    const parts = tool({
      name: "parts",
      maxResultChars: 300,
      execute: () =>
        result({
          content: [
            { type: "json", value: { a: "x".repeat(500) } },
            { type: "text", text: "😀😀" },
          ],
        }),
    });
    const at = JSON.stringify({ a: "x".repeat(500) }).length;
    const pages = [
      { offset: 0, limit: 6 },
      { offset: 0, limit: 1 },
      { offset: at, limit: 3 },
      { offset: at + 1, limit: 1 },
      { offset: at + 3 },
    ];
    const { result: run } = await play([picks("parts"), reading(...pages), "done"], { tools: [parts, readResult] });
    const total = at + 4;
    expect(answers(run.messages).slice(1)).toEqual([
      `{"a":"\n[characters 0 to 6 of ${total}; go on with offset 6]`,
      `{\n[characters 0 to 1 of ${total}; go on with offset 1]`,
      `😀\n[characters ${at} to ${at + 2} of ${total}; go on with offset ${at + 2}]`,
      `😀\n[characters ${at} to ${at + 2} of ${total}; go on with offset ${at + 2}]`,
      `😀\n[characters ${at + 2} to ${total} of ${total}, the end]`,
    ]);
  });

  test.each(["sequential", "overlap"] as const)("untrusted stays untrusted when it is read on (%s)", async (how) => {
    const { result: run } = await play(
      [picks("long"), reading({ limit: 5 }), reading({ offset: 5, limit: 5 }), "done"],
      {
        tools: [long(digits, { untrusted: true, readOnly: true }), readResult],
        toolExecution: how,
      },
    );
    const [cut, ...pages] = answers(run.messages);
    const word = /^\[untrusted content (\w+):/.exec(cut!)![1]!;
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(page).toMatch(new RegExp(`^\\[untrusted content ${word}: .*\\]\\n\\d{5}\\n`));
    // What is the program's own is not marked.
    const { result: own } = await play([picks("long"), reading({ limit: 5 }), "done"], { tools: [long(), readResult] });
    expect(answers(own.messages)[1]).toMatch(/^00000\n\[characters/);
  });

  test("is shared by runs inside, and each form of tool", async () => {
    const said: string[] = [];
    const nested = tool({
      name: "nested",
      execute: async (_, ctx) => {
        const inner = createRuntime({ model: scripted([picks("long"), "inside"]) }).run("go", {
          tools: [long(), readResult],
        });
        const { messages } = await inner.result;
        said.push(answers(messages)[0]!);
        return ctx.runtime.workspace === "" ? "" : "ok";
      },
    });
    const asMethod = method({ name: "method", maxResultChars: 500 }, () => digits) as unknown as ToolEntry;
    const spec: ToolEntry = { spec: { name: "spec" }, execute: () => digits, maxResultChars: 500 } as ToolEntry;
    const { result: run } = await play(
      [
        picks("nested", "method", "spec", "long"),
        ({ messages }) => {
          const ids = [...said, ...answers(messages).slice(1)].map(idIn);
          expect(new Set(ids).size).toBe(4);
          return picks(...ids.map((id) => call("read_result", { id, offset: 49_995 })));
        },
        "done",
      ],
      { tools: [nested, asMethod, spec, tool.named("long"), readResult] },
      { tools: [long()] },
    );
    expect(answers(run.messages).slice(4)).toEqual(
      Array(4).fill("09999\n[characters 49995 to 50000 of 50000, the end]"),
    );
  });
});

describe("an id", () => {
  test("of another run, never seen, or behind the end of the text: a clear error", async () => {
    const { result: first } = await play([picks("long"), "done"], { tools: [long(), readResult] });
    const id = idIn(answers(first.messages)[0]!);
    const { result: second } = await play(
      [
        picks(call("read_result", { id }), call("read_result", { id: "__proto__" })),
        picks("long"),
        ({ messages }) => picks(call("read_result", { id: idIn(answers(messages)[2]!), offset: 50_000 })),
        picks(call("read_result", { id: "r1" })),
        "done",
      ],
      { tools: [long(), readResult], messages: [] },
    );
    const [other, proto, cut, behind, guessed] = answers(second.messages);
    expect(other).toMatch(new RegExp(`^! There is no result "${id}" in this run.*No cut result is kept here`));
    expect(proto).toMatch(/^! There is no result "__proto__" in this run/);
    expect(behind).toMatch(/^! The result "\w+" has 50,000 characters, so there are none at 50000/);
    expect(guessed).toContain(`There are: ${idIn(cut!)}.`);
  });

  test("outside of a run there are none", async () => {
    await expect(readResult.execute({ id: "x" }, { maxResultChars: 1_000 } as never)).rejects.toThrow(/No cut result/);
  });

  test("of a text that had to go is known as such", async () => {
    const huge = "x".repeat(20 * 2 ** 20);
    let answer = "";
    await play(
      [
        picks("long"),
        picks("long"),
        ({ messages }) => {
          const [gone, there] = resultsOf(messages).map((one) =>
            idIn(JSON.stringify(one.content).replaceAll("\\", "")),
          );
          return picks(call("read_result", { id: gone! }), call("read_result", { id: there!, limit: 3 }));
        },
        ({ messages }) => {
          answer = answers(messages).slice(2).join(" | ");
          return "done";
        },
      ],
      { tools: [long(huge), readResult] },
    );
    expect(answer).toMatch(
      /^! The text of "\w+" is gone: a run keeps 33,554,432 characters.* \| xxx\n\[characters 0 to 3/,
    );
  });

  test("what is too long to be kept at all is cut as ever", () => {
    const kept = new KeptResults(10);
    expect(kept.keep("a", "x".repeat(11), false)).toBeUndefined();
    const ids = ["a", "b", "c"].map((key) => kept.keep(key, "x".repeat(4), false)!);
    expect(ids.map((id) => kept.find(id))).toEqual(["gone", expect.anything(), expect.anything()]);
    // The same call done again is the same result.
    expect(kept.keep("c", "y", true)).toBe(ids[2]);
    expect(kept.find(ids[2]!)).toEqual({ text: "y", untrusted: true });
    expect(kept.find(ids[1]!)).toEqual({ text: "xxxx", untrusted: false });
  });
});
