import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, createRuntime, type ExecOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { failure, picks } from "../loop/play.fixture.ts";

const paid: string[] = [];
const refund = (extra = {}) =>
  tool({
    name: "refund",
    ...extra,
    execute: () => {
      paid.push("refund");
      return "PAID";
    },
  });

describe("a function among the choices", () => {
  test.each([
    ["an allow-list without it", { toolsAllow: ["lookup"], choices: { refund: refund(), no: "NO" } }],
    ["a denial of it under another name", { toolsDeny: ["refund"], choices: { safe: refund(), no: "NO" } }],
    [
      "a source that it is unsafe in",
      { toolsSource: "web", choices: { refund: refund({ unsafeIn: ["web"] }), no: "NO" } },
    ],
  ])("is barred by %s", async (_, options) => {
    paid.length = 0;
    const name = "safe" in options.choices ? "safe" : "refund";
    const model = scripted([`{"call":"${name}"}`, '{"call":"no"}']);
    expect(await createRuntime({ model }).exec("go", { tools: [], ...options } as ExecOptions)).toBe("NO");
    expect(paid).toEqual([]);
  });
});

test("a thenable that works when it is awaited is nested all the same", async () => {
  const model = scripted([picks("lazy"), "inner", "done"]);
  const runtime = createRuntime({ model });
  const lazy = tool({
    name: "lazy",
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    execute: () => ({ then: (done: (value: string) => void) => void runtime.exec("inner").then(done) }),
  });
  await runtime.exec("go", { tools: [lazy, refund()], toolsDeny: ["refund"] });
  expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(["lazy"]);
});

test("an agent's denials hold through ctx.runtime, runs.start and for a denial that is no list", async () => {
  paid.length = 0;
  const denied: (string[] | undefined)[] = [];
  const model = scripted([
    picks("go"),
    (request) => {
      denied.push(request.tools.map(({ name }) => name));
      return "inner";
    },
    "done",
    "started",
  ]);
  class Careful extends Agent {
    go = this.method({}, (_, ctx) => ctx.runtime.exec("inner", { tools: [refund()] }));
    bad = this.method({}, () =>
      this.runtime.exec("x", { tools: [refund()], toolsDeny: "refund" } as unknown as ExecOptions),
    );
  }
  const runtime = createRuntime({ model });
  const careful = new Careful({ runtime, toolsDeny: ["refund"] });
  await runtime.exec("go", { tools: [careful.go] });
  expect(denied).toEqual([[]]);
  await careful.runtime.runs.start("one", "x", { tools: [refund()] });
  expect(model.requests.at(-1)?.tools).toEqual([]);
  expect(await failure(careful.bad())).toMatchObject({ code: "invalid_option" });
});

test("what a picked function throws ends the run, whatever it is", async () => {
  const odd = tool({
    name: "odd",
    execute: () => {
      throw Object.create(null);
    },
  });
  const run = createRuntime({ model: scripted(['{"call":"odd"}']) }).run("go", { tools: [], choices: { odd } });
  expect(await run.result).toMatchObject({ outcome: "error", error: { code: "error" } });
});

test("choose without choices is a mistake", async () => {
  const runtime = createRuntime({ model: scripted([]) });
  expect(await failure(runtime.choose("go", undefined as never))).toMatchObject({ code: "invalid_option" });
});

test("a pick that a person denies is asked for again with the whole menu, in words of the option", async () => {
  paid.length = 0;
  const model = scripted(['{"call":"pay"}', '{"call":"no"}']);
  const choices = { pay: refund({ requiresApproval: true }), no: "NO" };
  const approve = () => ({ approved: false, reason: "not today" });
  expect(await createRuntime({ model, approve }).exec("go", { tools: [], choices })).toBe("NO");
  expect(paid).toEqual([]);
  const asked = model.requests[1]?.messages.at(-1);
  expect(asked?.role).toBe("user");
  expect(asked?.content).toMatch(/"pay" was denied: not today.*\{"call":"pay"\}.*\{"call":"no"\}/s);
  expect(model.requests[1]?.toolChoice).toBe("none");
});

test("so is one whose arguments, as a person gave them, do not fit", async () => {
  const model = scripted(['{"call":"pay","args":{"n":1}}', '{"call":"no"}']);
  const pay = tool({ name: "pay", input: z.object({ n: z.number() }), requiresApproval: true, execute: () => "PAID" });
  const approve = () => ({ approved: true, arguments: { n: "many" } });
  expect(await createRuntime({ model, approve }).exec("go", { tools: [], choices: { pay, no: "NO" } })).toBe("NO");
  expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
    /the arguments that a person gave for it do not fit.*\{"call":"no"\}/s,
  );
});

test("a method among its own choices, by name, is an option like any other", async () => {
  class Choosing extends Agent {
    stop = this.method({}, () => "stopped");
    go = this.method({ input: z.object({ again: z.boolean().default(true) }) }, ({ again }): Promise<unknown> => {
      const choices = again ? { go: this.named("go"), stop: this.named("stop") } : { stop: this.named("stop") };
      return this.runtime.exec("choose", { tools: [], choices });
    });
  }
  const model = scripted(['{"call":"go","args":{"again":false}}', '{"call":"stop"}']);
  expect(await new Choosing({ model }).go()).toBe("stopped");
});
