import type { Lost, Recorded, StepContext } from "../host/host.ts";
import { type CallOutcome, runCall } from "../menu/call.ts";
import type { MenuTool } from "../menu/entry.ts";
import { isTimeout, said } from "../message/abort-reason.ts";
import type { Json } from "../message/json.ts";
import { type ToolResultMessage, textOf } from "../message/message.ts";
import { apply } from "./apply.ts";
import { draw } from "./limits.ts";
import { resultOf } from "./picks.ts";
import { account, type LoopRun, type Pick } from "./run.ts";
import { tellToolEnd, tellToolStart } from "./tell.ts";
import { lostText, notRunText } from "./texts.ts";

/** How the step of a picked function comes back. */
type Ran = { readonly message: ToolResultMessage; readonly interrupted: boolean };

/**
 * Runs the function that was picked as the decision, in the way of every call: counted, timed, told, in the ambient
 * context of the run. What it returns is the result of the run and enters no history.
 */
export async function runPick(run: LoopRun): Promise<void> {
  const { emitter, ledger, open } = run.input;
  const { call } = run.state.picked!;
  const pick = run.pick!;
  const tool = pick.prepared.tool!;
  draw(ledger, "toolCalls", 1);
  run.decision = { call };
  tellToolStart(emitter, call, run.edited?.get(call.id));
  const lost = tool.readOnly || tool.idempotent ? ({ onLost: "rerun" } as const) : ({ onLost: "report" } as const);
  const recorded = await open.host.step<Json>(
    `${run.key}/decision`,
    lost,
    (ctx) => perform(run, pick, ctx) as Promise<Json>,
  );
  const { message, interrupted } = ranOf(recorded as Recorded<Ran> | Lost, run);
  account(run, run.input.ambient.takeUsage(), true);
  endDecision(run, message);
  if (!run.pick?.ended && !interrupted) run.pick = { prepared: pick.prepared, ended: { failed: textOf(message) } };
  const how = interrupted ? "interrupted" : run.pick?.ended && "value" in run.pick.ended ? "returned" : "threw";
  run.state = apply(run.state, { at: recorded.at, type: "decided", how, ...(interrupted && ending(run)) });
}

/** Tells the end of the picked function. */
export function endDecision(run: LoopRun, result: ToolResultMessage): void {
  const { call } = run.decision!;
  run.decision = { call, result };
  tellToolEnd(run.input.emitter, call, result);
}

/** How the run was told to end: the inbox is closed, so no message says it, only the signal. */
function ending(run: LoopRun): { readonly ending: "aborted" | "timeout"; readonly reason: string | undefined } {
  const { reason } = run.input.open.host.signal;
  return { ending: isTimeout(reason) ? "timeout" : "aborted", reason: said(reason) };
}

async function perform(run: LoopRun, { prepared }: Pick, { attempt, idempotencyKey }: StepContext): Promise<Ran> {
  const { call } = run.state.picked!;
  const { path, open } = run.input;
  // The inbox is closed, so nobody has looked since: what has been ended meanwhile is not begun.
  if (open.host.signal.aborted) {
    const text = notRunText(ending(run).ending);
    return { message: resultOf(call, { content: [{ type: "text", text }], isError: true }), interrupted: true };
  }
  // What comes of it is the result of the run, and no model reads it: there is nothing to mark.
  const place = { path: path === "" ? "decision" : `${path}/decision`, attempt, idempotencyKey, word: undefined };
  let over = false;
  const watched = keeping(prepared.tool!, (ended) => {
    if (!over) run.pick = { prepared, ended };
  });
  const outcome: CallOutcome = await runCall(watched, prepared.value, call, place, {
    ...run.environment,
    pages: false,
    // What it returns is kept as it is, so it has to run.
    cache: undefined,
  });
  over = true;
  if (outcome.interrupted) run.pick = { prepared };
  return { message: resultOf(call, outcome), interrupted: outcome.interrupted === true };
}

/** The tool, and what it returns or throws handed on as it is. */
function keeping(tool: MenuTool, keep: (ended: NonNullable<Pick["ended"]>) => void): MenuTool {
  return Object.create(tool, {
    execute: {
      value: async (args: unknown, ctx: Parameters<MenuTool["execute"]>[1]) => {
        try {
          const value = await tool.execute(args, ctx);
          keep({ value });
          return value;
        } catch (thrown) {
          keep({ thrown });
          throw thrown;
        }
      },
    },
  });
}

function ranOf(recorded: Recorded<Ran> | Lost, run: LoopRun): Ran {
  if ("value" in recorded) return recorded.value;
  const { call } = run.state.picked!;
  return {
    message: resultOf(call, { content: [{ type: "text", text: lostText }], isError: true }),
    interrupted: false,
  };
}
