import { describe, expect, test } from "vitest";
import { ask, request } from "../../test/wires/ask.ts";
import { createRuntime, RondoError, tool } from "../core.ts";
import { type ScriptEntry, scripted } from "../testing/index.ts";
import { fallback } from "./fallback.ts";
import type { Model, ModelFailure } from "./model.ts";

const named = (id: string, script: readonly ScriptEntry[], more: Partial<Model> = {}) =>
  Object.assign(scripted([...script], { id }), more);
const fails = (kind: ModelFailure["kind"], more: Partial<ModelFailure> = {}) => ({
  error: { kind, message: "no", ...more },
});
const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe("which failures the next model is asked after", () => {
  const moves: readonly (readonly [ModelFailure["kind"], boolean])[] = [
    ["transport", true],
    ["rate_limit", true],
    ["overloaded", true],
    ["timeout", true],
    ["auth", true],
    ["quota", true],
    ["unknown", true],
    ["invalid", false],
    ["context_overflow", false],
    ["refusal", false],
    ["aborted", false],
  ];
  test.each(moves)("%s: %s", async (kind, next) => {
    const second = named("b", ["yes"]);
    const { events, end } = await ask(fallback([named("a", [fails(kind)]), second]), request());
    expect(types(events)).toEqual(next ? ["retry", "text", "end"] : ["end"]);
    expect(second.requests).toHaveLength(next ? 1 : 0);
    expect(end.message.model).toBe(next ? "b" : "a");
    if (!next) return;
    const fallback_ = { from: "a", to: "b" };
    expect(events[0]).toMatchObject({ attempt: 1, delayMs: 0, error: { kind, message: "no" }, fallback: fallback_ });
  });

  test("a model that is not found", async () => {
    const model = fallback([named("a", [fails("invalid", { status: 404 })]), named("b", ["yes"])]);
    expect((await ask(model, request())).end.message.model).toBe("b");
  });

  test("a model that throws; a caller's mistake is told as it is", async () => {
    const throwing = (thrown: unknown): Model => ({
      id: "a",
      stream: () => {
        throw thrown;
      },
    });
    const second = named("b", ["yes", "yes"]);
    expect((await ask(fallback([throwing(new Error("odd")), second]), request())).end.message.model).toBe("b");
    const missing = new RondoError("missing_package", "npm install it");
    await expect(ask(fallback([throwing(missing), second]), request())).rejects.toBe(missing);
  });

  test.each(["context_overflow", "refusal"] as const)("%s when it is wanted", async (kind) => {
    const model = fallback([named("a", [fails(kind)]), named("b", ["yes"])], { also: [kind] });
    expect((await ask(model, request())).end.message.model).toBe("b");
  });

  test("a refusal without an error, when it is wanted", async () => {
    const silent = [{ stopReason: "refusal" as const }];
    const model = fallback([named("a", silent), named("b", ["yes"])], { also: ["refusal"] });
    expect((await ask(model, request())).end.message.model).toBe("b");
    expect((await ask(fallback([named("a", silent), named("b", [])]), request())).end.message.model).toBe("a");
  });
});

test("not after content", async () => {
  const second = named("b", ["yes"]);
  const { events } = await ask(fallback([named("a", [{ text: "half", ...fails("overloaded") }]), second]), request());
  expect(types(events)).toEqual(["text", "end"]);
  expect(second.requests).toHaveLength(0);
});

test("the last failure is told when all fail, each asked once", async () => {
  const models = ["a", "b", "c"].map((id) => named(id, [fails("overloaded", { message: id })]));
  const { events, end } = await ask(fallback(models), request());
  expect(types(events)).toEqual(["retry", "retry", "end"]);
  expect(end.error?.message).toBe("c");
  expect(models.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
});

test("NET-08 an abort asks nobody else", async () => {
  const control = new AbortController();
  const failing: Model = {
    id: "a",
    async *stream() {
      control.abort("mine");
      yield {
        type: "end",
        message: (await ask(named("x", [fails("overloaded")]), request())).end.message,
        error: { kind: "overloaded", message: "busy" },
      };
    },
  };
  const second = named("b", ["yes"]);
  const { events } = await ask(fallback([failing, second]), request(), control.signal);
  expect(types(events)).toEqual(["end"]);
  expect(second.requests).toHaveLength(0);
});

describe("in a run", () => {
  const look = tool({ name: "look", execute: () => "seen" });
  const pick = { calls: [{ name: "look" }] };

  test("NET-04 a run stays with the model that answered, and no tool is run again", async () => {
    let ran = 0;
    const charge = tool({ name: "charge", execute: () => `charged ${++ran}` });
    const a = named("a", [{ calls: [{ name: "charge" }] }, fails("overloaded"), "again"]);
    const b = named("b", [pick, "done"]);
    const run = createRuntime({ model: fallback([a, b]), tools: [charge, look] }).run("go");
    const told = [];
    for await (const event of run) if (event.type === "retry") told.push(event.fallback);
    const { outcome, messages } = await run.result;
    expect(outcome).toBe("stop");
    expect(ran).toBe(1);
    expect(told).toEqual([{ from: "a", to: "b" }]);
    expect(messages.flatMap((message) => (message.role === "assistant" ? [message.model] : []))).toEqual([
      "a",
      "b",
      "b",
    ]);
  });

  test("the next run begins with the first again; a later failure goes round", async () => {
    const a = named("a", [fails("overloaded"), "from a", "from a again"]);
    const b = named("b", [pick, fails("overloaded")]);
    const runtime = createRuntime({ model: fallback([a, b]), tools: [look] });
    expect(await runtime.exec("one")).toBe("from a");
    expect(await runtime.exec("two")).toBe("from a again");
  });

  test("each reply costs what its own model costs; limits.cost needs them all", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, totalTokens: 1_000_000 };
    const model = () => fallback([named("a", [fails("overloaded")]), named("b", [{ text: "x", usage }])]);
    const cheap = { a: { input: 1, output: 1 } };
    const both = { ...cheap, b: { input: 7, output: 7 } };
    expect((await createRuntime({ model: model(), prices: both }).run("go").result).usage.cost).toBe(7);
    expect((await createRuntime({ model: model(), prices: cheap }).run("go").result).usage.cost).toBe(undefined);
    const limited = createRuntime({ model: model(), prices: cheap, limits: { cost: 1 } });
    await expect(limited.exec("go")).rejects.toThrow(/needs the price of "b"/);
  });
});

test("it can what all can", () => {
  const a = named("a", [], { contextTokens: 100, supports: { tools: true, images: false, output: true } });
  const b = named("b", [], { contextTokens: 50, maxOutputTokens: 10, supports: { tools: true, images: true } });
  const { id, contextTokens, maxOutputTokens, supports } = fallback([a, b]);
  expect({ id, contextTokens, maxOutputTokens }).toEqual({ id: "a, else b", contextTokens: 50, maxOutputTokens: 10 });
  expect(supports).toEqual({ tools: true, images: false });
});

test.each([
  [[], {}, /list of models/],
  ["anthropic/x", {}, /list of models/],
  [[{}], {}, /entry 0 is no model/],
  [["nobody/x"], {}, /Unknown model/],
  [["offline"], { also: ["invalid"] }, /"also" must be/],
])("a mistake is said: %j", (models, options, message) => {
  expect(() => fallback(models as never, options as never)).toThrow(message);
});
