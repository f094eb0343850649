import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Agent, createRuntime, type Model, method, type ToolEntry, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { answers, call, failure, picks, play, read, warningsOf } from "./play.fixture.ts";

const secret = "zq81-very-secret-77";
const begin = () => vi.stubEnv("RONDO_TEST_API_KEY", secret);
afterEach(() => vi.unstubAllEnvs());

const left = "[redacted: RONDO_TEST_API_KEY]";

class Keys extends Agent {
  leak = this.method({ description: "Leaks." }, () => `the key is ${secret}`);
}

describe("SEC-06 a secret of our own environment in a result", () => {
  const execute = () => `the key is ${secret}`;
  const forms: readonly (readonly [string, ToolEntry])[] = [
    ["tool()", tool({ name: "leak", execute })],
    ["spec and execute", { spec: { name: "leak" }, execute }],
    ["an Agent's method", new Keys().leak as unknown as ToolEntry],
    ["a registered name", tool.named("leak")],
  ];

  test.each(forms)("%s: the model, events and history get its name instead", async (_, entry) => {
    begin();
    const registered = tool({ name: "leak", execute });
    const { result, events } = await play([picks("leak"), "done"], { tools: [entry] }, { tools: [registered] });
    expect(answers(result.messages)).toEqual([`the key is ${left}`]);
    expect(JSON.stringify([result, events])).not.toContain(secret);
  });

  test("thrown, in JSON, and in a run inside", async () => {
    begin();
    const throws = tool({
      name: "throws",
      execute: () => {
        throw new Error(`401 with ${secret}`);
      },
    });
    const json = tool({ name: "json", execute: () => ({ headers: { [secret]: `Bearer ${secret}` } }) });
    const nested = tool({
      name: "nested",
      execute: (_, ctx) => ctx.runtime.exec("leak", { tools: [tool({ name: "leak", execute })], model: inner }),
    });
    const seen: unknown[] = [];
    const inner: Model = {
      id: "inner",
      stream(request) {
        seen.push(...request.messages);
        const asked = request.messages.length === 1;
        const content = asked
          ? [{ type: "tool_call" as const, id: "c", name: "leak", arguments: "{}" }]
          : [{ type: "text" as const, text: "inside" }];
        const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
        const message = { role: "assistant" as const, model: "inner", usage, content, stopReason: "stop" as const };
        return (async function* () {
          yield { type: "end" as const, message };
        })();
      },
    };
    const { result, events } = await play([picks("throws", "json", "nested"), "done"], {
      tools: [throws, json, nested],
    });
    expect(answers(result.messages)).toEqual([`! 401 with ${left}`, "", "inside"]);
    expect(JSON.stringify(seen)).toContain(left);
    expect(JSON.stringify([result, events, seen])).not.toContain(secret);
  });

  test("redact: false hands results on as they are", async () => {
    begin();
    const leak = tool({ name: "leak", execute });
    const { result } = await play([picks("leak"), "done"], { tools: [leak] }, { redact: false });
    expect(answers(result.messages)).toEqual([execute()]);
  });

  test("what only looks like a key reaches the model as it is", async () => {
    begin();
    const text = "authorization: Bearer abcdefgh1234\nhttps://user:pw@host/?api_key=abc sk-live-1234567890";
    const { result } = await play([picks("read"), "done"], { tools: [tool({ name: "read", execute: () => text })] });
    expect(answers(result.messages)).toEqual([text]);
  });

  test("errors and warnings lose it, and what looks like a key, whatever the results do", async () => {
    begin();
    const broken = tool({
      name: "broken",
      requiresApproval: () => {
        throw new Error(`rule ${secret} Bearer abcdefgh1234`);
      },
      execute: () => "ok",
    });
    const { events } = await play([picks("broken"), "done"], { tools: [broken] }, { redact: false });
    expect(warningsOf(events)[0]?.message).toContain("rule [redacted] Bearer [redacted]");
    const model: Model = {
      id: "broken",
      stream: () => {
        throw new Error(`401, sent x-api-key: ${secret}`);
      },
    };
    const runtime = createRuntime({ model, redact: false });
    expect(String(await failure(runtime.exec("go", { tools: [] })))).toMatch(/401, sent x-api-key: \[redacted\]/);
    const picked = method({ name: "pick" }, () => {
      throw new Error(`no ${secret}`);
    });
    const deciding = createRuntime({ model: scripted(['{"call":"pick"}']) });
    const told = await read(deciding.run("go", { tools: [], choices: { pick: picked } }));
    expect(told.at(-1)).toMatchObject({ type: "agent_end", error: { message: "no [redacted]" } });
  });
});

test("SEC-06 a file that holds it: parts around it are edited, and nothing writes over it what stands for it", async () => {
  begin();
  const workspace = mkdtempSync(join(tmpdir(), "rondo-secrets-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const file = join(workspace, "config.txt");
  writeFileSync(file, `name = a\nkey = ${secret}\n`);
  const shown = `name = a\nkey = ${left}\n`;
  const edit = (old_string: string, new_string: string) =>
    call("edit_file", { path: "config.txt", old_string, new_string });
  const script = [
    picks(call("read_file", { path: "config.txt" })),
    picks(
      edit("name = a", "name = b"),
      edit(`key = ${left}`, "key = x"),
      edit("name = b", `name = ${left}`),
      call("write_file", { path: "config.txt", content: shown }),
    ),
    "done",
  ];
  const { result } = await play(
    script,
    { tools: ["read_file", "edit_file", "write_file"] },
    {
      workspace,
      tools: builtInTools,
    },
  );
  const [text, edited, ...refused] = answers(result.messages);
  expect(text).toBe(shown);
  expect(edited).toMatch(/^Edited/);
  expect(refused).toEqual([
    expect.stringMatching(/^! .*not (?:found|there)|^! .*old_string/),
    expect.stringContaining(`! new_string has "${left}", which stands in results for the value of`),
    expect.stringContaining(`! The content has "${left}"`),
  ]);
  expect(readFileSync(file, "utf8")).toBe(`name = b\nkey = ${secret}\n`);
  expect(JSON.stringify(result)).not.toContain(secret);
});
