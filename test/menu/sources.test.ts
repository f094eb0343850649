import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type ModelRequest, method, type ToolOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, picks } from "../loop/play.fixture.ts";

const made = (name: string, options: ToolOptions = {}) => tool({ name, ...options, execute: () => `ran ${name}` });
const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);

describe("gate 3 in nested runs", () => {
  const unsafe = [made("a", { unsafeIn: ["mail"] }), made("b", { unsafeIn: ["chat"] }), made("c")];
  const asked: (string | undefined)[] = [];
  const fussy = made("fussy", { canUse: ({ source }) => asked.push(source) > 0 && source !== "mail" });

  /** The names that runs inside each other declare, each with the next of these options; the first is a root. */
  async function declared(...[first = {}, ...others]: ExecOptions[]) {
    const models = others.map((_, at) => scripted(at < others.length - 1 ? [picks("nest"), "x"] : ["x"]));
    const model = scripted([picks("nest"), "done"]);
    let depth = 0;
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("in", { ...others[depth], model: models[depth++]! }),
    });
    await createRuntime({ model, tools: [...unsafe, fussy, nest] }).exec("go", first);
    return [model, ...models].map((one) => namesOf(one.requests[0])?.filter((name) => name !== "nest"));
  }
  test("a nested run has the sources of all around it beside its own", async () => {
    expect(await declared({ toolsSource: "mail" }, { toolsSource: "chat" })).toEqual([["b", "c"], ["c"]]);
    expect(await declared({}, { toolsSource: "chat" })).toEqual([
      ["a", "b", "c", "fussy"],
      ["a", "c", "fussy"],
    ]);
    expect(await declared({ toolsSource: "mail" }, { toolsSource: "web", toolset: "full" }, {})).toEqual(
      Array(3).fill(["b", "c"]),
    );
    expect(await declared({ toolsSource: "mail" }, { toolsSource: "web", tools: [...unsafe, fussy] })).toEqual(
      Array(2).fill(["b", "c"]),
    );
    expect(asked).toContain("chat");
  });
  test("so has a function to decide for, and what explainTools() says inside", async () => {
    const pay = method({ name: "pay", unsafeIn: ["mail"] }, () => "PAID");
    let told: unknown;
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        told = ctx.runtime.explainTools({ toolsSource: "web" }).find(({ name }) => name === "a");
        return ctx.runtime.exec("in", { toolsSource: "web", choices: { pay } });
      },
    });
    const runtime = createRuntime({ model: scripted([picks("nest"), "done"]), tools: [nest, ...unsafe] });
    const { messages } = await runtime.run("go", { toolsSource: "mail" }).result;
    expect(told).toMatchObject({ gate: "source", reason: 'it is not offered to requests from "mail"' });
    expect(answers(messages)).toEqual([expect.stringContaining('it is not offered to requests from "mail"')]);
  });
  test("the word of another runtime is one more; of one's own runtime a run may say another", async () => {
    const inner = scripted(["inner", "again"]);
    const other = createRuntime({ model: inner, tools: unsafe, toolsSource: "chat" });
    const nest = tool({ name: "nest", execute: () => other.exec("in", { toolset: "full" }) });
    const again = tool({ name: "again", execute: (_args, ctx) => ctx.runtime.exec("in", { model: inner }) });
    const model = scripted([picks("nest"), picks("again"), "done"]);
    const runtime = createRuntime({ model, tools: [...unsafe, nest, again], toolsSource: "chat" });
    await runtime.exec("go", { toolsSource: "mail" });
    expect(namesOf(inner.requests[0])).toEqual(["c"]);
    expect(namesOf(inner.requests[1])).toEqual(["b", "c", "nest", "again"]);
  });
});
