import { type Chooser, everyPath } from "./chooser.ts";
import { invariants } from "./invariants.ts";
import type { Trace } from "./log.ts";
import { Violation } from "./must.ts";
import { rows } from "./rows.ts";
import type { Setup } from "./setup.ts";
import { tell } from "./story.ts";
import { createStage } from "./world.ts";

const rules = Object.entries({ ...invariants, ...rows });

/** Throws a `Violation` that shows the trace, if it breaks one of the invariants or rows. */
export function judge(trace: Trace): void {
  const story = tell(trace);
  let judging = "";
  try {
    for (const [name, rule] of rules) {
      judging = name;
      rule(story);
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`${judging}: ${error.message}\n${show(trace)}`);
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
  ].join("\n");
}
