import type { AgentEvent, EventBody } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import type { AssistantContent, AssistantMessage, ToolCall } from "../message/message.ts";
import { redactor, valueRedactor } from "../message/redact.ts";
import { noUsage } from "../message/usage.ts";
import { painter } from "./color.ts";
import type { Output } from "./output.ts";

const env = { TEST_API_KEY: "sk-test-1234567890" };

/** An output that keeps what was written, in order, for tests of the reporters. */
export function fakeOutput(terminals: { stdout?: boolean; stderr?: boolean } = {}): Output & {
  all(stream: "stdout" | "stderr"): string;
} {
  const written: { stream: "stdout" | "stderr"; text: string }[] = [];
  return {
    stdoutIsTerminal: terminals.stdout === true,
    stderrIsTerminal: terminals.stderr === true,
    paint: painter(false),
    redact: redactor(env),
    redactValues: valueRedactor(env),
    stdout: (text) => void written.push({ stream: "stdout", text }),
    stderr: (text) => void written.push({ stream: "stderr", text }),
    failed: false,
    onClosed: () => {},
    flush: async () => {},
    all: (stream) =>
      written
        .filter((entry) => entry.stream === stream)
        .map((entry) => entry.text)
        .join(""),
  };
}

export const call: ToolCall = { type: "tool_call", id: "c1", name: "read_file", arguments: '{"path":\n"a.ts"}' };

function reply(...content: AssistantContent[]): AssistantMessage {
  return { role: "assistant", content, model: "m", usage: noUsage, stopReason: "stop" };
}

/** Numbers the events of a root run. */
export function numbered(bodies: readonly EventBody[], path = ""): AgentEvent[] {
  return bodies.map((body, seq) => ({ ...body, runId: "r", path, seq }));
}

/** A run of two rounds: some text and a call, then the answer, in two deltas. */
export const twoRounds: AgentEvent[] = numbered([
  { type: "agent_start" },
  { type: "round_start", round: 1 },
  { type: "message_start", role: "assistant", round: 1 },
  { type: "message_update", update: { type: "text", delta: "Let me look." } },
  { type: "message_update", update: { type: "call_start", id: "c1", name: "read_file" } },
  { type: "message_end", message: reply({ type: "text", text: "Let me look." }, call), round: 1 },
  { type: "tool_start", call },
  {
    type: "tool_end",
    call,
    result: {
      role: "tool",
      callId: "c1",
      toolName: "read_file",
      content: [{ type: "text", text: "line one\u001b[2J\nline two\nline three" }],
      isError: false,
    },
  },
  { type: "round_start", round: 2 },
  { type: "message_start", role: "assistant", round: 2 },
  { type: "message_update", update: { type: "text", delta: "It says " } },
  { type: "message_update", update: { type: "text", delta: "one." } },
  { type: "message_end", message: reply({ type: "text", text: "It says one." }), round: 2 },
  {
    type: "agent_end",
    outcome: "stop",
    text: "It says one.",
    messages: [],
    usage: noUsage,
    undelivered: [],
    rounds: 2,
  },
]);

export function resultOf(fields: Partial<RunResult> = {}): RunResult {
  return {
    outcome: "stop",
    text: "It says one.",
    usage: { inputTokens: 1000, outputTokens: 234, totalTokens: 1234 },
    messages: [],
    undelivered: [],
    rounds: 2,
    ...fields,
  };
}
