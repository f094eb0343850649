import { describe, expect, test } from "vitest";
import {
  type ApprovalRequest,
  type Approvals,
  createRuntime,
  type JsonObject,
  type Tool,
  tool,
} from "../../src/core.ts";
import { pay, paying } from "./paying.fixture.ts";
import { answers, call, logged, picks, play, warningsOf } from "./play.fixture.ts";

const denied = expect.stringMatching(/^! Denied.*No work was done/s);

/** Whether each of these calls ran, was asked about, or was denied. */
async function fates(approvals: Approvals, tools: readonly Tool[], calls: readonly [string, JsonObject?][]) {
  const asked: string[] = [];
  const { result } = await play(
    [picks(...calls.map(([name, args], i) => call(name, args ?? {}, `c${i}`))), "done"],
    { tools },
    { approvals, approve: (request) => asked.push(request.call.id) > 0 },
  );
  return answers(result.messages).map((text, i) =>
    text.startsWith("! Denied") ? "denied" : asked.includes(`c${i}`) ? "asked" : "ran",
  );
}

const reads = logged("look", [], { readOnly: true });
const writes = logged("write", []);
const careful = logged("careful", [], { requiresApproval: true });

describe("the order", () => {
  const all: readonly [string][] = [["look"], ["write"], ["careful"]];
  const tools = [reads, writes, careful];

  test.each<[string, Approvals, readonly string[]]>([
    ["nothing", {}, ["ran", "ran", "asked"]],
    ["mode ask", { mode: "ask" }, ["ran", "asked", "asked"]],
    ["mode accept-edits", { mode: "accept-edits" }, ["ran", "asked", "asked"]],
    ["mode read-only", { mode: "read-only" }, ["ran", "denied", "denied"]],
    ["mode all", { mode: "all" }, ["ran", "ran", "ran"]],
    [
      "a denial before all",
      { mode: "all", deny: ["look", "write"], allow: ["look", "write"] },
      ["denied", "denied", "ran"],
    ],
    [
      "read-only before allow and ask",
      { mode: "read-only", allow: ["write"], ask: ["careful"] },
      ["ran", "denied", "denied"],
    ],
    ["ask before allow and all", { mode: "all", ask: ["look"], allow: ["look"] }, ["asked", "ran", "ran"]],
    ["allow before the tool's own word", { allow: ["careful"] }, ["ran", "ran", "ran"]],
    ["allow before mode ask", { mode: "ask", allow: ["write"] }, ["ran", "ran", "asked"]],
    ["deny by any spelling", { deny: ["Look", "wri-te"] }, ["denied", "denied", "asked"]],
    ["ask by any spelling, allow by one only", { ask: ["LOOK"], allow: ["Careful"] }, ["asked", "ran", "asked"]],
  ])("%s", async (_, approvals, outcome) => {
    expect(await fates(approvals, tools, all)).toEqual(outcome);
  });

  test("a rule of the tool that throws denies in mode ask too, and is not asked behind an allow rule", async () => {
    const broken = logged("broken", [], {
      requiresApproval: () => {
        throw new Error("no");
      },
    });
    expect(await fates({ mode: "ask" }, [broken], [["broken"]])).toEqual(["denied"]);
    expect(await fates({ allow: ["broken"] }, [broken], [["broken"]])).toEqual(["ran"]);
  });

  test("the model is told which rule, and that nothing was done", async () => {
    const { result } = await play(
      [picks(call("write", { path: "a/b" })), "done"],
      { tools: [writes] },
      {
        approvals: { deny: ["write(a/**)"] },
      },
    );
    expect(answers(result.messages)).toEqual([
      '! Denied: "write" was not run, because the rule "write(a/**)" forbids it. No work was done.',
    ]);
  });

  test("rules are read when the runtime is made", async () => {
    const deny = ["write"];
    const approvals = { deny };
    const runtime = createRuntime({ model: { id: "m", stream: () => [] as never }, approvals });
    expect(runtime).toBeDefined();
    expect(() => createRuntime({ approvals: { deny: ["write("] } })).toThrow('"approvals.deny[0]": The rule "write("');
    expect(() => createRuntime({ approvals: { mode: "none" as never } })).toThrow('"approvals.mode" must be "ask"');
    expect(() => createRuntime({ approvals: { denny: [] } as never })).toThrow('Did you mean "deny"?');
    expect(() => createRuntime({ approvals: { onAlways: 1 as never } })).toThrow("approvals.onAlways");
  });
});

test("a rule for a tool that nothing has is told of", async () => {
  const { events } = await play(
    ["done"],
    { tools: [writes] },
    {
      approvals: { deny: ["wirte", "Write(x)"], ask: ["write"], allow: ["Write"] },
    },
  );
  expect(warningsOf(events).map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'unknown_tool: approvals.deny: there is no tool named "wirte". Did you mean "write"?',
    'unknown_tool: approvals.deny: there is no tool named "Write", so it was taken for "write". Write "write".',
    'unknown_tool: approvals.allow: there is no tool named "Write". Did you mean "write"?',
  ]);
});

test("accept-edits: the writing tools run inside of the workspace, and are asked about outside", async () => {
  const tools = ["write_file", "edit_file", "other"].map((name) => logged(name, []));
  const calls = [
    ["write_file", { path: "a.ts" }],
    ["edit_file", { path: "src/../b.ts" }],
    ["write_file", { path: "../a.ts" }],
    ["edit_file", { path: "/etc/a" }],
    ["write_file", {}],
    ["other", { path: "a.ts" }],
  ] as const;
  expect(
    await fates(
      { mode: "accept-edits" },
      tools,
      calls.map(([a, b]) => [a, b]),
    ),
  ).toEqual(["ran", "ran", "asked", "asked", "asked", "asked"]);
});

test("nobody to ask: what rules want asked is denied", async () => {
  const { result } = await play(
    [picks("look", "write"), "done"],
    { tools: [reads, writes] },
    {
      approvals: { mode: "ask" },
    },
  );
  expect(answers(result.messages)).toEqual(["look done", denied]);
});

describe("TOOL-11, STATE-02, STATE-04", () => {
  test("STATE-02 what is pending says itself that it needs a person: a no is a no, a yes runs it once", async () => {
    for (const yes of [false, true]) {
      let rule = true;
      const log: unknown[] = [];
      const { result } = await play(
        [picks(call("pay", { euros: 5 })), "done"],
        // The rule is gone when the answer comes: only what was recorded with the call says that it waits.
        { tools: [paying(log, () => rule)] },
        {
          approve: async () => {
            rule = false;
            await Promise.resolve();
            return yes;
          },
        },
      );
      expect(log).toEqual(yes ? [{ euros: 5 }] : []);
      expect(answers(result.messages)).toEqual([yes ? "paid" : denied]);
    }
  });

  test("STATE-04 a no to the first of three sends no request before the others are decided; results in call order", async () => {
    const log: string[] = [];
    const decided: string[] = [];
    let requests = 0;
    const tools = ["a", "b", "c"].map((name) => logged(name, log));
    const { result } = await play(
      [
        picks("a", "b", "c"),
        () => {
          requests = decided.length;
          return "done";
        },
      ],
      { tools },
      {
        approvals: { mode: "ask" },
        approve: async ({ call: { name } }) => {
          // What stands before a call was done before it is asked about.
          expect(log).toEqual(decided.filter((one) => one !== "a"));
          await new Promise((resolve) => setImmediate(resolve));
          decided.push(name);
          return name !== "a";
        },
      },
    );
    expect(requests).toBe(3);
    expect(decided).toEqual(["a", "b", "c"]);
    expect(answers(result.messages)).toEqual([denied, "b done", "c done"]);
  });

  test("TOOL-11 a hook that throws denies what a rule wants asked", async () => {
    const log: string[] = [];
    const { result } = await play(
      [picks("write"), "done"],
      { tools: [logged("write", log)] },
      {
        approvals: { ask: ["write"] },
        approve: () => Promise.reject(new Error("no terminal")),
      },
    );
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([denied]);
  });
});

describe("edited arguments", () => {
  const at = (path: string) => ({ approved: true, arguments: { path } });

  test("are judged by deny rules again, and are exactly what runs", async () => {
    const ran: unknown[] = [];
    const saves = tool({
      name: "save",
      input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      execute: (args) => void ran.push(args),
    });
    const approvals: Approvals = { deny: ["save(secret/**)"], ask: ["save"] };
    for (const [path, runs] of [
      ["b/c", true],
      ["a/../secret/x", false],
      ["SECRET/x", false],
    ] as const) {
      ran.length = 0;
      const { result } = await play(
        [picks(call("save", { path: "a" })), "done"],
        { tools: [saves] },
        {
          approvals,
          approve: () => at(path),
        },
      );
      expect(ran).toEqual(runs ? [{ path }] : []);
      if (!runs) expect(answers(result.messages)).toEqual([denied]);
    }
  });

  test("that do not fit are answered with what is wrong", async () => {
    const { log, answer } = await pay(() => ({ approved: true, arguments: { euros: 700 }, scope: "run" }));
    expect(log).toEqual([]);
    expect(answer).toMatch(/^! .*euros/s);
  });
});

test("the request says the rule that covers just the call", async () => {
  const seen: ApprovalRequest[] = [];
  const tools = [logged("write", [])];
  await play(
    [picks(call("write", { path: "./a/*.ts" }), call("write", { b: 1, a: 2 })), "done"],
    { tools },
    {
      approvals: { mode: "ask" },
      approve: (request) => seen.push(request) > 0,
    },
  );
  expect(seen.map(({ rule }) => rule)).toEqual(["write(a/\\*.ts)", 'write({"a":2,"b":1})']);
});
