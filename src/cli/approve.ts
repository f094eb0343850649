import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Approval, ApprovalRequest, Approve } from "../agent/options.ts";
import type { Output } from "./output.ts";
import { visible } from "./terminal-text.ts";

/** Longest arguments that are shown whole. */
const longest = 4000;

/** Asks a person a question; resolves to what was typed, or to undefined if nobody waits for it any more. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** What a call would change, where that can be shown. */
export type Preview = (request: ApprovalRequest) => string | undefined | Promise<string | undefined>;

/**
 * Who approves calls: everything with `--yes`; else a person at the terminal, one call after the other, no unless they
 * say yes; nobody there means no.
 */
export function approver(yes: boolean, ask: Ask | undefined, preview: Preview = () => undefined): Approve {
  if (yes) return () => true;
  if (ask === undefined) {
    return () => ({ approved: false, reason: "nobody is there to approve it (rondo run --yes approves every call)" });
  }
  let before: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = before.then(() => askFor(request, ask, preview));
    before = answer.catch(() => {});
    return answer;
  };
}

async function askFor(request: ApprovalRequest, ask: Ask, preview: Preview): Promise<Approval> {
  if (request.signal.aborted) return false;
  const answer = await ask(questionOf(request, await preview(request)), request.signal);
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

/** Asks at the terminal, when there is one to read from and to show the question on. */
export function terminalAsk(output: Output, input: Readable & { isTTY?: boolean } = process.stdin): Ask | undefined {
  if (input.isTTY !== true || !output.stderrIsTerminal) return undefined;
  return (question, signal) =>
    new Promise((resolve) => {
      output.stderr(output.redact(question));
      // Not in raw mode, so that Ctrl-C stays a signal.
      const lines = createInterface({ input, terminal: false });
      const done = (answer: string | undefined) => {
        signal.removeEventListener("abort", giveUp);
        // First: closing tells "close", which would give up.
        resolve(answer);
        lines.close();
      };
      const giveUp = () => done(undefined);
      signal.addEventListener("abort", giveUp);
      lines.once("line", done);
      lines.once("close", giveUp);
    });
}
