import { expect, test } from "vitest";
import { createRuntime, type RuntimeOptions } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";

test("prices that are looked up: a throw and what is no price are told before any request", async () => {
  const model = scripted(["done"]);
  const run = (prices: NonNullable<RuntimeOptions["prices"]>) => () =>
    createRuntime({ model, prices }).run("go", { tools: [] });
  const broken = () => {
    throw new Error("no table");
  };
  expect(run(broken)).toThrow(/prices\("scripted"\) threw: no table/);
  expect(run((() => 3) as never)).toThrow(/prices\("scripted"\) must be \{ input, output \}/);
  expect(run(() => undefined)).not.toThrow();
  const priced = createRuntime({ model: scripted(["done"]), prices: () => ({ input: 0, output: 0 }) });
  expect((await priced.run("go", { tools: [] }).result).usage.cost ?? 0).toBe(0);
});
