import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createRuntime,
  type ExecOptions,
  exec,
  method,
  type RuntimeOptions,
  run,
  type Tool,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, hanging, logged, picks, read, sleep, tokens, until } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, namesOf } from "./agents.fixture.ts";

expectNothingUnhandled();

type Ask = () => Promise<unknown>;

/** Code of a tool's author that is asked about a call and asks a model itself. */
const kinds: readonly (readonly [string, (ask: Ask) => Tool])[] = [
  [
    "a rule of approval",
    (ask) =>
      tool({
        name: "t",
        requiresApproval: async () => {
          await ask();
          return false;
        },
        execute: () => "ran",
      }) as Tool,
  ],
  [
    "a rule that gives a lazy thenable",
    (ask) => {
      const lazy = {
        // biome-ignore lint/suspicious/noThenProperty: such a thenable is what is tried
        then: (done: (is: boolean) => void, fail: () => void) => void ask().then(() => done(false), fail),
      };
      return tool({
        name: "t",
        requiresApproval: () => lazy as unknown as Promise<boolean>,
        execute: () => "ran",
      }) as Tool;
    },
  ],
  [
    "an async refinement of its arguments",
    (ask) =>
      tool({
        name: "t",
        input: z.object({
          a: z.string().refine(async () => {
            await ask();
            return true;
          }),
        }),
        execute: () => "ran",
      }) as unknown as Tool,
  ],
];

describe.each(kinds)("%s that execs", (_, make) => {
  const calling = [picks(call("t", { a: "x" })), "done"];

  async function asked(inner: ExecOptions, outer: ExecOptions = {}, defaults: RuntimeOptions = {}) {
    const judge = scripted([{ text: "fine", usage: tokens(5, 1) }], { onOverrun: () => {} });
    const one = make(() => exec("judge", { model: judge, ...inner }));
    const root = createRuntime({ model: scripted(calling), ...defaults }).run("go", { tools: [one], ...outer });
    const events = await read(root);
    return { judge, events, result: await root.result };
  }

  test("is nested: at a path of its own, its usage counted", async () => {
    const { events, result } = await asked({ tools: [] });
    expect(answers(result.messages)).toEqual(["ran"]);
    expect(endOf(events, "1/0/check/0")).toMatchObject({ outcome: "stop", text: "fine" });
    expect(result.usage).toMatchObject(tokens(5, 1));
  });

  test("has the denials, allow-lists and menu of the run", async () => {
    const tools = [logged("a", []), logged("b", []), logged("c", [])];
    const bound = await asked({ tools }, { toolsDeny: ["a"], toolsAllow: ["t", "a", "b"] });
    expect(namesOf(bound.judge.requests[0])).toEqual(["b"]);
    expect(namesOf((await asked({})).judge.requests[0])).toEqual(["t"]);
  });

  test("draws from the budget of the run", async () => {
    const { result } = await asked({ tools: [] }, { limits: { totalTokens: 5 }, atLimit: "stop" });
    expect(result.outcome).toBe("max_tokens");
  });

  test("ends with the run", async () => {
    const codes: unknown[] = [];
    let begun = false;
    const one = make(async () => {
      begun = true;
      codes.push(await failure(exec("judge", { model: hanging(), tools: [] })));
    });
    const root = createRuntime({ model: scripted(calling) }).run("go", { tools: [one] });
    const reading = read(root);
    await until(() => begun);
    root.abort("enough");
    const events = await reading;
    expect(await root.result).toMatchObject({ outcome: "aborted" });
    expect(endOf(events, "1/0/check/0")).toMatchObject({ outcome: "aborted" });
    await sleep(0);
    expect(codes).toMatchObject([{ code: "aborted" }]);
  });

  test("uses the runtime of the run", async () => {
    const model = scripted([picks(call("t", { a: "x" })), "judged", "done"]);
    let said: unknown;
    const one = make(async () => {
      said = await exec("judge", { tools: [] });
    });
    expect(await createRuntime({ model }).exec("go", { tools: [one] })).toBe("done");
    expect(said).toBe("judged");
  });
});

test("two that are asked about one reply have paths of their own", async () => {
  const judge = scripted(["fine", "fine", "fine"]);
  const ask = () => exec("judge", { model: judge, tools: [] });
  const input = z.object({ a: z.string().refine(async () => (await ask()) === "fine") });
  const one = tool({ name: "one", input, execute: () => "ran" });
  const two = tool({ name: "two", requiresApproval: async () => (await ask()) !== "fine", execute: () => "ran" });
  const model = scripted([picks(call("one", { a: "x" }), "two"), "done"]);
  const events = await read(createRuntime({ model }).run("go", { tools: [one, two] }));
  const ends = events.flatMap((event) => (event.type === "agent_end" ? [event.path] : []));
  expect(ends.toSorted()).toEqual(["", "1/0/check/0", "1/1/check/0"]);
});

test("a schema of what a run comes to, and the rule of a picked function, are nested too", async () => {
  const judge = scripted(["fine", "fine"]);
  const ask = () => exec("judge", { model: judge, tools: [logged("a", []), logged("b", [])] });
  const toolsDeny = ["a"];
  const output = z.object({ n: z.number().refine(async () => (await ask()) === "fine") });
  const first = createRuntime({ model: scripted(['{"n":1}']) }).run("go", { tools: [], output, toolsDeny });
  expect(endOf(await read(first), "1/check/0")).toMatchObject({ outcome: "stop" });
  const f = method({ name: "f", requiresApproval: async () => (await ask()) !== "fine" }, () => "F");
  const second = createRuntime({ model: scripted(['{"call":"f"}']) }).run("go", {
    tools: [],
    choices: { f },
    toolsDeny,
  });
  expect(endOf(await read(second), "1/check/0")).toMatchObject({ outcome: "stop" });
  expect(judge.requests.map(namesOf)).toEqual([["b"], ["b"]]);
});

test("arguments that a person has changed are checked inside of the run as well", async () => {
  const judge = scripted(["fine", "fine", "fine", "fine"], { onOverrun: () => {} });
  const input = z.object({ a: z.string().refine(async () => (await exec("judge", { model: judge })) === "fine") });
  const one = tool({ name: "one", input, requiresApproval: true, execute: ({ a }) => a });
  const approve = () => ({ approved: true, arguments: { a: "y" } });
  const root = createRuntime({ model: scripted([picks(call("one", { a: "x" })), "done"]), approve });
  expect(answers((await root.run("go", { tools: [one] }).result).messages)).toEqual(["y"]);
  expect(new Set(judge.requests.map((request) => namesOf(request)?.join()))).toEqual(new Set(["one"]));
  expect(judge.requests.length).toBeGreaterThan(1);
});

test("the approver itself is no part of the run", async () => {
  const judge = scripted(["yes"]);
  const one = tool({ name: "one", requiresApproval: true, execute: () => "ran" });
  const approve = async () => (await run("judge", { model: judge, tools: [logged("a", [])] }).result).text === "yes";
  const root = createRuntime({ model: scripted([picks("one"), "done"]), approve });
  const events = await read(root.run("go", { tools: [one], toolsDeny: ["a"] }));
  expect(events.filter(({ path }) => path !== "")).toEqual([]);
  expect(namesOf(judge.requests[0])).toEqual(["a"]);
});
