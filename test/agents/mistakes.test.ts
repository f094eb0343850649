import { describe, expect, test } from "vitest";
import {
  Agent,
  type AgentOptions,
  createRuntime,
  type Method,
  type MethodOptions,
  method,
  RondoError,
  type SendOptions,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { hanging, never, read } from "../loop/play.fixture.ts";

/** What this throws, as a mistake of the caller told in words of ours. */
function mistake(make: () => unknown): { code: string; message: string } {
  try {
    make();
  } catch (error) {
    if (!RondoError.isInstance(error)) throw error;
    return { code: error.code, message: error.message };
  }
  throw new Error("It did not throw.");
}

describe("an agent that is made with", () => {
  class A extends Agent {}
  test.each([[null], ["openai/x"], [[]], [5], [() => 1]])("%s says what to give", (options) => {
    const { code, message } = mistake(() => new A(options as unknown as AgentOptions));
    expect(code).toBe("invalid_option");
    expect(message).toMatch(/^The options of an agent must be an object such as \{ model \}, not /);
  });

  test("nothing, or undefined, has none", () => {
    expect(new A()).toBeInstanceOf(A);
    expect(new A(undefined)).toBeInstanceOf(A);
  });
});

const bodies: readonly (readonly [string, (options: MethodOptions) => Method])[] = [
  [
    "this.method",
    (options) =>
      new (class extends Agent {
        m = this.method(options, () => 1);
      })().m,
  ],
  ["method", (options) => method(options, () => 1)],
];

describe.each(bodies)("%s with", (_, make) => {
  const told = (options: unknown) => mistake(() => make(options as MethodOptions));

  test.each([[5], [null], [{}], [""], ["  "]])("the name %j says what a name is", (name) => {
    const { code, message } = told({ name });
    expect(code).toBe("invalid_tool");
    expect(message).toMatch(/"name" of a method must be text that is not empty, not /);
  });

  test.each([
    ["reaOnly", "readOnly"],
    ["requireApproval", "requiresApproval"],
    ["timeoutMS", "timeoutMs"],
    ["descripton", "description"],
    ["inputs", "input"],
  ])("the option %s names the nearest", (wrong, right) => {
    const { code, message } = told({ name: "m", [wrong]: true });
    expect(code).toBe("invalid_option");
    expect(message).toBe(`There is no option of a method "${wrong}". Did you mean "${right}"?`);
  });

  test("an option that is like none lists them", () => {
    expect(told({ name: "m", zzz: 1 }).message).toMatch(/^There is no option of a method "zzz"\. There are name, /);
  });

  test.each([
    ["description", 5],
    ["timeoutMs", -1],
    ["timeoutMs", "1s"],
    ["maxResultChars", 0],
    ["readOnly", "yes"],
    ["repeatable", 1],
    ["requiresApproval", "always"],
    ["unsafeIn", "web"],
  ])("%s: %j says what it may be", (option, value) => {
    const { code, message } = told({ name: "m", [option]: value });
    expect(code).toBe("invalid_tool");
    expect(message).toContain(`"${option}" of a method must be`);
  });

  test("options that are undefined are not given", async () => {
    const options = { name: "m", description: undefined, readOnly: undefined, timeoutMs: undefined, input: undefined };
    expect(await make(options as unknown as MethodOptions)()).toBe(1);
  });

  test.each([[null], [[]], [() => 1], ["m"]])("%s for options says what it needs", (options) => {
    expect(told(options)).toMatchObject({ code: "invalid_tool", message: expect.stringMatching(/needs options/) });
  });
});

const handles = [
  ["a run", () => createRuntime({ model: hanging() }).run("go", { tools: [] })],
  ["a watched method", () => method({ name: "m" }, never).run()],
] as const;

describe.each(handles)("the handle of %s", (_, make) => {
  test("works taken apart", async () => {
    const { send, abort, text, id, result, [Symbol.asyncIterator]: iterate } = make();
    expect(id).toMatch(/^run_/);
    expect(send("hello").status).toBe("queued");
    const reading = read({ [Symbol.asyncIterator]: iterate });
    const pieces = (async () => {
      for await (const piece of text) throw new Error(`no text was expected, but: ${piece}`);
    })();
    abort("enough");
    expect(await result).toMatchObject({ outcome: "aborted", undelivered: [{ role: "user", content: "hello" }] });
    expect((await reading).at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    await pieces;
  });

  test.each<readonly [unknown, RegExp]>([
    [null, /options of send must be an object, not null/],
    ["now", /options of send must be an object, not "now"/],
    [[], /options of send must be an object/],
    [{ whn: "now" }, /no option of send "whn"\. Did you mean "when"\?/],
    [{ when: "later" }, /"when" must be now, after_round, at_end, not "later"/],
    [{ when: null }, /"when" must be now, after_round, at_end, not null/],
    [{ to: 5 }, /"to" must be the path of a run, not 5/],
    [{ to: "9/9/9" }, /"to": there has been no run at path "9\/9\/9"/],
  ])("refuses send with the options %j, and goes on", async (options, says) => {
    const run = make();
    const { code, message } = mistake(() => run.send("hello", options as SendOptions));
    expect(code).toBe("invalid_option");
    expect(message).toMatch(says);
    expect(run.send("hello", { when: "at_end", to: "" }).status).toBe("queued");
    run.abort();
    expect((await run.result).undelivered).toHaveLength(1);
  });
});

test("post works taken apart too", async () => {
  const { post, result } = createRuntime({ model: hanging() }).run("go", { tools: [] });
  post({ kind: "control", control: { type: "abort", reason: "enough" } });
  expect(await result).toMatchObject({ outcome: "aborted" });
});

test("a runtime and a method work taken apart", async () => {
  const { exec, run } = createRuntime({ model: scripted(["one", "two"]) });
  expect(await exec("go", { tools: [] })).toBe("one");
  expect(await run("go", { tools: [] }).result).toMatchObject({ text: "two" });
  const { run: watch } = method({ name: "m" }, () => 7);
  expect(await watch().result).toMatchObject({ value: 7 });
});

test("a watched method that throws what cannot be looked at ends in an error all the same", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const m = method({ name: "m" }, () => {
    throw proxy;
  });
  expect(await m.run().result).toMatchObject({ outcome: "error", error: { code: "error" } });
});
