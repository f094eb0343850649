import { all, looks, messages, replies, tools } from "./alphabets.ts";
import type { Letter } from "./letters.ts";
import type { Inner, Setup } from "./setup.ts";

const special = (
  name: string,
  letters: readonly Letter[],
  options: Setup["options"],
  family: Partial<Setup> = {},
): Setup => ({
  name,
  letters,
  options,
  rounds: 2,
  arrivals: 1,
  tools,
  kinds: all,
  points: "distinct",
  ...family,
});
const deadline = { kinds: ["deadline"], points: "all" } as const;
const pauses = { rounds: 13, tools: ["ok"] as const };

const quiet = { arrivals: 0, kinds: [] } as const;
const two = { arrivals: 2, points: "few" } as const;
const both = { callbacks: ["steering", "followUps"] } as const;
const ended = { tools: ["ok"], kinds: ["abort"] } as const;
const fault = { kinds: ["fault", "sudden fault"], points: "all" } as const;
const faulted = { kinds: ["now", "at_end", "fault", "sudden fault"], arrivals: 2, rounds: 1 } as const;
const aborts = { kinds: ["abort"] } as const;
const nests = { rounds: 1, tools: ["ok", "nests"] as const };
const inner: Inner = {
  name: "inside",
  rounds: 1,
  letters: ["text", "one", "cut", "error"],
  tools: ["ok", "slow"],
  kinds: all,
  points: "all",
  options: {},
};

const wanted = { wanted: 1 } as const;
const picking = { wanted: 1, tools: ["ok", "throws"] } as const;
const endedPicks = {
  wanted: 1,
  points: "all",
  kinds: ["abort", "recall", "deadline", "alarm", "late abort"],
  approvals: ["yes", "late"],
} as const;
const picks: readonly Letter[] = ["text", "wrong", "pick", "signed", "one"];
const wishes: readonly Letter[] = ["text", "wrong", "empty", "one", "cut", "paused"];

/** Options and replies that the other families leave out. */
export const specials: readonly Setup[] = [
  special(
    "odd replies",
    ["oddText", "cutLength", "cutStream", "broken", "gone", "invalid", "twoActs", "pausedCall"],
    {},
  ),
  special("approvals", ["sign", "one", "text"], {}, { tools: ["ok", "throws"] }),
  special("approvals in overlap", ["sign", "lookSign"], { toolExecution: "overlap" }, { rounds: 1 }),
  special(
    "approvals with edits",
    ["sign", "text"],
    {},
    { approvals: ["edits", "spoils", "yes", "wordless"], tools: ["ok", "throws"] },
  ),
  special("approvals in time", ["sign"], {}, { approvalMs: 50_000_000, kinds: ["patience", "now", "abort"] }),
  special(
    "approvals in time, in turn",
    ["lookSign", "twoSigns"],
    {},
    { approvalMs: 50_000_000, kinds: ["patience"], rounds: 1, tools: ["ok"], approvals: ["yes", "wordless", "late"] },
  ),
  special("approvals and a limit", ["sign", "one"], { limits: { toolCalls: 1 } }),
  special("deadline", replies, { timeoutMs: 100_000_000 }, deadline),
  special(
    "deadline in overlap",
    looks,
    { timeoutMs: 100_000_000, toolExecution: "overlap" },
    { ...deadline, rounds: 1 },
  ),
  special("deadline and approval", ["sign"], { timeoutMs: 100_000_000 }, { ...deadline, rounds: 1 }),
  special("recalled", ["one", "text"], {}, { kinds: ["recall"] }),
  special("tokens 10", replies, { limits: { totalTokens: 10 } }),
  special("tokens 15 stop", replies, { limits: { totalTokens: 15 }, atLimit: "stop" }),
  special("cost 1", replies, { limits: { cost: 1 } }),
  special("cost 2 stop", replies, { limits: { cost: 2 }, atLimit: "stop" }),
  special("no choice", replies, { toolChoice: "none" }),
  special("forced every round", replies, { toolChoice: "required", toolChoiceScope: "round" }),
  special("one of two names", ["one", "look", "text", "paused"], { toolChoice: ["look", "sign"] }, { rounds: 3 }),
  special("only the first call", ["one", "two", "text", "cut"], { parallelToolCalls: "strict" }, { rounds: 3 }),
  special("no stuck guard", ["one", "text"], { stuck: false }, { rounds: 4 }),
  special("stuck at 2", ["one", "look", "text"], { stuck: { endAfter: 2 } }, { rounds: 3 }),
  special("stuck at 3", ["look", "text"], { stuck: { endAfter: 3 } }, { rounds: 4 }),
  special("mixed overlap", ["lookAct", "threeMixed"], { toolExecution: "overlap" }, { rounds: 1 }),
  special("mixed overlap, alone", ["lookAct", "threeMixed"], { toolExecution: "overlap" }, { arrivals: 0, kinds: [] }),
  special("wide overlap", ["eightLooks", "nineLooks"], { toolExecution: "overlap" }, { ...quiet, tools: ["ok"] }),
  special("wide overlap, one arrival", ["nineLooks"], { toolExecution: "overlap" }, { rounds: 1, tools: ["ok"] }),
  special("wide overlap, slow", ["nineLooks"], { toolExecution: "overlap" }, { rounds: 1, tools: ["slow"] }),
  special(
    "wide overlap at a limit",
    ["nineLooks"],
    { toolExecution: "overlap", limits: { toolCalls: 3 } },
    { rounds: 1 },
  ),
  special("wanted", wishes, {}, wanted),
  special("wanted twice", ["text", "wrong", "cutText"], {}, { ...wanted, wanted: 2, rounds: 4, tools: ["ok"] }),
  special("wanted and forced", ["wrong", "one"], { toolChoice: "required" }, { ...wanted, rounds: 3, tools: ["ok"] }),
  special("wanted at a cap", wishes, { maxIterations: 1 }, wanted),
  special("wanted at a cap, stop", wishes, { maxIterations: 1, atLimit: "stop" }, wanted),
  special(
    "wanted, tokens used up",
    ["text", "wrong"],
    { limits: { totalTokens: 20 } },
    { ...wanted, wanted: 3, rounds: 3 },
  ),
  special("wanted, cost used up", ["text", "wrong"], { limits: { cost: 2 } }, { ...wanted, wanted: 3, rounds: 3 }),
  special("wanted without choice", ["wrong", "one", "cut"], { toolChoice: "none" }, wanted),
  special("picks", picks, {}, { ...picking, kinds: messages }),
  special("picks with edits", ["signed"], {}, { ...picking, ...quiet, approvals: ["edits", "spoils", "wordless"] }),
  special("picks in time", ["signed"], {}, { ...picking, approvalMs: 50_000_000, kinds: ["patience", "now"] }),
  special("picks that are ended", ["pick", "signed"], { timeoutMs: 100_000_000 }, { ...endedPicks, rounds: 1 }),
  special(
    "picks that are ended at a cap",
    ["one", "pick"],
    { maxIterations: 1, timeoutMs: 100_000_000 },
    { ...endedPicks, kinds: ["abort", "deadline"] },
  ),
  special("picks, deeper", ["signed", "wrong", "one"], {}, { ...picking, ...quiet, wanted: 2, rounds: 4 }),
  special("picks at a cap", picks, { maxIterations: 1 }, { ...picking, kinds: ["at_end"] }),
  special("picks at a cap, stop", picks, { maxIterations: 1, atLimit: "stop" }, { ...picking, kinds: ["at_end"] }),
  special("picks and a call limit", picks, { limits: { toolCalls: 1 } }, { ...picking, ...quiet, rounds: 3 }),
  special("picks and callbacks", ["pick", "signed"], {}, { ...picking, ...both, kinds: messages }),
  special(
    "picks and a forced choice",
    ["pick", "one"],
    { toolChoice: "required" },
    { ...picking, ...quiet, rounds: 3 },
  ),
  special("pauses", ["paused", "text"], {}, pauses),
  special("empty pauses", ["pausedEmpty", "text"], {}, pauses),
  special("pauses with calls", ["pausedCall"], {}, pauses),
  special("forced and paused", ["paused", "text", "one"], { toolChoice: "required" }, { rounds: 4, arrivals: 0 }),
];

/** Messages of the caller's callbacks, at every point where they are asked. */
export const asked: readonly Setup[] = [
  special("callbacks", replies, {}, both),
  special("callbacks, two arrivals", ["text", "one", "two", "cut", "paused"], {}, { ...both, ...two, tools: ["ok"] }),
  special("steering callback", replies, {}, { callbacks: ["steering"] }),
  special("follow-up callback", replies, {}, { callbacks: ["followUps"] }),
  special("follow-ups, two arrivals", ["text", "one"], {}, { callbacks: ["followUps"], ...two, tools: ["ok"] }),
  special(
    "callbacks at every point",
    ["text", "two"],
    {},
    { ...both, ...ended, arrivals: 2, rounds: 1, points: "all" },
  ),
  special("callbacks in overlap", ["text", "twoLooks"], { toolExecution: "overlap" }, both),
  special("callbacks at a cap", replies, { maxIterations: 1 }, { ...both, tools: ["ok"] }),
  special("callbacks at a cap, stop", replies, { maxIterations: 1, atLimit: "stop" }, { ...both, tools: ["ok"] }),
  special("callbacks and a forced choice", ["text", "one", "paused"], { toolChoice: "required" }, both),
  special("callbacks without choice", ["text", "one", "cut"], { toolChoice: "none" }, both),
  special("callbacks and approvals", ["sign"], {}, { ...both, rounds: 1, tools: ["ok"] }),
  special(
    "callbacks and a deadline",
    ["text", "one"],
    { timeoutMs: 100_000_000 },
    { ...both, ...deadline, arrivals: 2 },
  ),
  special("callbacks, wanted", wishes, {}, { ...both, ...wanted, tools: ["ok"] }),
];

/** Hosts that fail at any step, and runs inside of tools. */
export const broken: readonly Setup[] = [
  special("host fails", replies, {}, fault),
  special("host fails in overlap", looks, { toolExecution: "overlap" }, fault),
  special("host fails late", ["text", "one", "two"], {}, { ...fault, lateHost: true }),
  special("host fails, with messages", ["text", "one", "two"], {}, faulted),
  special("host fails, with callbacks", ["text", "one"], {}, { ...fault, ...both, arrivals: 2 }),
  special("host fails at a cap", ["text", "one"], { maxIterations: 1 }, fault),
  special("host fails, with approvals", ["sign"], {}, { ...fault, rounds: 1 }),

  special("nested", ["one", "two"], {}, { ...nests, inner }),
  special("nested, deeper", ["one"], {}, { ...nests, inner: { ...inner, rounds: 2, letters: ["text", "two", "cut"] } }),
  special("nested twice", ["one"], {}, { ...nests, ...aborts, rounds: 2, inner: { ...inner, ...aborts } }),
  special(
    "nested in overlap",
    ["twoLooks"],
    { toolExecution: "overlap" },
    { ...nests, ...aborts, inner: { ...inner, ...aborts, rounds: 2 } },
  ),
  special(
    "nested, deadline",
    ["one"],
    { timeoutMs: 100_000_000 },
    { ...nests, ...deadline, inner: { ...inner, kinds: [] } },
  ),
  special("nested, tokens", ["two"], { limits: { totalTokens: 20 } }, { ...nests, ...quiet, rounds: 2, inner }),
  special(
    "nested, tokens, stop",
    ["two"],
    { limits: { totalTokens: 30 }, atLimit: "stop" },
    { ...nests, ...quiet, rounds: 2, inner },
  ),
  special("nested, host fails", ["two"], {}, { ...nests, ...fault, inner: { ...inner, kinds: [] } }),
];
