import type { Approval, ApprovalRequest, Approve } from "../agent/options.ts";
import type { Foreseen } from "./preview.ts";
import { visible } from "./terminal-text.ts";

/** Longest arguments that are shown whole. */
const longest = 4000;

/**
 * Asks a person a question; resolves to what was typed, to undefined if nobody waits for it any more, or to why nobody could be asked.
 * `exact`: nothing of it is left out for looking like a key. Who judges a call has to see all that it does, and whoever
 * wrote it could hide a command behind the looks of one.
 */
export type Ask = (
  question: string,
  signal: AbortSignal,
  exact?: boolean,
) => Promise<string | undefined | { readonly notAsked: string }>;

/** What would come of a call, where that can be known. */
export type Foresee = (request: ApprovalRequest) => Foreseen | undefined | Promise<Foreseen | undefined>;

/**
 * Who approves calls: everything with `--yes`; else a person at the terminal, one call after the other, no unless they
 * say yes, for this call, for equal ones of the run, or for good; nobody there means no. A call that would come to nothing is not asked about, and not let run either: what keeps it
 * from its work could be gone by then. `canStore`: there is a place to keep what a person says "always" to.
 */
export function approver(
  yes: boolean,
  ask: Ask | undefined,
  foresee: Foresee = () => undefined,
  canStore = false,
): Approve {
  if (yes) return () => true;
  if (ask === undefined) {
    return () => ({ approved: false, reason: "nobody is there to approve it (rondo run --yes approves every call)" });
  }
  let before: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = before.then(() => askFor(request, ask, foresee, canStore));
    before = answer.catch(() => {});
    return answer;
  };
}

async function askFor(request: ApprovalRequest, ask: Ask, foresee: Foresee, canStore: boolean): Promise<Approval> {
  if (request.signal.aborted) return false;
  const foreseen = await foresee(request);
  if (foreseen && "problem" in foreseen)
    return { approved: false, reason: `there is nothing to ask the user about: ${foreseen.problem}` };
  const answer = await ask(questionOf(request, foreseen?.change, canStore), request.signal, true);
  if (typeof answer === "object") return { approved: false, reason: answer.notAsked };
  return answered(answer, request, canStore);
}

/** What was typed, as an answer: no, unless it is one of those that were offered. */
function answered(typed: string | undefined, { rule }: ApprovalRequest, canStore: boolean): Approval {
  const word = typed?.trim().toLowerCase() ?? "";
  if (word === "y" || word === "yes") return true;
  if (rule !== undefined && (word === "r" || word === "run")) return { approved: true, scope: "run" };
  if (rule !== undefined && canStore && (word === "a" || word === "always")) return { approved: true, scope: "always" };
  return { approved: false, reason: "the user said no" };
}

/** What the person sees: what the call would change, else the whole call, as it would run. */
function questionOf(request: ApprovalRequest, change: string | undefined, canStore: boolean): string {
  const { call, arguments: args, rule, path } = request;
  const where = path === "" ? "" : ` (nested, at ${visible(path)})`;
  const choices = rule === undefined ? "[y]es / [N]o" : choicesFor(rule, canStore);
  if (change !== undefined) return `${visible(call.name)}${where}\n${visible(change)}\nDo this? ${choices} `;
  const text = visible(JSON.stringify(args, undefined, 2) ?? "");
  const cut = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
  return `${visible(call.name)}${where} ${cut}\nRun this? ${choices} `;
}

/** Longest rule that is shown whole beside the choices. */
const longestRule = 200;

/** What can be answered, and for what a yes is that goes further than this call. */
function choicesFor(rule: string, canStore: boolean): string {
  const text = visible(rule).replaceAll("\n", "\\n");
  const shown = text.length > longestRule ? `${text.slice(0, longestRule)}… (just these arguments)` : text;
  const always = canStore ? " / [a]lways" : "";
  return `[y]es / [N]o / [r]un (this run)${always}: ${shown}`;
}
