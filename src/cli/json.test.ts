import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { jsonReporter } from "./json.ts";
import { fakeOutput, resultOf, twoRounds } from "./report.fixture.ts";

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
