import { describe, expect, test } from "vitest";
import { rondo } from "./command.fixture.ts";
import { eventsIn, stage } from "./e2e.fixture.ts";

const on = stage();

describe("which model", () => {
  test("a key in the environment is not spent when a model is named", async () => {
    const trap = await on.serve(() => ({ text: "spent" }));
    const base = trap.model.replace("#gpt-test", "");
    const env = {
      OPENAI_API_KEY: "sk-test-1234567890",
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: "sk-ant-1234567890",
      ANTHROPIC_BASE_URL: base,
    };
    const byOption = await rondo(["run", "hi", "--toolset=none", "--model", "offline"], { env, cwd: on.folder });
    const byVariable = await rondo(["run", "hi", "--toolset=none"], {
      env: { ...env, RONDO_MODEL: "offline" },
      cwd: on.folder,
    });
    expect(byOption.stderr).toMatch(/^model: offline \(--model\)\n/);
    expect(byVariable.stderr).toMatch(/^model: offline \(RONDO_MODEL\)\n/);
    expect(trap.received).toHaveLength(0);
    for (const { stderr } of [byOption, byVariable]) expect(stderr).not.toContain("1234567890");
  });

  test("keys of other providers are not sent to a server that was named", async () => {
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    const env = { OPENAI_API_KEY: "sk-test-1234567890", ANTHROPIC_API_KEY: "sk-ant-1234567890" };
    await rondo(["run", "hi", "--model", model, "--cwd", on.folder], { env });
    expect(JSON.stringify(received)).not.toContain("1234567890");
  });

  test("of several the next is asked where one fails, and the line names them all", async () => {
    const broken = await on.serve(() => ({ status: 401, error: "no" }));
    const good = await on.serve(() => ({ text: "hello" }));
    const args = ["-m", broken.model, "-m", good.model, "--cwd", on.folder];
    const { code, stdout, stderr } = await rondo(["run", "hi", ...args]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hello\n" });
    expect(stderr).toMatch(new RegExp(`^model: ${broken.model}, else ${good.model} \\(--model\\)\n`));
    expect([broken.received.length, good.received.length]).toEqual([1, 1]);
  });

  test.each([
    ["nosuch/model", "Unknown model"],
    ["openai/gpt-5.6", "OPENAI_API_KEY"],
    ["local/nosuch", "nosuch"],
  ])("a second one that stands for nothing is said before anything is asked: %s", async (second, message) => {
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    const { code, stdout, stderr } = await rondo(["run", "hi", "-m", model, "-m", second, "--cwd", on.folder]);
    expect({ code, stdout, asked: received.length }).toEqual({ code: 2, stdout: "", asked: 0 });
    expect(stderr).toContain(message);
  });

  test("the first key chooses, and is not shown", async () => {
    const { model, received } = await on.serve(() => ({
      status: 401,
      error: "Incorrect API key provided: sk-ant-1234567890",
    }));
    const env = { ANTHROPIC_API_KEY: "sk-ant-1234567890", ANTHROPIC_BASE_URL: model.replace("#gpt-test", "") };
    const plain = await rondo(["run", "hi", "--cwd", on.folder], { env });
    const json = await rondo(["run", "hi", "--cwd", on.folder, "--json"], { env });
    expect(plain.stderr).toMatch(/^model: anthropic\/\S+ \(ANTHROPIC_API_KEY is set\)\n/);
    expect(received).toHaveLength(2);
    for (const { code, stdout, stderr } of [plain, json]) {
      expect(code).toBe(1);
      expect(stderr + stdout).not.toContain("1234567890");
    }
    expect(eventsIn(json.stdout).at(-1)).toMatchObject({
      outcome: "error",
      error: { message: expect.stringMatching(/auth/) },
    });
  });
});
