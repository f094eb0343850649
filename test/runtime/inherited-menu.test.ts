import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  exec,
  type ModelRequest,
  type RuntimeOptions,
  type ToolEntry,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, logged, picks, read, warningsOf } from "../loop/play.fixture.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);
const saying = (name: string, says: string) => tool({ name, execute: () => says });

/** An outer runtime with `nest` and `t`, and another with a `t` of its own, through which `nest` runs an exec. */
async function through(options: { outer?: ExecOptions; inner?: ExecOptions; foreign?: RuntimeOptions } = {}) {
  const model = scripted([picks("t"), "inner"]);
  const foreign = createRuntime({ model, tools: [saying("t", "foreign t"), saying("own", "x")], ...options.foreign });
  let said: { warnings: unknown; answers: unknown } | undefined;
  const nest = tool({
    name: "nest",
    execute: async () => {
      const inner = foreign.run("inner", options.inner);
      const events = await read(inner);
      said = { warnings: warningsOf(events), answers: answers((await inner.result).messages) };
    },
  });
  const outer = createRuntime({ model: scripted([picks("nest"), "done"]), tools: [nest, saying("t", "outer t")] });
  await outer.exec("go", options.outer);
  return { declared: namesOf(model.requests[0]), said };
}

describe("a nested exec through another runtime", () => {
  test("has the whole menu of the outer runtime, where that was the outer menu", async () => {
    const { declared, said } = await through();
    expect(declared).toEqual(["nest", "t"]);
    expect(said?.answers).toEqual(["outer t"]);
  });

  test("also where the outer run asked for it by toolset", async () => {
    expect((await through({ outer: { toolset: "full" } })).declared).toEqual(["nest", "t"]);
  });

  test("names of the outer menu mean the outer runtime's tools", async () => {
    const { declared, said } = await through({ outer: { tools: [tool.named("t"), tool.named("nest")] } });
    expect(declared).toEqual(["t", "nest"]);
    expect(said?.answers).toEqual(["outer t"]);
  });

  test("names and presets of its own mean its own runtime's", async () => {
    const named = await through({ inner: { tools: [tool.named("t"), tool.named("own")] } });
    expect(named).toMatchObject({ declared: ["t", "own"], said: { answers: ["foreign t"] } });
    expect((await through({ inner: { toolset: "full" } })).declared).toEqual(["t", "own"]);
  });

  test("its own runtime's names in denials are no misspellings", async () => {
    const { said } = await through({ foreign: { toolsDeny: ["own"] } });
    expect(said?.warnings).toEqual([]);
  });

  test("on a second level as well", async () => {
    const model = scripted(["innermost"]);
    const third = createRuntime({ model });
    const second = createRuntime({ model: scripted([picks("deeper"), "inner"]) });
    const deeper = tool({ name: "deeper", execute: () => third.exec("innermost") });
    const nest = tool({ name: "nest", execute: () => second.exec("inner") });
    const outer = createRuntime({ model: scripted([picks("nest"), "done"]), tools: [nest, deeper] });
    expect(await outer.exec("go")).toBe("done");
    expect(namesOf(model.requests[0])).toEqual(["nest", "deeper"]);
  });
});

describe("a nested exec through the same runtime", () => {
  test("inherits what names meant, though the tool was taken out since", async () => {
    const model = scripted([picks("nest"), "inner", "done"]);
    const runtime = createRuntime({ model, tools: [saying("t", "x")] });
    const nest = tool({
      name: "nest",
      execute: () => {
        runtime.unregister("t");
        return exec("inner");
      },
    });
    expect(await runtime.exec("go", { tools: [nest, tool.named("t")] })).toBe("done");
    expect(namesOf(model.requests[1])).toEqual(["nest", "t"]);
  });

  test("inherits the menu as the outer run was given it, whatever became of the array", async () => {
    const model = scripted([picks("nest"), "inner", "done"]);
    const tools: ToolEntry[] = [];
    const nest = tool({
      name: "nest",
      execute: () => {
        tools.length = 0;
        return exec("inner");
      },
    });
    tools.push(nest, logged("a", []));
    expect(await createRuntime({ model }).exec("go", { tools })).toBe("done");
    expect(namesOf(model.requests[1])).toEqual(["nest", "a"]);
  });

  test('what "full" means is asked anew: a tool that was registered meanwhile is in it', async () => {
    const model = scripted([picks("nest"), "inner", "done"]);
    const nest = tool({
      name: "nest",
      execute: () => {
        runtime.register(saying("new", "x"));
        return exec("inner");
      },
    });
    const runtime = createRuntime({ model, tools: [nest] });
    expect(await runtime.exec("go")).toBe("done");
    expect(namesOf(model.requests[1])).toEqual(["nest", "new"]);
  });
});

describe("the model of a nested exec", () => {
  const models = () => ({ outer: scripted([picks("nest"), "done"]), inner: scripted(["inner"]) });
  const nesting = (nested: () => Promise<string>) => tool({ name: "nest", execute: nested });

  test("is that of its own call before all others", async () => {
    const { outer, inner } = models();
    const nest = nesting(() => exec("inner", { model: inner, tools: [] }));
    await createRuntime({ model: outer }).exec("go", { tools: [nest] });
    expect([outer.requests.length, inner.requests.length]).toEqual([2, 1]);
  });

  test("is that of the run around it before the default of the runtime that both have", async () => {
    const outer = scripted([picks("nest"), "inner", "done"]);
    const nest = nesting(() => exec("inner", { tools: [] }));
    await createRuntime({ model: scripted([]) }).exec("go", { model: outer, tools: [nest] });
    expect(outer.requests).toHaveLength(3);
  });

  test("is the default of another runtime that was made with one", async () => {
    const { outer, inner } = models();
    const foreign = createRuntime({ model: inner });
    const nest = nesting(() => foreign.exec("inner", { tools: [] }));
    await createRuntime({ model: outer }).exec("go", { tools: [nest] });
    expect([outer.requests.length, inner.requests.length]).toEqual([2, 1]);
  });

  test("is that of the run around it where its runtime has none", async () => {
    const outer = scripted([picks("nest"), "inner", "done"]);
    const foreign = createRuntime();
    const nest = nesting(() => foreign.exec("inner", { tools: [] }));
    expect(await createRuntime().exec("go", { model: outer, tools: [nest] })).toBe("done");
    expect(outer.requests).toHaveLength(3);
  });
});
