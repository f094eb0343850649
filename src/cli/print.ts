import type { AgentEndEvent, AgentEvent } from "../loop/events.ts";
import { callsOf, type ToolCall, type ToolResultMessage, textOf } from "../message/message.ts";
import type { RetryInfo } from "../model/model.ts";
import type { Style } from "./color.ts";
import { nesting } from "./nesting.ts";
import type { Output } from "./output.ts";
import { outcomeLine, type Reporter } from "./report.ts";
import { counted, head, oneLine, seconds } from "./terminal-text.ts";
import { textStream } from "./text-stream.ts";

const width = 100;

/** Shows a run to a person: progress line by line on standard error, the answer on standard output. */
export function printReporter(output: Output): Reporter {
  const text = textStream(output);

  const runs = nesting();

  function line(style: Style, content: string, before: string): void {
    text.breakLine();
    output.stderr(`${before}${output.paint(style, output.redact(content))}\n`);
  }

  function event(event: AgentEvent): void {
    const { path } = event;
    const before = runs.before(event);
    switch (event.type) {
      case "message_start":
        if (event.role === "assistant" && path === "") text.begin();
        break;
      case "message_update":
        if (event.update.type === "text" && path === "") text.delta(event.update.delta);
        break;
      case "message_end":
        if (event.message.role === "assistant" && path === "")
          text.end(textOf(event.message), callsOf(event.message).length > 0);
        break;
      case "round_start":
        if (event.round === "closing") line("yellow", "limit reached: asking for an answer without tools", before);
        break;
      case "tool_start":
        line("cyan", `→ ${callLine(event.call)}`, before);
        break;
      case "tool_end":
        line(event.result.isError ? "red" : "dim", `  ${resultLine(event.result)}`, before);
        break;
      case "warning":
        line("yellow", `! ${oneLine(event.message, 3 * width)}`, before);
        break;
      case "retry":
        line("yellow", `! ${oneLine(`${event.error.kind}: ${event.error.message}`, 2 * width)}`, before);
        line("yellow", `  ${againLine(event)}`, before);
        break;
      case "agent_end":
        if (path !== "" && event.outcome !== "stop") line("yellow", `! ${endLine(event)}`, before);
        break;
    }
  }

  return {
    event,
    end(result, ms) {
      text.answer(result.text);
      const figures = [counted(result.rounds, "round"), counted(result.usage.totalTokens, "token"), seconds(ms)];
      line(result.outcome === "stop" ? "green" : "red", [outcomeLine(result, output), ...figures].join(" · "), "");
    },
  };
}

function againLine({ fallback, delayMs, attempt }: RetryInfo): string {
  if (fallback !== undefined)
    return `asking ${oneLine(fallback.to, width)} instead of ${oneLine(fallback.from, width)}`;
  return `asking again in ${seconds(delayMs)} (attempt ${attempt} failed)`;
}

/** How a nested run ended; the root's end has a line of its own. */
function endLine({ outcome, error }: AgentEndEvent): string {
  return oneLine(`the nested run ended: ${outcome}${error === undefined ? "" : ` (${error.message})`}`, 2 * width);
}

function callLine(call: ToolCall): string {
  return `${oneLine(call.name, 64)} ${oneLine(call.arguments, width)}`.trimEnd();
}

function resultLine(result: ToolResultMessage): string {
  const texts = result.content.map((part) => {
    if (part.type === "text") return part.text;
    return part.type === "json" ? JSON.stringify(part.value) : `[${part.mediaType}]`;
  });
  return head(texts.join("\n"), width);
}
