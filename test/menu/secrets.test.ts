import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createRuntime, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, picks } from "../loop/play.fixture.ts";

afterEach(() => void vi.unstubAllEnvs());

test("what a gate or a check of arguments throws or says is without the secrets of the process", async () => {
  const secret = "sk-very-secret-value-1234";
  vi.stubEnv("MENU_TEST_API_KEY", secret);
  const quoting = (): never => {
    throw new Error(`no answer for ${secret}`);
  };
  const execute = () => "ran";
  const input = z.object({ n: z.number().refine(quoting) });
  const saying = z.object({ n: z.number().refine(() => false, `not ${secret}`) });
  const tools = [
    tool({ name: "check", check: quoting, execute }),
    tool({ name: "canUse", canUse: quoting, execute }),
    tool({ name: "schema", input, execute }),
    tool({ name: "says", input: saying, execute }),
  ];
  const kept = tool({ name: "kept", availableIf: quoting, execute });
  const calls = ["check", "canUse", "schema", "says"].map((name) => call(name, { n: 1 }));
  const runtime = createRuntime({ model: scripted([picks(...calls), "done"]), tools: [...tools, kept] });
  const { messages } = await runtime.run("go").result;
  expect(answers(messages)).toHaveLength(4);
  const all = JSON.stringify([messages, runtime.explainTools()]);
  expect(all).toContain("no answer for ");
  expect(all).not.toContain(secret);
});
