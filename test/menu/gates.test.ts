import { afterEach, describe, expect, test, vi } from "vitest";
import { createRuntime, type ExecOptions, type ModelRequest, method, type ToolOptions, tool } from "../../src/core.ts";
import { createRuntime as withBuiltIns } from "../../src/index.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, picks } from "../loop/play.fixture.ts";

const made = (name: string, options: ToolOptions = {}) => tool({ name, ...options, execute: () => `ran ${name}` });
const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);

/** What a model is offered by a run of these tools, and what comes of its picks. */
async function offered(tools: ReturnType<typeof made>[], options: ExecOptions = {}, pick: readonly string[] = []) {
  const model = scripted([...(pick.length > 0 ? [picks(...pick)] : []), "done"]);
  const runtime = createRuntime({ model, tools, presets: { pair: { tools: ["b", "a"] } } });
  const { messages } = await runtime.run("go", options).result;
  return { names: namesOf(model.requests[0]), answers: answers(messages), runtime };
}

describe("gate 1", () => {
  test("keeps a tool out of the registry; its name says so, and another may take it", async () => {
    const { names, runtime } = await offered([made("a", { availableIf: () => false }), made("b")]);
    expect(names).toEqual(["b"]);
    expect(runtime.explainTools({ tools: [tool.named("a"), tool.named("b")] })).toMatchObject([
      { name: "b", status: "offered" },
      { name: "a", status: "dropped", gate: "registration", reason: "its availableIf did not say true" },
    ]);
    runtime.register(made("a"));
    expect(runtime.explainTools().map(({ name, status }) => [name, status])).toEqual([
      ["b", "offered"],
      ["a", "offered"],
    ]);
  });
  test("is asked once", async () => {
    let asked = 0;
    const { runtime } = await offered([made("a", { availableIf: () => ++asked > 0 })]);
    await runtime.exec("go", { model: scripted(["x"]) });
    expect(asked).toBe(1);
  });
});

describe("gate 2", () => {
  test("hides what is not exposed from every menu of registered tools, also from nested ones", async () => {
    const hidden = made("a", { expose: false });
    expect((await offered([hidden, made("b")])).names).toEqual(["b"]);
    expect((await offered([hidden, made("b")], { tools: [tool.named("a"), tool.named("b")] })).names).toEqual(["b"]);
    expect((await offered([hidden, made("b")], { toolset: "pair" })).names).toEqual(["b"]);
    expect((await offered([made("b")], { tools: [hidden] })).names).toEqual(["a"]);
    const inner = scripted(["inner"]);
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("in", { model: inner }) });
    const runtime = createRuntime({ model: scripted([picks("nest"), "done"]), tools: [hidden, nest] });
    await runtime.exec("go", { tools: [tool.named("a"), tool.named("nest")] });
    expect(namesOf(inner.requests[0])).toEqual(["nest"]);
  });
  test("hides it in a run of another runtime, which has everything of the runtime around", async () => {
    const inner = scripted([picks("a"), "inner"]);
    const other = createRuntime({ model: inner });
    let said: unknown;
    const nest = tool({
      name: "nest",
      execute: async () => {
        said = answers((await other.run("in").result).messages);
      },
    });
    const tools = [made("a", { expose: false }), nest];
    await createRuntime({ model: scripted([picks("nest"), "done"]), tools }).exec("go");
    expect(namesOf(inner.requests[0])).toEqual(["nest"]);
    expect(said).toEqual([expect.stringMatching(/^! There is no tool "a"/)]);
  });
});

describe("gate 2b", () => {
  test("a preset gives its tools in its own order, and the others are not callable", async () => {
    const all = [made("a"), made("b"), made("c")];
    const { names, answers: said } = await offered(all, { toolset: "pair" }, ["a", "c"]);
    expect(names).toEqual(["b", "a"]);
    expect(said).toEqual([
      "ran a",
      '! Tool "c" is not available in this run: the preset "pair" does not name it. No work was done.',
    ]);
  });
  test("names that a preset of one's own has and nothing else give a warning; there is none for those that every runtime has", () => {
    const runtime = createRuntime({
      model: scripted([]),
      tools: [made("a")],
      presets: { mine: { tools: ["a", "bb"] } },
    });
    const warned = (toolset: string) => {
      const events: unknown[] = [];
      const run = runtime.run("go", { toolset, model: scripted(["x"]) });
      return (async () => {
        for await (const event of run) if (event.type === "warning") events.push(event.message);
        return events;
      })();
    };
    return Promise.all([
      expect(warned("mine")).resolves.toEqual(['toolset "mine": there is no tool named "bb".']),
      expect(warned("coding")).resolves.toEqual([]),
    ]);
  });
  test("the presets of the built-in tools", async () => {
    const model = scripted(["1", "2"]);
    const runtime = withBuiltIns({ model, tools: [made("own")] });
    await runtime.exec("go", { toolset: "safe" });
    await runtime.exec("go", { toolset: "default" });
    expect(namesOf(model.requests[0])).toEqual(expect.arrayContaining(["read_file", "grep"]));
    expect(namesOf(model.requests[0])).not.toContain("write_file");
    expect(namesOf(model.requests[1])).toContain("write_file");
    expect(namesOf(model.requests[1])).not.toContain("own");
  });
  test.each([["sfae"], ["__proto__"], ["constructor"]])("%s is a caller mistake", async (toolset) => {
    const runtime = createRuntime({ model: scripted([]), tools: [made("a")] });
    await expect(runtime.exec("go", { toolset })).rejects.toMatchObject({ code: "invalid_option" });
  });
});

describe("gate 4", () => {
  afterEach(() => void vi.useRealTimers());

  test("leaves out what cannot work; what has ceased to since then answers for itself, behind a moment", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let up = true;
    const fall = tool({
      name: "fall",
      execute: () => {
        up = false;
        vi.setSystemTime(Date.now() + 6_000);
      },
    });
    const server = made("server", { check: () => up });
    const model = scripted([picks("server", "fall", "server"), picks("server"), "1", "2"]);
    const runtime = createRuntime({ model, tools: [server, fall] });
    const { messages } = await runtime.run("go").result;
    const gone = '! Tool "server" is not available in this run: its check did not say true. No work was done.';
    // What a reply asks for is looked at when the reply has come.
    expect(answers(messages)).toEqual(["ran server", "(no value)", "ran server", gone]);
    expect(model.requests.map(namesOf)).toEqual(Array(3).fill(["server", "fall"]));
    await runtime.exec("go");
    expect(namesOf(model.requests.at(-1))).toEqual(["fall"]);
  });
  test("is asked of the function that is picked as the decision when it is picked", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let up = true;
    const fall = tool({
      name: "fall",
      execute: () => {
        up = false;
        vi.setSystemTime(Date.now() + 6_000);
      },
    });
    const pay = method({ name: "pay", check: () => up }, () => "PAID");
    const runtime = createRuntime({ model: scripted([picks("fall"), '{"call":"pay"}', "no"]) });
    expect(await runtime.exec("go", { tools: [fall], choices: { pay, no: "NO" } })).toBe("NO");
  });
  test("is asked of tools given as themselves, of methods and of functions to decide for", async () => {
    const off = { check: () => false };
    const own = method({ name: "own", ...off }, () => "x");
    const model = scripted(["1", "yes"]);
    const runtime = createRuntime({ model });
    await runtime.exec("go", { tools: [made("a", off), own, made("b")] });
    expect(namesOf(model.requests[0])).toEqual(["b"]);
    await expect(runtime.exec("go", { choices: { own } })).rejects.toThrow('"own": its check did not say true');
  });
  test("an answer holds for each of several sources, also where their runs take turns", async () => {
    const asked: (string | undefined)[] = [];
    const runtime = createRuntime({
      model: scripted(["1", "2", "3", "4"]),
      tools: [made("a", { canUse: ({ source }) => asked.push(source) > 0 })],
    });
    for (const toolsSource of ["mail", "chat", "mail", "chat"]) await runtime.exec("go", { toolsSource });
    expect(asked).toEqual(["mail", "chat"]);
  });
  test("is not asked per round", async () => {
    let asked = 0;
    const check = () => ++asked > 0;
    await offered([made("a", { check }), made("b")], {}, ["b", "b"]);
    expect(asked).toBe(1);
  });
});

describe("gate 5", () => {
  test("what the user has disabled is meant however it is spelled, also as a decision", async () => {
    const toolsDisabled = ["writeFile", "pay-now"];
    const runtime = withBuiltIns({ model: scripted(["no"]), toolsDisabled });
    expect(runtime.explainTools().find(({ name }) => name === "write_file")).toMatchObject({ gate: "policy" });
    const pay = method({ name: "pay_now" }, () => "PAID");
    await expect(runtime.exec("go", { choices: { pay } })).rejects.toThrow("the user has disabled it");
  });
  test("what the user has disabled is denied, in nested runs of other runtimes too, without warnings", async () => {
    const inner = scripted([picks("a_1"), "inner"]);
    const other = createRuntime({ model: inner, tools: [made("a_1"), made("b")] });
    const nest = tool({ name: "nest", execute: () => other.exec("in", { toolset: "full" }) });
    const model = scripted([picks("nest"), "done"]);
    const runtime = createRuntime({ model, tools: [made("a_1"), nest], toolsDisabled: ["A-1", "nobody"] });
    const run = runtime.run("go");
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.message);
    expect(warnings).toEqual([]);
    expect(namesOf(model.requests[0])).toEqual(["nest"]);
    expect(namesOf(inner.requests[0])).toEqual(["b"]);
    expect(runtime.explainTools()).toMatchObject([
      { name: "nest", status: "offered" },
      { name: "a_1", status: "dropped", gate: "policy", reason: "the user has disabled it" },
    ]);
  });
});

describe("explainTools", () => {
  const runtime = createRuntime({
    model: scripted([]),
    tools: [
      made("a"),
      made("b", { unsafeIn: ["mail"] }),
      made("c", { requiresEnv: ["RONDO_TEST_NO_SUCH_VARIABLE"] }),
      made("d", { expose: false }),
      made("e", { availableIf: false }),
      made("f", { defer: true }),
      made("g"),
    ],
    toolsDeny: ["g"],
    presets: { some: { tools: ["g", "f", "a"] } },
  });
  const told = (options: Parameters<typeof runtime.explainTools>[0]) =>
    runtime.explainTools(options).map((one) => [one.name, one.status === "offered" ? "offered" : one.gate]);
  test("tells of a tool of the request's own, not of a registered one that has its name", () => {
    const own = tool({ name: "a", description: "another", check: () => false, execute: () => "" });
    expect(runtime.explainTools({ tools: [own] })[0]).toMatchObject({ description: "another", gate: "availability" });
  });
  test("says of every tool what becomes of it and which gate says so", () => {
    expect(told({ toolsSource: "mail" })).toEqual([
      ["a", "offered"],
      ["tool_search", "offered"],
      ["call_tool", "offered"],
      ["f", "deferral"],
      ["e", "registration"],
      ["b", "source"],
      ["c", "availability"],
      ["d", "exposure"],
      ["g", "policy"],
    ]);
    expect(told({ toolset: "some" }).slice(3)).toEqual([
      ["f", "deferral"],
      ["g", "policy"],
      ["b", "preset"],
      ["c", "preset"],
      ["d", "exposure"],
      ["e", "registration"],
    ]);
    expect(told({ toolset: "none" })).toContainEqual(["a", "preset"]);
    expect(told({ tools: [made("x")] })).toEqual(
      expect.arrayContaining([
        ["x", "offered"],
        ["a", "preset"],
      ]),
    );
    expect(runtime.explainTools()[0]).toEqual({ name: "a", description: "", tokens: 19, status: "offered" });
  });
  test("inside of a tool it says what a nested run would have", async () => {
    let said: unknown;
    const look = tool({
      name: "look",
      execute: (_args, ctx) => {
        said = ctx.runtime.explainTools().map(({ name, status }) => [name, status]);
      },
    });
    const outer = createRuntime({ model: scripted([picks("look"), "done"]), tools: [made("a"), look, made("b")] });
    await outer.exec("go", { tools: [look, tool.named("b")], toolsDeny: ["b"] });
    expect(said).toEqual([
      ["look", "offered"],
      ["b", "dropped"],
      ["a", "dropped"],
    ]);
  });
  test("says what a raw schema lacks; the others are offered", () => {
    const broken = tool({ name: "broken", input: { $ref: "#/$defs/nothing" }, execute: () => 1 });
    const told = runtime.explainTools({ tools: [broken, made("x")] });
    expect(told.slice(0, 2)).toMatchObject([
      { name: "x", status: "offered" },
      { name: "broken", status: "dropped", gate: "schema", reason: expect.stringContaining("#/$defs/nothing") },
    ]);
  });
  test("takes the options that a menu depends on, and no others", () => {
    expect(() => runtime.explainTools({ maxIterations: 3 } as never)).toThrow('There is no option "maxIterations"');
    expect(() => runtime.explainTools({ toolset: "nothing" })).toThrow('there is no preset "nothing"');
  });
  test("tells apart names that every object has", () => {
    const odd = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const one = createRuntime({ model: scripted([]), tools: odd.map((name) => made(name)) });
    expect(one.explainTools({ toolsDeny: ["toString"] }).map(({ name, status }) => [name, status])).toEqual([
      ["__proto__", "offered"],
      ["constructor", "offered"],
      ["hasOwnProperty", "offered"],
      ["toString", "dropped"],
    ]);
  });
});
