import { expect, test } from "vitest";
import { createRuntime, type ExecOptions, type RuntimeOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { read, warningsOf } from "../loop/play.fixture.ts";

const names = Array.from({ length: 10_000 }, (_, i) => `nothing_${i}`);

test.each<[string, ExecOptions, RuntimeOptions]>([
  ["toolsDeny", { toolsDeny: names }, {}],
  ["toolset", { toolset: "mine" }, { presets: { mine: { tools: names } } }],
  ["approvals.deny", {}, { approvals: { deny: names } }],
  ["requiresApproval", {}, { requiresApproval: names }],
])(
  "of ten thousand names that nothing has the first hundred are told of, and how many more: %s",
  async (where, options, defaults) => {
    const runtime = createRuntime({
      model: scripted(["done"]),
      tools: [tool({ name: "a", execute: () => "" })],
      ...defaults,
    });
    const messages = warningsOf(await read(runtime.run("go", options))).map(({ message }) => message);
    expect(messages).toHaveLength(101);
    expect(messages[0]).toMatch(new RegExp(`^${where}.*"nothing_0"`));
    expect(messages[100]).toBe("… and 9900 more of these.");
  },
);
