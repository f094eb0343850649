import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Approval,
  type ApprovalRequest,
  type Approvals,
  createRuntime,
  type HostFactory,
  memory,
  method,
  type OpenRun,
  type RuntimeOptions,
  type Tool,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, logged, picks, play, startsOf, warningsOf } from "./play.fixture.ts";

const denied = expect.stringMatching(/^! .*No work was done/s);

/** An approver that keeps what it was asked about, and answers with this. */
function asking(answer: Approval | ((name: string) => Approval)) {
  const asked: string[] = [];
  const approve: RuntimeOptions["approve"] = ({ call: { name, arguments: args }, path }) => {
    asked.push(`${path}|${name} ${args}`);
    return typeof answer === "function" ? answer(name) : answer;
  };
  return { asked, approve };
}

const run = { approved: true, scope: "run" } as const;
const always = { approved: true, scope: "always" } as const;

describe("a yes for the run", () => {
  test("spares equal later calls of the same batch and of later rounds the question, and no others", async () => {
    const { asked, approve } = asking(run);
    const log: string[] = [];
    await play(
      [
        picks(call("w", { path: "a" }), call("w", { path: "./a" }), call("w", { path: "b" })),
        picks(call("w", { path: "x/../a" }), call("v", { path: "a" })),
        "done",
      ],
      { tools: [logged("w", log), logged("v", log)] },
      { approve, approvals: { mode: "ask" } },
    );
    expect(log).toHaveLength(5);
    expect(asked).toEqual(['|w {"path":"a"}', '|w {"path":"b"}', '|v {"path":"a"}']);
  });

  test("holds in nested runs too, also of what was agreed to in there, and ends with the root run", async () => {
    const { asked, approve } = asking(run);
    const w = logged("w", [], { requiresApproval: true });
    const nest = tool({ name: "nest", execute: (_, ctx) => ctx.runtime.exec("inner", { tools: [w] }) });
    const script = [picks("nest"), picks("w"), "inner", picks("w"), "done"];
    const runtime = createRuntime({ model: scripted([...script, ...script]), approve, tools: [nest, w] });
    await runtime.exec("go");
    expect(asked).toEqual(["1/0/0|w {}"]);
    await runtime.exec("go");
    expect(asked).toEqual(["1/0/0|w {}", "1/0/0|w {}"]);
  });

  test("with other arguments it is for those", async () => {
    const { asked, approve } = asking({ ...run, arguments: { path: "b" } });
    const log: unknown[] = [];
    const w = tool({ name: "w", input: { type: "object" }, execute: (args) => void log.push(args) });
    await play(
      [picks(call("w", { path: "a" }), call("w", { path: "b" }), call("w", { path: "a" })), "done"],
      { tools: [w] },
      {
        approve,
        approvals: { ask: ["w"] },
      },
    );
    expect(log).toEqual([{ path: "b" }, { path: "b" }, { path: "b" }]);
    expect(asked).toEqual(['|w {"path":"a"}', '|w {"path":"a"}']);
  });

  test.each(["no", "once", "for ever"])("%s spares nothing", async (what) => {
    const answer = what === "no" ? { approved: false, scope: "run" } : { approved: true, scope: what };
    const { asked, approve } = asking(answer as Approval);
    const { events } = await play(
      [picks("w", "w"), "done"],
      { tools: [logged("w", [], { requiresApproval: true })] },
      { approve },
    );
    expect(asked).toHaveLength(2);
    expect(warningsOf(events)).toHaveLength(what === "for ever" ? 2 : 0);
  });
});

test("a no that comes through the inbox, whatever its scope, is no yes for the next", async () => {
  const inner = memory();
  let open: OpenRun | undefined;
  const host: HostFactory = {
    open: (id) => {
      open = inner.open(id);
      return open;
    },
  };
  const log: string[] = [];
  const approve = ({ call: { id } }: ApprovalRequest) => {
    open?.send({ kind: "approval", approval: { callId: id, approved: false, scope: "run" } });
    return new Promise<never>(() => {});
  };
  await play([picks("w", "w"), "done"], { tools: [logged("w", log, { requiresApproval: true })] }, { approve, host });
  expect(log).toEqual([]);
});

describe("a yes for good", () => {
  test("holds for the runtime from then on; what is to keep it gets the rule for just that", async () => {
    const { asked, approve } = asking(always);
    const rules: string[] = [];
    const w = logged("w", [], { requiresApproval: true });
    const model = scripted([
      picks(call("w", { path: "./a*" })),
      "one",
      picks(call("w", { path: "a*" }), call("w", { path: "ab" })),
      "two",
    ]);
    const onAlways = (rule: string) => void rules.push(rule);
    const runtime = createRuntime({ model, approve, tools: [w], approvals: { onAlways } });
    await runtime.exec("go");
    await runtime.exec("go");
    expect(asked).toEqual(['|w {"path":"./a*"}', '|w {"path":"ab"}']);
    expect(rules).toEqual(["w(a\\*)", "w(ab)"]);
  });

  test("what onAlways throws is a warning, and the yes holds", async () => {
    const { asked, approve } = asking(always);
    const onAlways = () => Promise.reject(new Error("disk full"));
    const { events, result } = await play(
      [picks("w", "w"), "done"],
      { tools: [logged("w", [], { requiresApproval: true })] },
      {
        approve,
        approvals: { onAlways },
      },
    );
    expect(warningsOf(events).map(({ message }) => message)).toEqual([
      '"Always" could not be kept, so it holds for this runtime only: disk full',
    ]);
    expect([asked.length, answers(result.messages)]).toEqual([1, ["w done", "w done"]]);
  });
});

describe("nested runs of another runtime", () => {
  /** An outer run whose tool begins one of another runtime, which calls `w`. */
  async function nested(outer: Approvals | undefined, inner: Approvals | undefined, extra: Partial<Tool> = {}) {
    const { asked, approve } = asking(true);
    const log: string[] = [];
    const model = scripted([picks(call("w", { path: "a" })), "inner"]);
    const other = createRuntime({
      model,
      tools: [logged("w", log, extra)],
      approve: () => {
        throw new Error("the inner person was asked");
      },
      ...(inner && { approvals: inner }),
    });
    const nest = tool({ name: "nest", readOnly: true, execute: () => other.exec("go", { toolset: "full" }) });
    await play([picks("nest"), "done"], { tools: [nest] }, { approve, ...(outer && { approvals: outer }) });
    return log.length === 0 ? "denied" : (asked[0] ?? "ran");
  }

  const asked = '1/0/0|w {"path":"a"}';

  test.each<[Approvals | undefined, Approvals | undefined, string, Partial<Tool>?]>([
    [undefined, undefined, "ran"],
    [{ deny: ["w(a)"] }, { allow: ["w"], mode: "all" }, "denied"],
    [{ allow: ["w"], mode: "all" }, { deny: ["w(a)"] }, "denied"],
    [{ mode: "read-only" }, { mode: "all" }, "denied"],
    [{ mode: "all" }, { mode: "read-only" }, "denied"],
    [{ ask: ["w"] }, { mode: "all" }, asked],
    [{ mode: "all" }, { ask: ["w"] }, asked],
    [{ mode: "ask" }, undefined, asked],
    [undefined, { mode: "ask" }, asked],
    [{ mode: "all" }, { allow: ["w"] }, "ran", { requiresApproval: true }],
    [{ mode: "all" }, undefined, asked, { requiresApproval: true }],
    [undefined, { mode: "all" }, asked, { requiresApproval: true }],
  ])("outside %j, inside %j: %s", async (outer, inner, fate, extra) => {
    expect(await nested(outer, inner, extra)).toBe(fate);
  });

  test("deny rules win over what was agreed to", async () => {
    const { approve } = asking(always);
    const w = logged("w", [], { requiresApproval: true });
    const strict = createRuntime({ model: scripted([picks("w"), "inner"]), tools: [w], approvals: { deny: ["w"] } });
    const log: string[] = [];
    const nest = tool({
      name: "nest",
      execute: async () => {
        const { messages } = await strict.run("go", { toolset: "full" }).result;
        log.push(...answers(messages));
      },
    });
    await play([picks("w", "nest"), "done"], { tools: [w, nest] }, { approve });
    expect(log).toEqual([denied]);
  });
});

describe("decisions obey the rules", () => {
  const decide = async (approvals: Approvals, answer: Approval = true) => {
    const ran: string[] = [];
    const pay = method({ name: "pay" }, () => void ran.push("pay"));
    const { asked, approve } = asking(answer);
    const model = scripted(["settle", "null"]);
    const runtime = createRuntime({ model, approvals, approve });
    await runtime.exec("go", { tools: [], choices: { settle: pay, nothing: null as never } }).catch(() => {});
    return [ran, asked];
  };

  test("by the function's own name and by that of its option", async () => {
    expect(await decide({})).toEqual([["pay"], []]);
    expect(await decide({ deny: ["pay"] })).toEqual([[], []]);
    expect(await decide({ deny: ["Settle"] })).toEqual([[], []]);
    expect(await decide({ mode: "read-only" })).toEqual([[], []]);
    expect(await decide({ ask: ["settle"] })).toEqual([["pay"], ["|pay {}"]]);
    expect(await decide({ mode: "ask" }, false)).toEqual([[], ["|pay {}"]]);
    expect(await decide({ mode: "ask", allow: ["pay"] })).toEqual([["pay"], []]);
  });
});

test("a call that a rule wants asked about or denies is not begun while the reply streams, nor is what is behind it", async () => {
  for (const approvals of [{ ask: ["r(a)"] }, { deny: ["r(a)"] }] satisfies Approvals[]) {
    const log: string[] = [];
    const r = tool({
      name: "r",
      readOnly: true,
      input: { type: "object", properties: { path: { type: "string" } } },
      execute: (args) => void log.push((args as { path: string }).path),
    });
    const approve = () => {
      expect(log).toEqual([]);
      return true;
    };
    const { events } = await play(
      [picks(call("r", { path: "a" }), call("r", { path: "b" })), "done"],
      { tools: [r], toolExecution: "overlap" },
      { approve, approvals },
    );
    expect(log).toEqual("ask" in approvals ? ["a", "b"] : ["b"]);
    expect(startsOf(events)).toHaveLength(2);
  }
});

test("no set of rules with a denial that fits ever lets the call run", async () => {
  const names = ["write_file", "save", "run"];
  const spelt = (name: string) =>
    fc.constantFrom(name, name.toUpperCase(), name.replace("_", ""), name.replace("_", "-"));
  const paths = fc.constantFrom("secret/x", "./secret/x", "src/../secret/x", "SECRET/x", "secret//a/b");
  const denials = (name: string) =>
    fc
      .tuple(spelt(name), fc.constantFrom("", "(secret/**)", "(**)", "(secret/)", "(./secret/**)"))
      .map((one) => one.join(""));
  const rules = fc.array(fc.constantFrom(...names, "save(secret/**)", "write_file(**)", "run(secret/x)"), {
    maxLength: 4,
  });
  const scope = fc.constantFrom("once", "run", "always");
  const mode = fc.constantFrom(undefined, "ask", "accept-edits", "read-only", "all");
  const one = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.record({ name: fc.constant(name), denial: denials(name), path: paths, edited: fc.option(paths) }),
    );
  await fc.assert(
    fc.asyncProperty(one, rules, rules, mode, scope, fc.boolean(), async (made, allow, ask, set, far, readOnly) => {
      const { name, denial, path, edited } = made;
      const ran: unknown[] = [];
      const w = tool({ name, readOnly, input: { type: "object" }, execute: (args) => void ran.push(args) });
      const approve = () => ({
        approved: true,
        scope: far as "run",
        ...(edited !== null && { arguments: { path: edited } }),
      });
      const approvals = { allow, ask, deny: [denial], ...(set && { mode: set as "ask" }) };
      // A call that may run comes first: what is agreed to there changes nothing.
      const script = [picks(call(name, { path: "open" }), call(name, { path })), picks(call(name, { path })), "done"];
      const runtime = createRuntime({ model: scripted(script), tools: [w], approve, approvals });
      await runtime.exec("go", { stuck: false, toolExecution: readOnly ? "overlap" : "sequential" });
      expect(ran.filter((args) => (args as { path: string }).path !== "open")).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
