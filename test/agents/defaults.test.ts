import { describe, expect, test } from "vitest";
import {
  Agent,
  type AgentDefaults,
  type AgentOptions,
  createRuntime,
  type ExecOptions,
  type RuntimeOptions,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { failure, logged, picks } from "../loop/play.fixture.ts";
import { namesOf } from "./agents.fixture.ts";

const named = (...names: string[]) => names.map((name) => logged(name, []));

/** What the one request of an agent's exec looks like, with defaults on every level. */
async function asked(levels: {
  base?: AgentDefaults;
  own?: AgentDefaults;
  instance?: AgentOptions;
  call?: ExecOptions;
  around?: ExecOptions;
  runtime?: RuntimeOptions;
}) {
  class Base extends Agent {
    static override readonly defaults: AgentDefaults = levels.base ?? {};
    go = this.method({}, () => this.runtime.exec("inner", levels.call));
  }
  class Own extends Base {
    static override readonly defaults: AgentDefaults = levels.own ?? {};
  }
  const agent = new Own(levels.instance);
  const model = scripted([picks("outer"), "inner", "done"], { id: "around" });
  const outer = tool({ name: "outer", execute: () => agent.go() });
  await createRuntime({ model, tools: [outer], ...levels.runtime }).exec("go", { tools: [outer], ...levels.around });
  return model.requests[1];
}

describe("an option of an agent's exec", () => {
  test("is that of the call, else of the instance, of the class, of the class above, of the runtime around", async () => {
    const levels = {
      call: { temperature: 0.5 },
      instance: { temperature: 0.4 },
      own: { temperature: 0.3 },
      base: { temperature: 0.2 },
      runtime: { temperature: 0.1 },
    };
    expect((await asked(levels))?.temperature).toBe(0.5);
    expect((await asked({ ...levels, call: {} }))?.temperature).toBe(0.4);
    expect((await asked({ ...levels, call: { temperature: undefined } as object }))?.temperature).toBe(0.4);
    expect((await asked({ ...levels, call: {}, instance: {} }))?.temperature).toBe(0.3);
    expect((await asked({ base: levels.base, runtime: levels.runtime }))?.temperature).toBe(0.2);
    expect((await asked({ runtime: levels.runtime }))?.temperature).toBe(0.1);
  });

  test("toolsDeny adds up over all levels", async () => {
    const request = await asked({
      call: { tools: named("a", "b", "c", "d", "e", "f", "g"), toolsDeny: ["a"] },
      instance: { toolsDeny: ["b"] },
      own: { toolsDeny: ["c"] },
      base: { toolsDeny: ["d"] },
      around: { toolsDeny: ["e"] },
      runtime: { toolsDeny: ["f"] },
    });
    expect(namesOf(request)).toEqual(["g"]);
  });

  test("toolsAllow: the lists of all levels intersect", async () => {
    const request = await asked({
      call: { tools: named("a", "b", "c", "d", "e"), toolsAllow: ["a", "b", "c", "d"] },
      instance: { toolsAllow: ["a", "b", "c"] },
      own: { toolsAllow: ["a", "b", "e"] },
      around: { toolsAllow: ["outer", "a", "c"] },
    });
    expect(namesOf(request)).toEqual(["a"]);
    const none = await asked({ call: { tools: named("a", "b"), toolsAllow: ["a"] }, own: { toolsAllow: ["b"] } });
    expect(namesOf(none)).toEqual([]);
  });

  test("a menu of any form replaces a menu of any form", async () => {
    const menus = { tools: named("c") };
    expect(namesOf(await asked({ instance: menus, own: { toolset: "none" } }))).toEqual(["c"]);
    expect(namesOf(await asked({ instance: { toolset: "none" }, own: menus }))).toEqual([]);
    expect(namesOf(await asked({ call: { tools: [] }, instance: menus }))).toEqual([]);
    expect(namesOf(await asked({ call: { toolset: "full" }, instance: menus }))).toEqual(["outer"]);
    expect(namesOf(await asked({ own: menus, base: { tools: named("d") } }))).toEqual(["c"]);
    expect(namesOf(await asked({}))).toEqual(["outer"]);
  });
});

describe("the runtime and model of an agent", () => {
  class Asks extends Agent {
    go = this.method({}, () => this.runtime.exec("inner", { tools: [] }));
  }

  /** Whose model a run of the agent inside another run asks. */
  async function modelOf(agent: Asks) {
    const around = scripted([picks("go"), "inner", "done"], { onOverrun: () => {} });
    await createRuntime({ model: around }).exec("go", { tools: [agent.go] });
    return around.requests.length === 3 ? "around" : "own";
  }

  test("are those of the run around where it has none of its own", async () => {
    expect(await modelOf(new Asks())).toBe("around");
    expect(await modelOf(new Asks({ runtime: createRuntime() }))).toBe("around");
    expect(await modelOf(new Asks({ runtime: createRuntime({ model: scripted(["x"]) }) }))).toBe("own");
    expect(await modelOf(new Asks({ model: scripted(["x"]) }))).toBe("own");
  });

  test("the runtime's tools are those of its own runtime, or of the one around", async () => {
    class Full extends Agent {
      go = this.method({}, () => this.runtime.exec("inner", { toolset: "full" }));
    }
    const models = () => scripted([picks("go"), "inner", "done"]);
    const [first, second] = [models(), models()];
    const around = (model: typeof first) => createRuntime({ model, tools: named("theirs") });
    await around(first).exec("go", { tools: [new Full().go] });
    expect(namesOf(first.requests[1])).toEqual(["theirs"]);
    const runtime = createRuntime({ tools: named("mine") });
    await around(second).exec("go", { tools: [new Full({ runtime }).go] });
    expect(namesOf(second.requests[1])).toEqual(["mine"]);
  });

  test("the runtime under an agent's defaults is a whole runtime", async () => {
    const model = scripted(["one", "two"]);
    const own = createRuntime({ model, recursion: { maxDepth: 3 } });
    const { runtime } = new Asks({ runtime: own, system: "Be brief." });
    expect(runtime).toMatchObject({ workspace: own.workspace, recursion: { maxDepth: 3 } });
    expect(runtime.runs).toEqual({ ...own.runs, start: expect.any(Function) });
    runtime.register(logged("t", []));
    const run = runtime.run("go");
    expect(await run.result).toMatchObject({ outcome: "stop", text: "one" });
    runtime.unregister("t");
    expect(await runtime.exec("go")).toBe("two");
    expect(model.requests.map((request) => [request.system, namesOf(request)])).toEqual([
      ["Be brief.", ["t"]],
      ["Be brief.", []],
    ]);
  });
});

describe("wrong options of an agent", () => {
  class Any extends Agent {}
  const refuses = (options: object, says: RegExp, code = "invalid_option") =>
    expect(() => new Any(options)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(says) }));

  test("are mistakes when it is made", () => {
    refuses({ maxIteration: 3 }, /no option "maxIteration".*"maxIterations"/);
    refuses({ temperature: "hot" }, /"temperature" must be/);
    refuses({ tools: [], toolset: "none" }, /not both/);
    refuses({ runtime: {} }, /"runtime" must be what createRuntime\(\) returns/);
    refuses({ runtime: null }, /"runtime" must be what createRuntime\(\) returns/);
    refuses({ tools: "read_file" }, /"tools" must be an array/, "invalid_tool");
  });

  test("also those that belong to one call", () => {
    refuses({ signal: new AbortController().signal }, /no option "signal"/);
    refuses({ messages: [] }, /no option "messages"/);
    refuses({ toolChoice: "required" }, /no option "toolChoice"/);
  });

  test("also those of its class", () => {
    class Wrong extends Agent {
      static override readonly defaults = { atLimit: "halt" } as unknown as AgentDefaults;
    }
    expect(() => new Wrong()).toThrow(/"atLimit" must be/);
  });

  test("of a call are told as by any runtime", async () => {
    const model = scripted([]);
    const { runtime } = new Any({ model });
    expect(await failure(runtime.exec("go", { maxIterations: "3" } as object))).toMatchObject({
      code: "invalid_option",
    });
    for (const options of [null, "full", []])
      expect(() => runtime.run("go", options as object)).toThrow(/Options must be an object/);
    expect(() => runtime.run("go", { tool: [] } as object)).toThrow(/no option "tool"/);
  });
});
