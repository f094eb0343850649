import { describe, expect, test } from "vitest";
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
