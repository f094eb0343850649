import { expect, test } from "vitest";
import { interrupts } from "./signals.ts";

function pressed(...times: number[]): string[] {
  const log: string[] = [];
  let time = 0;
  const onSignal = interrupts(
    (signal) => log.push(`abort ${signal}`),
    () => log.push("kill"),
    () => time,
  );
  for (const at of times) {
    time = at;
    onSignal("SIGINT");
  }
  return log;
}

test("the first signal aborts, the second kills", () => {
  expect(pressed(5)).toEqual(["abort SIGINT"]);
  expect(pressed(5, 400)).toEqual(["abort SIGINT", "kill"]);
});

test("a signal that comes twice for one key press is one", () => {
  expect(pressed(5, 7, 50)).toEqual(["abort SIGINT"]);
  expect(pressed(5, 7, 400)).toEqual(["abort SIGINT", "kill"]);
});
