import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, createRuntime, method } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, outline, picks, read } from "../loop/play.fixture.ts";
import { pathsOf } from "./agents.fixture.ts";

const orders = new Map([["7", "a kettle"]]);

class Support extends Agent {
  lookup = this.method(
    { description: "Look up an order.", input: z.object({ id: z.string() }) },
    ({ id }) => orders.get(id) ?? "unknown",
  );

  handle = this.method({ description: "Handle a ticket.", input: z.object({ ticket: z.string() }) }, ({ ticket }) =>
    this.runtime.exec(`Handle this ticket: ${ticket}`, { tools: [this.lookup] }),
  );
}

describe("a method", () => {
  test("is code: it gives the bare value", async () => {
    const support = new Support({ model: scripted([picks(call("lookup", { id: "7" })), "It is a kettle."]) });
    expect(await support.lookup({ id: "7" })).toBe("a kettle");
    expect(await support.handle({ ticket: "What did I order?" })).toBe("It is a kettle.");
  });

  test("is a tool of that name, with its description and schema", async () => {
    const model = scripted([picks(call("lookup", { id: "7" })), "done"]);
    const run = createRuntime({ model }).run("go", { tools: [new Support().lookup] });
    expect(answers((await run.result).messages)).toEqual(["a kettle"]);
    expect(model.requests[0]?.tools).toMatchObject([
      { name: "lookup", description: "Look up an order.", parameters: { required: ["id"] } },
    ]);
  });

  test("is one of a runtime's tools too", async () => {
    const model = scripted([picks(call("lookup", { id: "7" })), "done"]);
    const runtime = createRuntime({ model, tools: [new Support().lookup] });
    expect(answers((await runtime.run("go").result).messages)).toEqual(["a kettle"]);
  });

  test("nests when it is picked: the parent sees its value, its events have a path", async () => {
    const model = scripted([
      picks(call("handle", { ticket: "T" })),
      picks(call("lookup", { id: "7" })),
      "A kettle.",
      "All done.",
    ]);
    const run = createRuntime({ model }).run("go", { tools: [new Support().handle] });
    const events = await read(run);
    const result = await run.result;
    expect(outline(result.messages)).toEqual([
      "user: go",
      "assistant -> handle",
      "tool handle",
      "assistant: All done.",
    ]);
    expect(answers(result.messages)).toEqual(["A kettle."]);
    expect(pathsOf(events)).toEqual(["", "1/0/0"]);
    const nested = events.filter((event) => event.path !== "");
    expect(nested.at(0)?.type).toBe("agent_start");
    expect(nested.at(-1)?.type).toBe("agent_end");
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  });

  test("can be watched: events of everything inside, then the value", async () => {
    const model = scripted([picks(call("lookup", { id: "7" })), "A kettle."]);
    const run = new Support({ model }).handle.run({ ticket: "T" });
    const events = await read(run);
    expect(events[0]).toMatchObject({ type: "agent_start", path: "", runId: run.id });
    expect(events.at(-1)).toMatchObject({ type: "agent_end", path: "", runId: run.id, outcome: "stop" });
    expect(await run.result).toMatchObject({ outcome: "stop", value: "A kettle.", text: "A kettle.", rounds: 2 });
  });

  test("without a class", async () => {
    const double = method({ name: "double", input: z.object({ n: z.number() }) }, ({ n }) => n * 2);
    expect(await double({ n: 4 })).toBe(8);
    const model = scripted([picks(call("double", { n: 21 })), "42"]);
    const result = await createRuntime({ model }).run("go", { tools: [double] }).result;
    expect(answers(result.messages)).toEqual(["42"]);
    const nameless = method({}, () => 1);
    expect(await failure(nameless())).toMatchObject({ code: "invalid_tool", message: expect.stringMatching(/name/) });
    expect(() => nameless.run()).toThrow(/name/);
  });

  test("has what it throws as an error result; code that calls it gets that very object", async () => {
    const thrown = new TypeError("no such order");
    const m = method({ name: "m" }, () => {
      throw thrown;
    });
    expect(await failure(m())).toBe(thrown);
    const model = scripted([picks("m"), "done"]);
    const result = await createRuntime({ model }).run("go", { tools: [m] }).result;
    expect(answers(result.messages)).toEqual(["! TypeError: no such order"]);
  });

  test("needs options and a function", () => {
    expect(() => method(null as unknown as object, () => 1)).toThrow(/needs options/);
    expect(() => method({ name: "m" }, undefined as unknown as () => 1)).toThrow(/needs a function/);
  });
});

describe("the name of a method", () => {
  class Odd extends Agent {
    #hidden = this.method({}, () => 1);
    #named = this.method({ name: "named" }, () => "n");
    private quiet = this.method({}, () => "q");
    twice = this.method({}, () => 2);
    again = this.twice;
    shown = this.method({ name: "other" }, () => 3);
    uses() {
      return { hidden: this.#hidden, named: this.#named, quiet: this.quiet };
    }
  }
  const odd = new Odd();

  test("is that of its one field, whether TypeScript calls that private or not, or the one given", async () => {
    const { named, quiet } = odd.uses();
    expect([named.spec.name, quiet.spec.name, odd.shown.spec.name]).toEqual(["named", "quiet", "other"]);
    const model = scripted([picks("named", "quiet", "other"), "done"]);
    const run = createRuntime({ model }).run("go", { tools: [named, quiet, odd.shown] });
    expect(answers((await run.result).messages)).toEqual(["n", "q", "3"]);
  });

  test("that cannot be found out is a mistake that says so, in all three ways of calling it", async () => {
    const { hidden } = odd.uses();
    const several = { code: "invalid_tool", message: expect.stringMatching(/several fields hold it: twice, again/) };
    const none = { code: "invalid_tool", message: expect.stringMatching(/of Odd has no name: no public field/) };
    expect(await failure(odd.twice())).toMatchObject(several);
    expect(await failure(hidden())).toMatchObject(none);
    expect(() => odd.twice.run()).toThrow(expect.objectContaining(several));
    const runtime = createRuntime({ model: scripted([]) });
    expect(await failure(runtime.exec("go", { tools: [hidden] }))).toMatchObject(none);
  });

  test("that two entries have is a mistake", async () => {
    const runtime = createRuntime({ model: scripted([]) });
    const [a, b] = [new Support(), new Support()];
    expect(await failure(runtime.exec("go", { tools: [a.lookup, b.lookup] }))).toMatchObject({
      code: "invalid_tool",
      message: expect.stringMatching(/tools\[0\] and tools\[1\] are both named "lookup"/),
    });
  });
});

describe("this.named", () => {
  class Maths extends Agent {
    even = this.method({ input: z.object({ n: z.number() }) }, ({ n }) =>
      this.runtime.exec(`even ${n}`, { tools: [this.named("odd")] }),
    );
    odd = this.method({ input: z.object({ n: z.number() }) }, ({ n }) =>
      this.runtime.exec(`odd ${n}`, { tools: [this.named("even")] }),
    );
    solve = this.method({ name: "solve_it" }, () =>
      this.runtime.exec("solve", { tools: [this.named("solve_it"), this.named("even")] }),
    );
    wrong = this.method({}, () => this.runtime.exec("wrong", { tools: [this.named("evn")] }));
  }

  test("is the entry of a method of the same agent: itself, and one that offers it", async () => {
    const model = scripted([picks("solve_it"), "inner", "outer"]);
    expect(await new Maths({ model }).solve()).toBe("outer");
    const mutual = scripted([picks(call("odd", { n: 1 })), picks(call("even", { n: 0 })), "0", "1", "2"]);
    expect(await new Maths({ model: mutual }).even({ n: 2 })).toBe("2");
    expect(mutual.requests.map(({ messages }) => messages[0]?.content)).toEqual([
      "even 2",
      "odd 1",
      "even 0",
      "odd 1",
      "even 2",
    ]);
  });

  test("of no method is a mistake with the nearest name", async () => {
    expect(await failure(new Maths({ model: scripted([]) }).wrong())).toMatchObject({
      code: "unknown_tool",
      message: expect.stringMatching(/Maths has no method "evn".*"even"/),
    });
  });
});

describe("a subclass", () => {
  class Polite extends Support {
    override lookup = this.method(
      { description: "Look up politely.", input: z.object({ id: z.string() }) },
      ({ id }) => `please: ${id}`,
    );
  }

  test("that has a field of the same name replaces the method, also where the class above offers it", async () => {
    const model = scripted([picks(call("lookup", { id: "7" })), "done"]);
    const run = new Polite({ model }).handle.run({ ticket: "T" });
    const result = await run.result;
    expect(answers(result.messages)).toEqual(["please: 7"]);
    expect(model.requests[0]?.tools[0]?.description).toBe("Look up politely.");
  });
});
