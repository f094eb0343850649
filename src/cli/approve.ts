import type { Approval, ApprovalRequest, Approve } from "../agent/options.ts";
import type { Foreseen } from "./preview.ts";
import { visible } from "./terminal-text.ts";

/** Longest arguments that are shown whole. */
const longest = 4000;

/** Asks a person a question; resolves to what was typed, to undefined if nobody waits for it any more, or to why nobody could be asked. */
export type Ask = (
  question: string,
  signal: AbortSignal,
) => Promise<string | undefined | { readonly notAsked: string }>;

/** What would come of a call, where that can be known. */
export type Foresee = (request: ApprovalRequest) => Foreseen | undefined | Promise<Foreseen | undefined>;

/**
 * Who approves calls: everything with `--yes`; else a person at the terminal, one call after the other, no unless they
 * say yes; nobody there means no. A call that would come to nothing is not asked about, and not let run either: what keeps it
 * from its work could be gone by then.
 */
export function approver(yes: boolean, ask: Ask | undefined, foresee: Foresee = () => undefined): Approve {
  if (yes) return () => true;
  if (ask === undefined) {
    return () => ({ approved: false, reason: "nobody is there to approve it (rondo run --yes approves every call)" });
  }
  let before: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = before.then(() => askFor(request, ask, foresee));
    before = answer.catch(() => {});
    return answer;
  };
}

async function askFor(request: ApprovalRequest, ask: Ask, foresee: Foresee): Promise<Approval> {
  if (request.signal.aborted) return false;
  const foreseen = await foresee(request);
  if (foreseen && "problem" in foreseen)
    return { approved: false, reason: `there is nothing to ask the user about: ${foreseen.problem}` };
  const answer = await ask(questionOf(request, foreseen?.change), request.signal);
  if (typeof answer === "object") return { approved: false, reason: answer.notAsked };
  if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return true;
  return { approved: false, reason: "the user said no" };
}

/** What the person sees: what the call would change, else the whole call, as it would run. */
function questionOf({ call, arguments: args }: ApprovalRequest, change: string | undefined): string {
  if (change !== undefined) return `${visible(call.name)}\n${visible(change)}\nDo this? [y/N] `;
  const text = visible(JSON.stringify(args, undefined, 2) ?? "");
  const cut = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
  return `${visible(call.name)} ${cut}\nRun this? [y/N] `;
}
