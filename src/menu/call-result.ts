import { capContent, type Keep } from "../message/cap.ts";
import { markUntrusted } from "../message/mark.ts";
import { withoutOwnSecrets } from "../message/redact.ts";
import type { CallEnvironment, CallOutcome, CallPlace, NestedRun } from "./call.ts";
import type { MenuTool } from "./entry.ts";
import { isPager } from "./pager.ts";

/** A result with what a model may not read taken out. */
export function redacted(result: CallOutcome, { redact }: CallEnvironment): CallOutcome {
  const content = redact ? withoutOwnSecrets(result.content) : result.content;
  return content === result.content ? result : { ...result, content };
}

/** A redacted result as it enters the history: cut, marked, with what is to be said of the run that was begun in it. */
export function finished(
  result: CallOutcome,
  tool: MenuTool,
  place: CallPlace,
  env: CallEnvironment,
  last: NestedRun | undefined,
): CallOutcome {
  const { word } = place;
  // A page of a kept result is not kept again.
  const keep: Keep | undefined =
    env.pages && !isPager(tool.source)
      ? (text) => env.ambient.kept().keep(place.idempotencyKey, text, word !== undefined)
      : undefined;
  const short = capped(result, tool.maxResultChars ?? env.maxResultChars, keep);
  // Behind the cap, so that it takes neither marker; before what the loop itself adds.
  const outcome = word === undefined ? short : { ...short, content: markUntrusted(short.content, word) };
  return last?.ended?.startsWith("max_") ? atLimit(outcome, last.ended, last.answered) : outcome;
}

/** Says beside the value that the run behind it did not come to its own end. */
function atLimit({ content, isError, details }: CallOutcome, outcome: string, answered: boolean): CallOutcome {
  const told = typeof details === "object" && details !== null && !Array.isArray(details) ? details : {};
  return {
    // A line of its own: what a model is sent may be the parts joined.
    content: [...content, { type: "text", text: `\n[the nested run ended at its limit: ${outcome}]` }],
    isError: isError || !answered,
    details: { ...told, outcome },
  };
}

function capped(outcome: CallOutcome, max: number, keep: Keep | undefined): CallOutcome {
  const { content } = capContent(outcome.content, max, keep);
  return content === outcome.content ? outcome : { ...outcome, content };
}
