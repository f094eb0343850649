import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, exec, method } from "../../src/core.ts";
import type { ScriptedCall } from "../../src/testing/index.ts";
import { call, picks, read, resultsOf, tokens } from "../loop/play.fixture.ts";
import { acting, pathsOf, promptOf, roundsOf } from "./agents.fixture.ts";

const usage = tokens(1, 1);

/** Runs whose prompt begins with "inner" call `work` once, with their prompt; the others pick `first`. */
const answering = (...first: readonly (string | ScriptedCall)[]) =>
  acting((request) => {
    const prompt = promptOf(request);
    if (roundsOf(request) > 0) return { text: `done ${prompt}`, usage };
    return {
      ...(prompt.startsWith("inner") ? picks(call("work", { of: prompt })) : picks(...first)),
      usage,
      delayMs: 1,
    };
  });
const numbers = Array.from({ length: 200 }, (_, i) => i);

describe("200 nested runs side by side", () => {
  test("each comes to its own answer and calls; usage adds up; all events are told, in order", async () => {
    const worked: string[] = [];
    const work = method({ name: "work", input: z.object({ of: z.string() }) }, ({ of }) => void worked.push(of));
    const all = method({ name: "all" }, () => Promise.all(numbers.map((i) => exec(`inner ${i}`, { tools: [work] }))));
    const run = createRuntime({ model: answering("all") }).run("go", { tools: [all] });
    const [result, events] = await Promise.all([run.result, read(run)]);
    expect(resultsOf(result.messages)[0]?.content).toEqual([
      { type: "json", value: numbers.map((i) => `done inner ${i}`) },
    ]);
    expect(worked.toSorted()).toEqual(numbers.map((i) => `inner ${i}`).toSorted());
    expect(result.usage).toMatchObject(tokens(402, 402));
    const paths = numbers.map((i) => `1/0/${i}`);
    expect(pathsOf(events).toSorted()).toEqual(["", ...paths].toSorted());
    for (const path of paths) {
      const own = events.filter((event) => event.path === path).map(({ type }) => type);
      expect([own[0], own.at(-1)]).toEqual(["agent_start", "agent_end"]);
    }
    const seqs = events.map(({ seq }) => seq);
    expect(seqs.every((seq, i) => i === 0 || seq > seqs[i - 1]!)).toBe(true);
  });

  test("that fail together fail their call once, and the run goes on", async () => {
    const all = method({ name: "all" }, () =>
      Promise.all(numbers.map((i) => exec(`inner ${i}`, { tools: [], toolChoice: "required" }))),
    );
    const result = await createRuntime({ model: answering("all") }).run("go", { tools: [all] }).result;
    expect(result).toMatchObject({ outcome: "stop", text: "done go" });
    expect(resultsOf(result.messages)).toMatchObject([{ isError: true }]);
  });
});

test("picked methods that overlap are bounded, and answered in order", async () => {
  let going = 0;
  let most = 0;
  const work = method({ name: "work", input: z.object({ of: z.string() }) }, ({ of }) => of);
  const nest = method({ name: "nest", input: z.object({ n: z.number() }), readOnly: true }, async ({ n }) => {
    most = Math.max(most, ++going);
    const text = await exec(`inner ${n}`, { tools: [work] });
    going--;
    return text;
  });
  const model = answering(...numbers.slice(0, 40).map((n) => call("nest", { n })));
  const result = await createRuntime({ model }).run("go", { tools: [nest], toolExecution: "overlap" }).result;
  expect(most).toBe(8);
  expect(resultsOf(result.messages).map(({ content }) => content[0])).toEqual(
    numbers.slice(0, 40).map((n) => ({ type: "text", text: `done inner ${n}` })),
  );
});
