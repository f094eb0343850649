import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  Agent,
  createRuntime,
  type ExecOptions,
  exec,
  RondoError,
  type RuntimeOptions,
  resolveModel,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "rondo-options-"));
const file = join(folder, "file.txt");
writeFileSync(file, "x");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values that hardly any option takes, by how a test names them. */
const odd: readonly (readonly [name: string, value: unknown])[] = [
  ["null", null],
  ["NaN", Number.NaN],
  ["-1", -1],
  ['""', ""],
  ["{}", {}],
  ["[]", []],
  ["[null]", [null]],
  ["a hole", new Array(1)],
  ["a function", () => "x"],
  ["a symbol", Symbol("s")],
  ["a bigint", 7n],
  ["true", true],
  ["a cycle", Object.assign([], { 0: 0 }).map((_, __, all) => all)],
];

/** Which of the odd values an option takes all the same. */
const ofExec: { readonly [O in keyof Required<ExecOptions>]: readonly string[] } = {
  tools: ["[]"],
  toolset: [],
  toolsSource: [],
  toolsAllow: ["[]"],
  toolsDeny: ["[]"],
  deferAbove: [],
  toolChoice: [],
  toolChoiceScope: [],
  parallelToolCalls: ["true"],
  maxIterations: ["-1"],
  limits: ["{}"],
  atLimit: [],
  toolExecution: [],
  stuck: ["true"],
  model: [],
  effort: [],
  system: ['""'],
  messages: ["[]"],
  getSteeringMessages: ["a function"],
  getFollowUpMessages: ["a function"],
  timeoutMs: [],
  maxOutputTokens: [],
  temperature: [],
  providerOptions: ["{}"],
  onRetry: ["a function"],
  signal: [],
  key: [],
  choices: ["[null]"],
  output: ["{}"],
};

const ofRuntime: { readonly [O in keyof Required<RuntimeOptions>]: readonly string[] } = {
  model: [],
  system: ofExec.system,
  effort: [],
  limits: ofExec.limits,
  atLimit: [],
  maxIterations: ofExec.maxIterations,
  toolExecution: [],
  stuck: ofExec.stuck,
  timeoutMs: [],
  maxOutputTokens: [],
  temperature: [],
  providerOptions: ofExec.providerOptions,
  toolsAllow: ofExec.toolsAllow,
  toolsDeny: ofExec.toolsDeny,
  toolsSource: [],
  deferAbove: [],
  presets: ["{}"],
  toolsDisabled: ofExec.toolsDeny,
  tools: ["[]"],
  host: [],
  approve: ["a function"],
  approvalTimeoutMs: [],
  requiresApproval: ofExec.toolsDeny,
  approvals: ["{}"],
  workspace: [],
  allowSecrets: ["true"],
  allowUnsafePaths: ["true"],
  redact: ["true"],
  recursion: ["{}"],
  prices: ["{}"],
};

const table = (options: { readonly [name: string]: readonly string[] }) =>
  Object.entries(options).flatMap(([option, fine]) => odd.map(([name, value]) => ({ option, name, value, fine })));

/** What a piece of code throws; undefined if it throws nothing. */
function thrown(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  return undefined;
}

const mistakes = ["invalid_option", "invalid_tool", "invalid_history", "unknown_tool", "unknown_model"];

/** It is an error of ours, which names what was wrong. */
function isMistake(error: unknown, option: string): void {
  expect(error).toBeInstanceOf(RondoError);
  const { code, message } = error as RondoError;
  expect(mistakes).toContain(code);
  if (code === "invalid_option") expect(message).toContain(option);
  expect(message).not.toMatch(/is not a function|Cannot (read|convert)|undefined \(/);
}

describe("an option of exec", () => {
  test.each(table(ofExec))("$option: $name", async ({ option, name, value, fine }) => {
    const decides = option === "choices";
    const model = scripted([decides ? "null" : "fine"]);
    const runtime = createRuntime({ model });
    const options = { ...(option === "tools" ? {} : { toolset: "none" }), [option]: value } as unknown as ExecOptions;
    if (fine.includes(name)) {
      expect(await runtime.exec("go", options)).toBe(decides ? null : "fine");
      return;
    }
    isMistake(
      thrown(() => runtime.run("go", options)),
      option,
    );
    const rejected = await runtime.exec("go", options).catch((error: unknown) => error);
    isMistake(rejected, option);
    expect(model.requests).toEqual([]);
  });
});

describe("an option of createRuntime", () => {
  test.each(table(ofRuntime))("$option: $name", async ({ option, name, value, fine }) => {
    const model = scripted(["fine"]);
    const options = { model, [option]: value } as unknown as RuntimeOptions;
    if (fine.includes(name)) {
      expect(await createRuntime(options).exec("go", { toolset: "none" })).toBe("fine");
      return;
    }
    isMistake(
      thrown(() => createRuntime(options).run("go", { toolset: "none" })),
      option,
    );
    expect(model.requests).toEqual([]);
  });

  test.each([
    ["host", { host: {} }, /"host".*memory\(\)/],
    ["host", { host: { open: 7 } }, /"host".*memory\(\)/],
    ["approve", { approve: true }, /"approve" must be a function/],
    ["approvalTimeoutMs", { approvalTimeoutMs: 0 }, /"approvalTimeoutMs".*milliseconds above 0.*not 0/],
    ["workspace", { workspace: join(folder, "none") }, /"workspace".*none.*not there/],
    ["workspace", { workspace: file }, /"workspace".*file\.txt.*no folder/],
    ["prices", { prices: { m: { input: Number.NaN, output: 1 } } }, /prices\["m"\]\.input.*NaN/],
    ["prices", { prices: { m: { input: 1, output: -1 } } }, /prices\["m"\]\.output.*-1/],
    ["prices", { prices: { m: { input: 1 } } }, /prices\["m"\]\.output.*undefined/],
    ["prices", { prices: { m: { input: 1, output: 1, cacheRead: "1" } } }, /prices\["m"\]\.cacheRead/],
    ["prices", { prices: { m: { input: 1, output: 1, cachedRead: 1 } } }, /cachedRead.*cacheRead/],
    ["recursion", { recursion: { maxDepth: 0 } }, /recursion\.maxDepth.*at least 1/],
    ["recursion", { recursion: { depth: 3 } }, /depth.*maxDepth/],
    ["prices", { prices: { m: 3 } }, /prices\["m"\].*\{ input, output \}/],
  ])("%s %j says what to write", (_, options, says) => {
    const error = thrown(() => createRuntime(options as unknown as RuntimeOptions));
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringMatching(says) });
  });

  test("a workspace that is there, a limit on waiting and prices are taken", () => {
    const prices = { m: { input: 0, output: 1.5, cacheRead: 0.1, cacheWrite: 2 } };
    const runtime = createRuntime({ workspace: folder, approvalTimeoutMs: Number.POSITIVE_INFINITY, prices });
    expect(runtime.workspace).toBe(folder);
  });
});

test.each([
  ["toolChoice", { toolChoice: null }],
  ["toolChoice", { toolChoice: { type: "function" } }],
  ["toolChoice", { toolChoice: new Array(1) }],
  ["limits", { limits: { cost: "1" } }],
  ["providerOptions", { providerOptions: { openai: 1 } }],
  ["providerOptions", { providerOptions: { openai: null } }],
])("%s %j is a caller mistake that names it", (option, options) => {
  const runtime = createRuntime({ model: scripted([]) });
  const error = thrown(() => runtime.run("go", { toolset: "none", ...options } as unknown as ExecOptions));
  expect(error).toMatchObject({ code: "invalid_option", message: expect.stringContaining(option) });
});

describe("options that are no object", () => {
  test.each([[null], [[]], ["x"], [7], [() => ({})], [Symbol("s")]])("%s", async (options) => {
    const bad = options as never;
    expect(thrown(() => createRuntime(bad))).toMatchObject({ code: "invalid_option" });
    const runtime = createRuntime({ model: scripted([]) });
    expect(thrown(() => runtime.run("go", bad))).toMatchObject({ code: "invalid_option" });
    await expect(runtime.exec("go", bad)).rejects.toMatchObject({ code: "invalid_option" });
    await expect(runtime.runs.start("r1", "go", bad)).rejects.toMatchObject({ code: "invalid_option" });
    expect(thrown(() => resolveModel("offline", bad))).toMatchObject({ code: "invalid_option" });
  });
});

describe("a running run", () => {
  const going = () => createRuntime({ model: scripted([{ hang: true }]) }).run("go", { tools: [] });

  test.each([
    [null],
    ["at_end"],
    [[]],
    [7],
    [{ when: null }],
    [{ when: "later" }],
    [{ when: Symbol("s") }],
    [{ wen: "now" }],
  ])("send with options %s", async (options) => {
    const run = going();
    expect(thrown(() => run.send("more", options as never))).toMatchObject({ code: "invalid_option" });
    run.abort();
    expect(await run.result).toMatchObject({ outcome: "aborted", undelivered: [] });
  });

  test.each([
    [null],
    [undefined],
    ["now"],
    [{}],
    [{ kind: Symbol("s") }],
    [{ kind: "now" }],
    [{ kind: "now", message: null }],
    [{ kind: "control" }],
    [{ kind: "control", control: { type: "stop" } }],
    [{ kind: "approval" }],
    [{ kind: "approval", approval: { callId: "c", approved: "yes" } }],
    [{ kind: "approval", approval: { approved: true } }],
    [{ kind: "approval", approval: { callId: "c", approved: true, arguments: {} } }],
    [{ kind: "approval", approval: { callId: "c", approved: false, reason: 7 } }],
  ])("post of %s", async (message) => {
    const run = going();
    expect(thrown(() => run.post(message as never))).toMatchObject({ code: "invalid_option" });
    run.abort();
    expect((await run.result).outcome).toBe("aborted");
  });

  test.each([[null], [Symbol("s")], [new Error("enough")], [{ toString: null }]])(
    "abort with the reason %s aborts all the same",
    async (reason) => {
      const run = going();
      run.abort(reason as never);
      expect((await run.result).outcome).toBe("aborted");
    },
  );
});

describe("a running method", () => {
  class Waiting extends Agent {
    wait = this.method({}, () => exec("go", { tools: [], model: scripted([{ hang: true }]) }));
  }

  test.each([[null], ["at_end"], [{ when: null }], [{ to: 7 }]])("send with options %s", async (options) => {
    const run = new Waiting().wait.run();
    expect(thrown(() => run.send("more", options as never))).toMatchObject({ code: "invalid_option" });
    run.abort(Symbol("s") as never);
    expect((await run.result).outcome).toBe("aborted");
  });
});

describe("resolveModel", () => {
  test.each([
    ["http://host/v1#%zz", "unknown_model", /%zz/],
    ["http://[::1/v1#m", "unknown_model", /URL/],
    ["https://#m", "unknown_model", /URL/],
    [null, "unknown_model", /null/],
    [Symbol("s"), "unknown_model", /symbol/],
    [{}, "unknown_model", /\{\}/],
  ])("%s is a mistake in words", (spec, code, says) => {
    const error = thrown(() => resolveModel(spec as never));
    expect(error).toMatchObject({ name: "RondoError", code, message: expect.stringMatching(says) });
  });

  test("an OLLAMA_HOST that is no address", () => {
    const error = thrown(() => resolveModel("ollama/m", { env: { OLLAMA_HOST: "http://[" } }));
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringMatching(/OLLAMA_HOST/) });
  });
});
