import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { fakeOutput, resultOf, twoRounds } from "./report.fixture.ts";
import { quietReporter } from "./report.ts";

test("quiet: the final text and nothing else", () => {
  const output = fakeOutput({ stdout: true, stderr: true });
  const reporter = quietReporter(output);
  for (const event of twoRounds) reporter.event(event);
  reporter.end(resultOf(), 1);
  expect(output.all("stdout")).toBe("It says one.\n");
  expect(output.all("stderr")).toBe("");
});

test("quiet: but it says why there is no answer", () => {
  const output = fakeOutput();
  quietReporter(output).end(resultOf({ outcome: "error", text: "", error: new RondoError("error", "auth: no") }), 1);
  expect(output.all("stdout")).toBe("");
  expect(output.all("stderr")).toBe("rondo: error: auth: no\n");
});
