import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { noUsage } from "../message/usage.ts";
import { jsonReporter } from "./json.ts";
import { fakeOutput, numbered, resultOf, twoRounds } from "./report.fixture.ts";

test("one event per line, as it is", () => {
  const output = fakeOutput({ stdout: true });
  const reporter = jsonReporter(output);
  for (const event of twoRounds) reporter.event(event);
  reporter.end(resultOf(), 1);
  const lines = output.all("stdout").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(twoRounds);
  expect(output.all("stderr")).toBe("");
});

test("the last line says what went wrong, without secrets", () => {
  const output = fakeOutput();
  const reporter = jsonReporter(output);
  for (const event of twoRounds) reporter.event(event);
  reporter.end(resultOf({ outcome: "error", error: new RondoError("error", "bad key sk-test-1234567890") }), 1);
  const last = JSON.parse(output.all("stdout").trimEnd().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "agent_end", error: { code: "error", message: "bad key [redacted]" } });
});

test("the error of a nested run is shown without secrets too, the rest of it as it is", () => {
  const output = fakeOutput();
  const reporter = jsonReporter(output);
  const end = {
    type: "agent_end",
    outcome: "error",
    text: "sk-test-1234567890",
    messages: [],
    usage: noUsage,
    undelivered: [],
    rounds: 1,
  } as const;
  const error = { code: "error", message: "401: bad key sk-test-1234567890" };
  const [nested, fine] = numbered([{ ...end, error }, end], "1/0/0");
  for (const event of [nested!, fine!]) reporter.event(event);
  const lines = output.all("stdout").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...nested, error: { code: "error", message: "401: bad key [redacted]" } },
    fine,
  ]);
});

test("so is the root's own, where the result has none", () => {
  const output = fakeOutput();
  const reporter = jsonReporter(output);
  const error = { code: "error", message: "Authorization: Bearer abcdefgh1234" };
  for (const event of twoRounds) reporter.event(event.type === "agent_end" ? { ...event, error } : event);
  reporter.end(resultOf({ outcome: "error" }), 1);
  const last = JSON.parse(output.all("stdout").trimEnd().split("\n").at(-1) ?? "");
  expect(last.error).toEqual({ code: "error", message: "Authorization: Bearer [redacted]" });
});
