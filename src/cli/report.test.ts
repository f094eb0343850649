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

test("quiet: at a terminal the text can do nothing to it, elsewhere it is as it came", () => {
  const text = "a\u001b[2J\u001b]52;c;eA==\u0007\u202e b";
  for (const [stdout, shown] of [
    [true, "a[2J]52;c;eA== b\n"],
    [false, `${text}\n`],
  ] as const) {
    const output = fakeOutput({ stdout });
    quietReporter(output).end(resultOf({ text }), 1);
    expect(output.all("stdout")).toBe(shown);
  }
});

test("quiet: but it says why there is no answer", () => {
  const output = fakeOutput();
  quietReporter(output).end(resultOf({ outcome: "error", text: "", error: new RondoError("error", "auth: no") }), 1);
  expect(output.all("stdout")).toBe("");
  expect(output.all("stderr")).toBe("rondo: error: auth: no\n");
});
