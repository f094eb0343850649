import { expect, test } from "vitest";
import { createRuntime, isRunError, RondoError } from "../core.ts";
import { scripted } from "../testing/index.ts";

test("an exec that came to nothing rejects with an error that brings its result, typed", async () => {
  const runtime = createRuntime({ model: scripted([{ text: "Once", stopReason: "length" }]) });
  const error: unknown = await runtime.exec("go", { toolset: "none" }).catch((thrown: unknown) => thrown);
  if (!isRunError(error)) throw error;
  expect(error.code).toBe("length");
  const { outcome, text, rounds, messages } = error.result;
  expect({ outcome, text, rounds, count: messages.length }).toEqual({
    outcome: "length",
    text: "Once",
    rounds: 1,
    count: 2,
  });
});

test.each([
  [new RondoError("invalid_option", "no")],
  [new RondoError("error", "no", { result: "text" })],
  [Object.assign(new Error("no"), { result: { outcome: "error" } })],
  [{ outcome: "stop" }],
  [undefined],
])("%s is none", (value) => {
  expect(isRunError(value)).toBe(false);
});
