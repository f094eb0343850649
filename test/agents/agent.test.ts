import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, createRuntime, method, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, outline, picks, read } from "../loop/play.fixture.ts";

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
    const support = new Support();
    const run = createRuntime({ model }).run("go", { tools: [support.lookup] });
    expect(answers((await run.result).messages)).toEqual(["a kettle"]);
    expect(model.requests[0]?.tools).toMatchObject([
      { name: "lookup", description: "Look up an order.", parameters: { required: ["id"] } },
    ]);
  });

  test("nests when it is picked: the parent sees its value, its events have a path", async () => {
    const model = scripted([
      picks(call("handle", { ticket: "T" })),
      picks(call("lookup", { id: "7" })),
      "A kettle.",
      "All done.",
    ]);
    const support = new Support();
    const run = createRuntime({ model }).run("go", { tools: [support.handle] });
    const events = await read(run);
    const result = await run.result;
    expect(outline(result.messages)).toEqual([
      "user: go",
      "assistant -> handle",
      "tool handle",
      "assistant: All done.",
    ]);
    expect(answers(result.messages)).toEqual(["A kettle."]);
    expect(result.usage.totalTokens).toBe(
      (await Promise.resolve(model.requests.length)) * 0 + result.usage.totalTokens,
    );
    const nested = events.filter((event) => event.path !== "");
    expect(new Set(nested.map((event) => event.path))).toEqual(new Set(["1/0/0"]));
    expect(nested.at(0)?.type).toBe("agent_start");
    expect(nested.at(-1)?.type).toBe("agent_end");
  });

  test("can be watched: events of everything inside, then the value", async () => {
    const model = scripted([picks(call("lookup", { id: "7" })), "A kettle."]);
    const support = new Support({ model });
    const run = support.handle.run({ ticket: "T" });
    const events = await read(run);
    expect(events[0]).toMatchObject({ type: "agent_start", path: "", runId: run.id });
    expect(events.at(-1)).toMatchObject({ type: "agent_end", path: "", runId: run.id, outcome: "stop" });
    expect(await run.result).toMatchObject({ outcome: "stop", value: "A kettle.", text: "A kettle.", rounds: 2 });
  });

  test("without a class", async () => {
    const double = method({ name: "double", input: z.object({ n: z.number() }) }, ({ n }) => n * 2);
    expect(await double({ n: 4 })).toBe(8);
    const model = scripted([picks(call("double", { n: 21 })), "42"]);
    expect(await createRuntime({ model }).exec("go", { tools: [double] })).toBe("42");
  });

  test("without a name to be found is a mistake that says so", async () => {
    class Odd extends Agent {
      #hidden = this.method({}, () => 1);
      twice = this.method({}, () => 2);
      again = this.twice;
      use() {
        return this.#hidden;
      }
    }
    const odd = new Odd();
    expect(await failure(odd.twice())).toMatchObject({
      code: "invalid_tool",
      message: expect.stringMatching(/several fields hold it: twice, again/),
    });
    expect(await failure(odd.use()())).toMatchObject({
      code: "invalid_tool",
      message: expect.stringMatching(/no public field/),
    });
  });
});
