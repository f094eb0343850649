import type { AgentEndEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { errorLine, errorRecord } from "./failure.ts";
import type { Output } from "./output.ts";
import type { Reporter } from "./report.ts";

/**
 * Events for machines: one JSON object per line on standard output. The last line is the root's `agent_end`; when
 * something went wrong it also has `error`, with `code` and `message`, as that of a nested run has. Errors, warnings and
 * retries are shown without secrets; messages and results stay byte for byte.
 */
export function jsonReporter(output: Output): Reporter {
  const write = (value: unknown) => output.stdout(`${JSON.stringify(value)}\n`);
  const writeClean = (value: unknown) => output.stdout(`${output.redact(JSON.stringify(value))}\n`);
  const withError = (event: AgentEndEvent, { code, message }: NonNullable<AgentEndEvent["error"]>) => ({
    ...event,
    error: { code, message: errorLine(message, output.redact) },
  });
  let last: AgentEndEvent | undefined;
  return {
    event(event) {
      // Held back until the result is known, which alone knows the error.
      if (event.type === "agent_end" && event.path === "") last = event;
      else if (event.type === "agent_end" && event.error) write(withError(event, event.error));
      // What a provider says of a failure may quote a key; messages and results stay byte for byte.
      else if (event.type === "retry" || event.type === "warning") writeClean(event);
      else write(event);
    },
    end(result: RunResult) {
      if (last === undefined) return;
      const error = errorRecord(result, output.redact);
      if (error !== undefined) write({ ...last, error });
      else write(last.error ? withError(last, last.error) : last);
    },
  };
}
