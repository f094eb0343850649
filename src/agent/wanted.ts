import { compileChoices, type Decision, type FunctionEntry } from "../decision/compile.ts";
import { invalid, judgeChoice } from "../decision/judge.ts";
import { compileOutput, judgeOutput, type Output } from "../decision/output.ts";
import type { Judgement } from "../loop/input.ts";
import type { LoopRun } from "../loop/run.ts";
import type { CallPolicy } from "../menu/approval/policy.ts";
import { askedFor } from "../menu/asks.ts";
import { asking, type MenuTool } from "../menu/entry.ts";
import { type DroppedTool, firstGate } from "../menu/gates/first-gate.ts";
import { type Policy, vetoOf } from "../menu/gates/policy.ts";
import { availabilityFrom } from "../menu/gates/remembered.ts";
import { type Callables, type Prepared, prepareCall } from "../menu/prepare.ts";
import type { AssistantMessage, ToolCall } from "../message/message.ts";
import type { JsonSchema, Model } from "../model/model.ts";
import { mistake } from "./check-options.ts";
import { ofRuntime } from "./confined.ts";
import type { ExecOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** What a run has to come to beside text, as the loop is told of it. */
export type Wanted = {
  /** Goes with the system prompt; absent where the model sees to it itself. */
  readonly prompt?: string;
  /** For models that see to it themselves. */
  readonly schema?: JsonSchema;
  /** Goes with the closing request. */
  readonly notice: string;
  /** The functions that may be picked. */
  readonly options?: Callables;
  /** The names of the functions that are options, whether they may be picked or not: their own and those of the options. */
  readonly names?: readonly string[];
  judge(message: AssistantMessage): Judgement | Promise<Judgement>;
  /** The value of the reply that was judged last, if it was valid; a picked function's own is not known here. */
  value(): unknown;
};

/** Who decides over the functions that may be picked. */
type Rules = Policy & {
  readonly sources: readonly string[];
  readonly asks: readonly string[];
  readonly canApprove: boolean;
  readonly policy: Pick<CallPolicy, "judge">;
  /** That of the run itself: what it may pick as its decision is its own. */
  readonly runtime: Runtime;
};

/** What these options want; undefined: text will do. Throws for what cannot be wanted. */
export function wantedOf({ choices, output }: ExecOptions, model: Model, rules: Rules): Wanted | undefined {
  if (choices !== undefined && output !== undefined) throw mistake('Give "choices" or "output", not both.');
  if (choices !== undefined)
    return decisionWanted(
      compileChoices(choices, (entry) => barred(entry, rules)?.reason),
      rules,
    );
  return output === undefined ? undefined : outputWanted(compileOutput(output), model);
}

function outputWanted(output: Output, model: Model): Wanted {
  let value: unknown;
  return {
    ...(model.supports?.output === true ? { schema: output.jsonSchema } : { prompt: output.prompt }),
    notice: output.prompt,
    async judge(message) {
      const judged = await judgeOutput(output, message);
      if (judged.valid) value = judged.value;
      return { judged: judged.valid ? { valid: true } : judged };
    },
    value: () => value,
  };
}

function decisionWanted(decision: Decision, rules: Rules): Wanted {
  let value: unknown;
  let picks = 0;
  const options = callables(decision, rules);
  return {
    prompt: decision.menu,
    notice: decision.menu,
    options,
    names: namesOf(decision),
    async judge(message) {
      const judged = await judgeChoice(decision, message);
      if (!judged.valid) return { judged };
      value = judged.value;
      if (judged.entry.kind !== "function") return { judged: { valid: true } };
      const { name, tool } = judged.entry;
      const call: ToolCall = { type: "tool_call", id: `decision_${++picks}`, name, arguments: judged.args };
      const { canApprove, policy } = rules;
      const prepared = await prepareCall(call, { menu: options, choice: "auto", canApprove, policy });
      return functionPicked(decision, { ...call, name: tool.name }, prepared, name);
    },
    value: () => value,
  };
}

function namesOf({ entries, withheld }: Decision): string[] {
  const all = [...entries, ...withheld.map(({ entry }) => entry)];
  return all.flatMap((entry) => (entry.kind === "function" ? [entry.name, entry.tool.name] : []));
}

/** `call` has the function's own name, for rules and readers go by that. */
function functionPicked(decision: Decision, call: ToolCall, prepared: Prepared, option: string): Judgement {
  const { verdict } = prepared;
  if (verdict.problem !== undefined) return { judged: invalid(decision, verdict.problem) };
  return { judged: { valid: true, picked: { call, verdict, option } }, prepared };
}

/** The functions of a decision, by the names of their options. */
function callables({ entries, withheld }: Decision, rules: Rules): Callables {
  const tools = new Map<string, MenuTool>();
  const needsYes = askedFor(rules.asks);
  for (const entry of entries) {
    if (entry.kind !== "function") continue;
    // Denials, too, go by the tool's own name and by that of the option.
    const asks = needsYes(entry.tool.name) || needsYes(entry.name);
    const tool = asks ? asking(entry.tool) : entry.tool;
    tools.set(entry.name, ofRuntime(rules.runtime, tool));
  }
  const dropped = withheld.flatMap(({ entry }) => barred(entry, rules) ?? []);
  const { sources } = rules;
  const { workspace } = rules.runtime;
  const gone = (tool: MenuTool) => availabilityFrom(tool, sources, workspace);
  return { names: [...tools.keys()], find: (name) => tools.get(name), dropped, gone };
}

/** Whether source or policy forbid a function that is an option, and why. */
function barred({ name, tool }: FunctionEntry, rules: Rules): DroppedTool | undefined {
  const dropped = firstGate(tool, { ...rules, registered: false, workspace: rules.runtime.workspace });
  if (dropped) return { ...dropped, name };
  const reason = vetoOf(name, rules);
  return reason === undefined ? undefined : { name, gate: "policy", reason };
}

/** The value that a run with this end has come to, if it has: the text where nothing else was wanted. */
export function reachedValue(
  { state, pick }: LoopRun,
  wanted: Wanted | undefined,
  { outcome, text }: { readonly outcome: string; readonly text: string },
): { readonly value: unknown } | undefined {
  const limited = outcome.startsWith("max_");
  if (outcome !== "stop" && !limited) return undefined;
  if (!wanted) return limited && text.trim() === "" ? undefined : { value: text };
  if (state.reply?.judged?.valid !== true) return undefined;
  if (!pick) return { value: wanted.value() };
  return pick.ended && "value" in pick.ended ? pick.ended : undefined;
}
