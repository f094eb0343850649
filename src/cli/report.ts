import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { errorLine } from "./failure.ts";
import type { Output } from "./output.ts";
import { harmless } from "./terminal-text.ts";

/** Who shows a run: gets every event in order, then the result. */
export type Reporter = {
  event(event: AgentEvent): void;
  /** `ms` is how long the run took. */
  end(result: RunResult, ms: number): void;
};

/** The final text and nothing of the way to it; an error still says what went wrong. */
export function quietReporter(output: Output): Reporter {
  return {
    event() {},
    end(result) {
      const text = output.stdoutIsTerminal ? harmless(result.text) : result.text;
      if (text !== "") output.stdout(`${text}\n`);
      if (result.outcome !== "stop") output.stderr(`rondo: ${outcomeLine(result, output)}\n`);
    },
  };
}

/** How a run ended, with the reason if it has one. */
export function outcomeLine(result: RunResult, output: Output): string {
  return result.error === undefined ? result.outcome : `${result.outcome}: ${errorLine(result.error, output.redact)}`;
}
