import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { noUsage } from "../message/usage.ts";
import { printReporter } from "./print.ts";
import { call, fakeOutput, numbered, resultOf, twoRounds } from "./report.fixture.ts";

function printed(
  terminals: { stdout?: boolean; stderr?: boolean },
  events: readonly AgentEvent[] = twoRounds,
  result: RunResult = resultOf(),
): { stdout: string; stderr: string } {
  const output = fakeOutput(terminals);
  const reporter = printReporter(output);
  for (const event of events) reporter.event(event);
  reporter.end(result, 2449);
  return { stdout: output.all("stdout"), stderr: output.all("stderr") };
}

test("without a terminal the answer is all that standard output gets, and the rest is progress", () => {
  expect(printed({})).toEqual({
    stdout: "It says one.\n",
    stderr: [
      "Let me look.",
      '→ read_file {"path": "a.ts"}',
      "  line one[2J (+2 lines)",
      "stop · 2 rounds · 1,234 tokens · 2.4 s",
      "",
    ].join("\n"),
  });
});

test("on a terminal text streams to standard output, once", () => {
  const { stdout, stderr } = printed({ stdout: true, stderr: true });
  expect(stdout).toBe("Let me look.\nIt says one.\n");
  expect(stderr).not.toContain("It says");
});

test("with standard output redirected text streams to the terminal and the answer goes to the file", () => {
  const { stdout, stderr } = printed({ stderr: true });
  expect(stdout).toBe("It says one.\n");
  expect(stderr).toContain("Let me look.\n→ read_file");
  expect(stderr).toContain("It says one.\nstop · ");
});

test("a reply that did not stream is shown all the same", () => {
  const events = twoRounds.filter((event) => event.type !== "message_update");
  expect(printed({ stdout: true }, events).stdout).toBe("Let me look.\nIt says one.\n");
});

test("what a nested run says and does is indented, its text is not ours", () => {
  const nested = numbered(
    [
      { type: "message_start", role: "assistant" },
      { type: "message_update", update: { type: "text", delta: "inner" } },
      { type: "tool_start", call },
    ],
    "1/0",
  );
  const { stdout, stderr } = printed({ stdout: true }, nested);
  expect(stdout).toBe("");
  expect(stderr).toContain("  → read_file");
});

test("a nested run that did not answer says how it ended", () => {
  const end = { type: "agent_end", text: "", messages: [], usage: noUsage, undelivered: [], rounds: 1 } as const;
  const error = { code: "error", message: "auth: bad key sk-test-1234567890" };
  const { stderr } = printed({}, [
    ...numbered([{ ...end, outcome: "error", error }], "1/0/0"),
    ...numbered([{ ...end, outcome: "stop" }], "2/0/0"),
  ]);
  expect(stderr).toMatch(/^ {2}! the nested run ended: error \(auth: bad key \[redacted\]\)\nstop · /);
});

test("warnings, retries and the closing request are said", () => {
  const { stderr } = printed(
    {},
    numbered([
      { type: "warning", code: "x", message: "careful\nnow" },
      { type: "retry", attempt: 1, delayMs: 2000, error: { kind: "rate_limit", message: "slow down" } },
      {
        type: "retry",
        attempt: 2,
        delayMs: 0,
        error: { kind: "auth", message: "no key" },
        fallback: { from: "a/b", to: "c/d" },
      },
      { type: "round_start", round: "closing" },
    ]),
  );
  expect(stderr).toContain("! careful now\n");
  expect(stderr).toContain("! rate_limit: slow down\n  asking again in 2.0 s (attempt 1 failed)\n");
  expect(stderr).toContain("! auth: no key\n  asking c/d instead of a/b\n");
  expect(stderr).toContain("limit reached: asking for an answer without tools\n");
});

test("an error is one line without secrets", () => {
  const error = new RondoError(
    "error",
    "auth: bad key sk-test-1234567890\nheaders: authorization: Bearer abcdefgh1234",
  );
  const { stdout, stderr } = printed({}, [], resultOf({ outcome: "error", text: "", error }));
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^error: auth: bad key \[redacted\] headers: .* · 2 rounds/);
  expect(stderr).not.toMatch(/1234567890|abcdefgh/);
});
