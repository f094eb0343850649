import type { ToolCall } from "../message/message.ts";
import { unnamedTool } from "../message/repair.ts";
import type { RequestToolChoice } from "../model/model.ts";
import { nearestNames } from "../ranker/nearest.ts";
import type { Judgement } from "./approval/judge.ts";
import type { CallPolicy } from "./approval/policy.ts";
import { readArguments } from "./arguments.ts";
import { callTool } from "./deferral/call-tool.ts";
import { parametersSaid } from "./deferral/shown-tools.ts";
import type { MenuTool } from "./entry.ts";
import { inTime } from "./in-time.ts";
import type { Menu } from "./menu.ts";
import { defaultTimeoutMs, longestTimeoutMs } from "./tool-timeout.ts";
import type { Verdict } from "./verdict.ts";

/** A call on its way: what is recorded of it, and what only this process needs to run it. `broken`: what a rule threw. */
export type Prepared = {
  readonly verdict: Verdict;
  readonly tool?: MenuTool;
  readonly value?: unknown;
  readonly broken?: Broken;
};

/** What the tool's rule about approval threw, which denies the call. */
type Broken = { readonly thrown: unknown };

/** What a call is looked up in. */
export type Callables = Pick<Menu, "find" | "names" | "dropped"> & Partial<Pick<Menu, "deferred" | "gone">>;

export type Preparing = {
  readonly menu: Callables;
  /** What the request forced, to see whether the call satisfies it. */
  readonly choice: RequestToolChoice;
  /** Somebody can be asked for approvals. */
  readonly canApprove: boolean;
  /** The rules that the call is under. */
  readonly policy: Pick<CallPolicy, "judge">;
  /** Runs code of the tool's author that is asked about a call. Default: as it is. */
  readonly within?: Within | undefined;
};

/** Runs a function where what it begins belongs to the run of the call. */
export type Within = <T>(call: ToolCall, body: () => T) => T;

const bare: Within = (_call, body) => body();

/** The verdict of a call that will not run, whatever it is. */
export function unprepared(call: ToolCall, { menu, choice }: Pick<Preparing, "menu" | "choice">): Prepared {
  const tool = menu.find(call.name);
  return { verdict: verdictOf(tool, tool !== undefined && wanted(call.name, choice)) };
}

/**
 * Finds the tool, reads its arguments and asks whether a person has to agree. Synchronous where the schema and
 * `requiresApproval` are; else they have 120 seconds, or the tool's own time where that is longer. Never throws: what is
 * wrong with the call becomes the `problem` of its verdict.
 */
export function prepareCall(call: ToolCall, preparing: Preparing): Prepared | Promise<Prepared> {
  const prepared = prepare(call, preparing);
  return prepared instanceof Promise ? preparedInTime(prepared, call, preparing) : prepared;
}

function preparedInTime(work: Promise<Prepared>, call: ToolCall, preparing: Preparing): Promise<Prepared> {
  const { timeoutMs } = preparing.menu.find(call.name) ?? {};
  const own = typeof timeoutMs === "number" ? timeoutMs : 0;
  const ms = Math.min(Math.max(own, defaultTimeoutMs), longestTimeoutMs);
  return inTime(work, ms, () => {
    const { verdict, ...rest } = unprepared(call, preparing);
    return { ...rest, verdict: { ...verdict, problem: checkedTooLong(call.name, ms) } };
  });
}

function prepare(call: ToolCall, preparing: Preparing): Prepared | Promise<Prepared> {
  const { menu, choice, within = bare } = preparing;
  const tool = menu.find(call.name);
  if (!tool) return { verdict: { ...verdictOf(undefined, false), problem: notFound(call.name, menu) } };
  const satisfies = wanted(call.name, choice);
  if (call.partial) {
    return {
      tool,
      verdict: { ...verdictOf(tool, satisfies), problem: "Not run: its arguments were cut off. No work was done." },
    };
  }
  const gone = menu.gone?.(tool);
  if (gone !== undefined)
    return { tool, verdict: { ...verdictOf(tool, satisfies), problem: unavailable(call.name, gone) } };
  const { input } = tool;
  const read = input.runsCode
    ? within(call, () => readArguments(input, call.arguments, call.name))
    : readArguments(input, call.arguments, call.name);
  if ("then" in read) return read.then((result) => judged(result, tool, satisfies, call, preparing));
  return judged(read, tool, satisfies, call, preparing);
}

type Read = Awaited<ReturnType<typeof readArguments>>;

/** The call behind its arguments: whether they are any good, and whether a person has to agree. */
function judged(
  read: Read,
  tool: MenuTool,
  satisfies: boolean,
  call: ToolCall,
  preparing: Preparing,
): Prepared | Promise<Prepared> {
  const verdict = verdictOf(tool, satisfies);
  if ("problem" in read) {
    const problem = preparing.menu.deferred?.has(tool.name) ? `${read.problem}\n${parametersSaid(tool)}` : read.problem;
    return { tool, verdict: { ...verdict, problem } };
  }
  const { value } = read;
  const through = preparing.menu.deferred?.has(tool.name) ? callTool : undefined;
  const ruled = preparing.policy.judge(tool, value, call.name, through);
  if (ruled.do === "deny") return { tool, value, verdict: { ...verdict, problem: ruledOut(tool.name, ruled.reason) } };
  const asks = ruled.do === "own" ? wantsApproval(tool, value, call, ruled, preparing) : ruled.do === "ask";
  if (asks instanceof Promise) return asks.then((is) => approvable(is, tool, value, verdict, preparing));
  return approvable(asks, tool, value, verdict, preparing);
}

/** Whether the tool wants somebody to be asked, or else the mode of the rules does. */
function wantsApproval(
  tool: MenuTool,
  value: unknown,
  call: ToolCall,
  { otherwise }: Extract<Judgement, { do: "own" }>,
  { within }: Preparing,
): boolean | Broken | Promise<boolean | Broken> {
  const own = needsApproval(tool, value, call, within);
  if (otherwise === "run") return own;
  return own instanceof Promise ? own.then((is) => is || true) : own || true;
}

function approvable(
  asks: boolean | Broken,
  tool: MenuTool,
  value: unknown,
  verdict: Verdict,
  { canApprove }: Preparing,
): Prepared {
  if (asks === false) return { tool, value, verdict };
  if (asks !== true) return { tool, value, verdict: { ...verdict, problem: ruleFailed(tool.name) }, broken: asks };
  if (!canApprove) return { tool, value, verdict: { ...verdict, problem: nobodyToAsk(tool.name) } };
  return { tool, value, verdict: { ...verdict, approval: true } };
}

function verdictOf(tool: MenuTool | undefined, satisfies: boolean): Verdict {
  return { readOnly: tool?.readOnly === true, repeatable: tool?.repeatable === true, approval: false, satisfies };
}

const wanted = (name: string, choice: RequestToolChoice): boolean =>
  choice === "required" || (typeof choice === "object" && choice.names.includes(name));

/** Whether a person has to be asked, or what the rule threw, which denies. */
function needsApproval(
  { requiresApproval }: MenuTool,
  value: unknown,
  call: ToolCall,
  within = bare,
): boolean | Broken | Promise<boolean | Broken> {
  if (typeof requiresApproval !== "function") return requiresApproval === true;
  try {
    const answer = within(call, () => {
      const said = requiresApproval(value);
      // What is waited for is begun inside too.
      return typeof said === "boolean" ? said : Promise.resolve(said);
    });
    if (typeof answer === "boolean") return answer;
    return answer.then(
      (is) => is !== false,
      (thrown: unknown) => ({ thrown }),
    );
  } catch (thrown) {
    return { thrown };
  }
}

function notFound(name: string, menu: Callables): string {
  const dropped = menu.dropped.find((tool) => tool.name === name);
  if (dropped) return unavailable(name, dropped.reason);
  if (menu.names.length === 0) return `There is no tool "${name}": no tools can be called here. No work was done.`;
  const near = name === unnamedTool ? [] : nearestNames(name, menu.names);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : "";
  const told = menu.deferred?.size ? menu.names.filter((one) => !menu.deferred?.has(one)) : menu.names;
  const [shown, more] = [
    told.slice(0, 30).join(", "),
    told.length > 30 || told.length < menu.names.length ? ", …" : "",
  ];
  const wrong = name === unnamedTool ? "The call names no tool." : `There is no tool "${name}".`;
  return `${wrong} ${hint}The tools are: ${shown}${more}. No work was done.`;
}

const ruledOut = (name: string, reason: string) =>
  `Denied: "${name}" was not run, because ${reason}. No work was done.`;
const unavailable = (name: string, reason: string) =>
  `Tool "${name}" is not available in this run: ${reason}. No work was done.`;

const checkedTooLong = (name: string, ms: number) =>
  `Denied: the checks of "${name}" (of its arguments, or whether it needs a person's approval) did not end in ${ms / 1000} s. No work was done.`;

const ruleFailed = (name: string) =>
  `Denied: whether "${name}" needs a person's approval could not be found out. No work was done.`;

const nobodyToAsk = (name: string) =>
  `Denied: "${name}" needs a person's approval, and nobody can be asked here. No work was done.`;
