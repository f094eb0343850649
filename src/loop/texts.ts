import { type AssistantMessage, textOf } from "../message/message.ts";
import type { LimitOutcome } from "./outcome.ts";
import type { NotRun, State } from "./state.ts";

const limitNames: Record<LimitOutcome, string> = {
  max_iterations: "the number of rounds",
  max_tool_calls: "the number of tool calls",
  max_tokens: "the number of tokens",
  max_cost: "the cost",
};

/** How the notice of a closing request begins. */
export const closingBegins = "[The limit on ";

/** The message that goes with the closing request. */
export function closingNotice(limit: LimitOutcome, wanted?: string): string {
  const notice = `${closingBegins}${limitNames[limit]} is reached. No tool can be called any more: give your final answer now, from what you know.]`;
  return wanted === undefined ? notice : `${notice}\n\n${wanted}`;
}

/** The message that goes with a re-ask. */
export function reaskNotice(reason: string): string {
  return `[That answer cannot be used: ${reason} Answer again; no tool can be called now.]`;
}

/** The message that goes with the repetition of a forced choice. */
export function forcedNotice(names: readonly string[] | undefined): string {
  const which = names ? `one of these tools: ${names.join(", ")}` : "one of the tools";
  return `[A tool call is required here: call ${which}.]`;
}

const nothingDone = "No work was done.";

/** A sentence with its full stop. */
const ended = (text: string) => (/[.!?…]["')\]]?\s*$/.test(text) ? text : `${text}.`);

/** What the model reads as the result of a call that was not run. */
export function notRunText(why: NotRun, reason?: string): string {
  switch (why) {
    case "skipped":
      return `Skipped due to queued user message. ${nothingDone}`;
    case "cut":
      return `Not run: the reply was cut off, so this call may be incomplete. ${nothingDone} Send it again, in a shorter form if it was long.`;
    case "not_allowed":
      return `Not run: this request did not allow tool calls. ${nothingDone}`;
    case "problem":
      return reason ?? `Not run. ${nothingDone}`;
    case "denied":
      return `Denied${reason ? `: ${ended(reason)}` : "."} ${nothingDone}`;
    case "repeated":
      return `Not run: the same call has failed twice and nothing has changed since. ${nothingDone} Do something else, or say what stands in the way.`;
    case "only_first":
      return `Not run: only one call is run per reply. ${nothingDone} Send it again if it is still needed.`;
    case "max_iterations":
    case "max_tool_calls":
    case "max_tokens":
    case "max_cost":
      return `Not run: the limit on ${limitNames[why]} is reached. ${nothingDone}`;
    case "aborted":
      return `Not run: the run was aborted. ${nothingDone}`;
    case "timeout":
      return `Not run: the run's time was up. ${nothingDone}`;
    default:
      return `Not run: the run ended (${why}). ${nothingDone}`;
  }
}

/** What the error of a run says whose last reply is not what was wanted. */
export function undecidedText({ reasked, reply }: State, last: AssistantMessage | undefined): string {
  const why = reply?.judged?.valid === false ? ` ${problemOf(reply.judged.reason)}` : "";
  const said = JSON.stringify((last ? textOf(last) : "").slice(0, 200));
  const attempts = reasked === 0 ? "1 attempt" : `${reasked + 1} attempts`;
  return `The model gave no valid decision or output in ${attempts}.${why && ` The last one:${why}`} Its last reply: ${said}`;
}

/** What was wrong, in one line: the first paragraph, without the menu behind it. */
function problemOf(reason: string): string {
  const [head, ...issues] = reason.split("\n\n", 1)[0]!.split("\n");
  const listed = issues.flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
  return `${head} ${listed.join("; ")}`.trim().slice(0, 1000);
}

/** What the error of a run says that somebody has ended. */
export const endedText = (how: "aborted" | "timeout", reason: string) =>
  how === "aborted" ? `The run was aborted: ${reason}` : `The run was out of time: ${reason}`;

/** The result of a call that had started when the run was ended. */
export const interruptedText = "Interrupted: the run was ended while this call was going on; its outcome is unknown.";

/** The result of a call that had started when the process went down. */
export const lostText = "This call was started and its result was lost: it may have run. Check before doing it again.";
