import { describe, expect, test } from "vitest";
import { Agent, createRuntime, tool } from "../../src/core.ts";
import { picks, resultsOf, sleep, tokens, until } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { acting, promptOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

/** A pipeline of fixed order: each step is a method that asks the model, called as code. */
class Pipeline extends Agent {
  first = this.method({ description: "Step one." }, () => this.runtime.exec("first", { tools: [] }));
  second = this.method({ description: "Step two." }, () => this.runtime.exec("second", { tools: [] }));
  inner = this.method({ description: "Steps in a step." }, () => this.second());
  go = this.method({ description: "The whole." }, async () => `${await this.first()} ${await this.inner()}`);
}

describe("the handle of a method that calls methods as code", () => {
  test("knows the text, the messages and the usage of what they ask", async () => {
    const { model } = routed({
      first: [{ text: "one", usage: tokens(1, 2) }],
      second: [{ text: "two", usage: tokens(3, 4) }],
    });
    const handle = new Pipeline({ model }).go.run();
    let text = "";
    for await (const delta of handle.text) text += delta;
    expect(text).toBe("onetwo");
    const { value, text: last, messages, usage, rounds } = await handle.result;
    expect({ value, last, rounds }).toEqual({ value: "one two", last: "two", rounds: 1 });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages[0]).toMatchObject({ content: "second" });
    expect(usage).toMatchObject(tokens(4, 6));
  });

  test("sends to the run that is going on in them, else to the next one", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, of } = routed({
      first: ["one", "one again"],
      second: [() => gate.promise.then(() => "two"), "two again"],
    });
    const handle = new Pipeline({ model }).go.run();
    const before = handle.send("to the first");
    await until(() => of("second").length === 1);
    const during = handle.send("to the second");
    gate.resolve();
    const { undelivered } = await handle.result;
    expect([before.status, during.status, undelivered]).toEqual(["delivered", "delivered", []]);
    expect(JSON.stringify(of("first").at(-1))).toContain("to the first");
    expect(JSON.stringify(of("second").at(-1))).toContain("to the second");
  });

  test("runs inside tools that a model picks are still not directly in it", async () => {
    class Picking extends Agent {
      deep = this.method({ description: "Deep." }, () => this.runtime.exec("deep", { tools: [] }));
      first = this.method({ description: "Step." }, () => this.runtime.exec("first", { tools: [this.deep] }));
      go = this.method({ description: "The whole." }, () => this.first());
    }
    const gate = Promise.withResolvers<void>();
    const { model, of } = routed({
      first: [picks("deep"), "first", "again"],
      deep: [() => gate.promise.then(() => "deep")],
    });
    const handle = new Picking({ model }).go.run();
    await until(() => of("deep").length === 1);
    const receipt = handle.send("to the first");
    let text = "";
    const reading = (async () => {
      for await (const delta of handle.text) text += delta;
    })();
    gate.resolve();
    const result = await handle.result;
    await reading;
    expect(receipt.status).toBe("delivered");
    expect(of("deep")).toHaveLength(1);
    expect(result.messages[0]).toMatchObject({ content: "first" });
    expect(text).not.toContain("deep");
  });
});

test("a pick that calls a method as code says so when the run in that ended at its limit", async () => {
  const quiet = tool({ name: "quiet", execute: () => "ok" });
  class Limited extends Agent {
    step = this.method({ description: "Step." }, () => this.runtime.exec("step", { tools: [quiet], maxIterations: 1 }));
    go = this.method({ description: "The whole." }, () => this.step());
  }
  const steps = [picks("quiet"), "as far as I came"];
  const model = acting(async (request) => {
    await sleep(0);
    if (promptOf(request) === "step") return steps.shift() as string;
    return request.messages.length === 1 ? picks("go") : "done";
  });
  const { messages } = await createRuntime({ model }).run("root", { tools: [new Limited().go] }).result;
  expect(JSON.stringify(resultsOf(messages)[0])).toContain("[the nested run ended at its limit: max_iterations]");
});
