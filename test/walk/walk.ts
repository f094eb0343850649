import { approvals } from "./approvals.ts";
import { callbacks } from "./callbacks.ts";
import { type Chooser, everyPath } from "./chooser.ts";
import { decisions } from "./decisions.ts";
import { faults } from "./faults.ts";
import { invariants } from "./invariants.ts";
import type { Trace } from "./log.ts";
import { Violation } from "./must.ts";
import { nested } from "./nested.ts";
import { rows } from "./rows.ts";
import type { Setup } from "./setup.ts";
import { createStage } from "./stage.ts";
import { type Rule, type Story, tell } from "./story.ts";
import { keys, told } from "./told.ts";

type Rules = { readonly [name: string]: Rule };

const everything: Rules = { ...invariants, ...rows, approvals, callbacks, decisions, nested, told, keys };
/** The table does not speak of hosts that fail, and the host of an inner run is not watched. */
const faulty: Rules = { ...invariants, faults };

/** Throws a `Violation` that shows the trace, if it breaks one of the invariants or rows. */
export function judge(trace: Trace): void {
  const story = tell(trace);
  judgeBy(story, story.faultAt < story.log.length ? faulty : everything);
  for (const inner of trace.inside) judgeBy(tell(inner), invariants);
}

function judgeBy(story: Story, rules: Rules): void {
  let judging = "";
  try {
    for (judging in rules) rules[judging]?.(story);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`${judging}: ${error.message}\n${show(story.trace)}`);
  }
}

const stage = createStage();

/** Plays one trace and judges it; throws a `Violation` if it breaks a rule. */
export async function playJudged(setup: Setup, chooser: Chooser): Promise<Trace> {
  const trace = await stage(setup, chooser);
  judge(trace);
  return trace;
}

/** Walks every trace of a setup; returns how many. Throws at the first that breaks a rule. */
export async function walk(setup: Setup, onTrace: () => void = () => {}): Promise<number> {
  return everyPath(async (chooser) => {
    await playJudged(setup, chooser);
    onTrace();
  });
}

/** A trace as lines of text. */
export function show(trace: Trace): string {
  const lines = trace.log.map((entry) => {
    if (entry.type === "request") {
      const { messages, toolChoice } = entry.request;
      return `request (${JSON.stringify(toolChoice)}, ${messages.length} messages) → ${entry.letter}`;
    }
    const { type, ...rest } = entry;
    return `  ${type} ${JSON.stringify(rest)}`;
  });
  const { outcome, rounds, undelivered, messages, error } = trace.result ?? {};
  return [
    `setup ${trace.setup.name} ${JSON.stringify(trace.setup.options)}`,
    ...lines,
    `result ${JSON.stringify({ outcome, rounds, undelivered })} ${error?.stack ?? ""}`,
    ...(messages ?? []).map((message) => `  ${JSON.stringify(message)}`),
    ...trace.inside.map((inner) => `inside: ${show(inner).replaceAll("\n", "\n  ")}`),
  ].join("\n");
}
