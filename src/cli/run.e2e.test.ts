import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AgentEvent } from "../loop/events.ts";
import { type ChatServer, chatServer, type Reply } from "./chat-server.fixture.ts";
import { preloaded, rondo } from "./command.fixture.ts";

let folder: string;
const servers: ChatServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-"));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "notes.txt"), "alpha\nbeta\ngamma\n");
});

afterAll(() => rm(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(reply: (round: number) => Reply): Promise<ChatServer> {
  const server = await chatServer(reply);
  servers.push(server);
  return server;
}

const readNotes = { name: "read_file", arguments: { path: "src/notes.txt" } };
const twoRounds = (round: number): Reply =>
  round === 1 ? { text: "Let me look.", calls: [readNotes] } : { text: "The last line is gamma." };

function eventsIn(stdout: string): AgentEvent[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent);
}

describe("a run", () => {
  test("over a real wire: the model reads a file and answers", async () => {
    const mock = new LLMock({ port: 0 });
    mock.on(
      { hasToolResult: false },
      { toolCalls: [{ ...readNotes, arguments: JSON.stringify(readNotes.arguments) }] },
    );
    mock.on({ toolResultContains: "gamma" }, { content: "The last line is gamma." });
    await mock.start();
    try {
      const args = ["run", "last line of src/notes.txt?", "--model", `${mock.url}/v1#gpt-test`, "--cwd", folder];
      const { code, stdout, stderr } = await rondo(args);
      expect(stdout).toBe("The last line is gamma.\n");
      expect(stderr).toMatch(
        /^model: http:\/\/127\.0\.0\.1:\d+\/v1#gpt-test \(--model\)\n→ read_file \{"path":"src\/notes.txt"\}\n/,
      );
      expect(stderr).toMatch(/\nstop · 2 rounds · [\d,]+ tokens · .*s\n$/);
      expect(code).toBe(0);
    } finally {
      await mock.stop();
    }
  });

  test("shows text that was not the answer, calls and heads of results on standard error", async () => {
    const { model } = await serve(twoRounds);
    const { code, stdout, stderr } = await rondo(["run", "last line?", "--model", model, "--cwd", folder]);
    expect(stdout).toBe("The last line is gamma.\n");
    const [, text, call, result, end] = stderr.split("\n");
    expect(text).toBe("Let me look.");
    expect(call).toBe('→ read_file {"path":"src/notes.txt"}');
    expect(result).toMatch(/^ {2}.*\(\+\d+ lines\)$/);
    expect(end).toMatch(/^stop · 2 rounds · 240 tokens · /);
    expect(code).toBe(0);
  });

  test("--quiet: the final text and nothing else", async () => {
    const { model } = await serve(twoRounds);
    const finished = await rondo(["run", "last line?", "--model", model, "--cwd", folder, "--quiet"]);
    expect(finished).toMatchObject({ code: 0, stdout: "The last line is gamma.\n", stderr: "" });
  });

  test("--json: events and nothing else on standard output, whatever a tool or package writes there", async () => {
    const { model } = await serve(twoRounds);
    const noise = preloaded(`
      const real = globalThis.fetch;
      globalThis.fetch = (...args) => {
        console.log("noise"); console.info("noise"); console.debug("noise"); console.table([1]);
        process.stdout.write("raw noise\\n");
        return real(...args);
      };`);
    const args = ["run", "last line?", "--model", model, "--cwd", folder, "--json"];
    const { code, stdout, stderr } = await rondo(args, { env: noise });
    const events = eventsIn(stdout);
    expect(events[0]?.type).toBe("agent_start");
    expect(events.at(-1)).toMatchObject({
      type: "agent_end",
      outcome: "stop",
      text: "The last line is gamma.",
      rounds: 2,
    });
    expect(events.filter((event) => event.type === "agent_end")).toHaveLength(1);
    expect(events.map((event) => event.type)).toContain("tool_end");
    expect(stderr.match(/noise/g)).toHaveLength(8);
    expect(code).toBe(0);
  });

  test("colours by FORCE_COLOR, none by --no-color or NO_COLOR", async () => {
    const run = async (args: string[], env: { [name: string]: string }) =>
      (await rondo(["run", "hi", "--model", "offline", "--toolset", "none", ...args], { env, cwd: folder })).stderr;
    expect(await run([], { FORCE_COLOR: "1" })).toContain("\u001b[");
    expect(await run(["--no-color"], { FORCE_COLOR: "1" })).not.toContain("\u001b[");
    expect(await run([], { NO_COLOR: "1" })).not.toContain("\u001b[");
  });
});

describe("options", () => {
  test("what the model is told: system prompt, tools, denials, choice", async () => {
    const { model, received } = await serve(() => ({ calls: [{ name: "list_dir", arguments: {} }] }));
    const options =
      "--tools read_file,list_dir,grep --deny grep --tool-choice list_dir --max-iterations 1 --at-limit stop";
    await rondo(["run", "hi", "--model", model, "--cwd", folder, "--system", "Be brief.", ...options.split(" ")]);
    const body = received[0]?.body;
    expect(body?.model).toBe("gpt-test");
    expect(body?.messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(["read_file", "list_dir"]);
    expect(body?.tool_choice).toEqual({ type: "function", function: { name: "list_dir" } });
    expect(received).toHaveLength(1);
  });

  test.each([["--toolset=none"], ["--tools="]])("%s: no tools", async (option) => {
    const { model, received } = await serve(() => ({ text: "hello" }));
    await rondo(["run", "hi", "--model", model, "--cwd", folder, option]);
    expect(received[0]?.body.tools).toBeUndefined();
  });

  test("without --tools every tool is there", async () => {
    const { model, received } = await serve(() => ({ text: "hello" }));
    await rondo(["run", "hi", "--model", model, "--cwd", folder, "--toolset", "full"]);
    const names = received[0]?.body.tools?.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(["read_file", "list_dir", "glob", "grep"]));
  });

  test("--cwd bounds what tools can read", async () => {
    const { model, received } = await serve((round) =>
      round === 1 ? { calls: [{ name: "read_file", arguments: { path: "../../etc/hostname" } }] } : { text: "no" },
    );
    await rondo(["run", "hi", "--model", model, "--cwd", join(folder, "src"), "--yes"]);
    expect(JSON.stringify(received[1]?.body.messages.at(-1))).toMatch(/outside/);
  });

  test("the prompt from standard input, and context behind the words", async () => {
    const { model, received } = await serve(() => ({ text: "hello" }));
    await rondo(["run", "--model", model, "--cwd", folder], { input: "from a pipe\n" });
    await rondo(["run", "words", "-", "--model", model, "--cwd", folder], { input: "context\n" });
    expect(received.map(({ body }) => body.messages.at(-1)?.content)).toEqual(["from a pipe", "words\n\ncontext"]);
  });

  test("a parent that leaves standard input open is not waited for", async () => {
    const { model } = await serve(() => ({ text: "hello" }));
    const finished = await rondo(["run", "words", "--model", model, "--cwd", folder], { input: null });
    expect(finished).toMatchObject({ code: 0, stdout: "hello\n" });
  });
});

describe("which model", () => {
  test("a key in the environment is not spent when a model is named", async () => {
    const trap = await serve(() => ({ text: "spent" }));
    const base = trap.model.replace("#gpt-test", "");
    const env = {
      OPENAI_API_KEY: "sk-test-1234567890",
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: "sk-ant-1234567890",
      ANTHROPIC_BASE_URL: base,
    };
    const byOption = await rondo(["run", "hi", "--toolset=none", "--model", "offline"], { env, cwd: folder });
    const byVariable = await rondo(["run", "hi", "--toolset=none"], {
      env: { ...env, RONDO_MODEL: "offline" },
      cwd: folder,
    });
    expect(byOption.stderr).toMatch(/^model: offline \(--model\)\n/);
    expect(byVariable.stderr).toMatch(/^model: offline \(RONDO_MODEL\)\n/);
    expect(trap.received).toHaveLength(0);
    for (const { stderr } of [byOption, byVariable]) expect(stderr).not.toContain("1234567890");
  });

  test("keys of other providers are not sent to a server that was named", async () => {
    const { model, received } = await serve(() => ({ text: "hello" }));
    const env = { OPENAI_API_KEY: "sk-test-1234567890", ANTHROPIC_API_KEY: "sk-ant-1234567890" };
    await rondo(["run", "hi", "--model", model, "--cwd", folder], { env });
    expect(JSON.stringify(received)).not.toContain("1234567890");
  });

  test("the first key chooses, and is not shown", async () => {
    const { model, received } = await serve(() => ({
      status: 401,
      error: "Incorrect API key provided: sk-ant-1234567890",
    }));
    const env = { ANTHROPIC_API_KEY: "sk-ant-1234567890", ANTHROPIC_BASE_URL: model.replace("#gpt-test", "") };
    const plain = await rondo(["run", "hi", "--cwd", folder], { env });
    const json = await rondo(["run", "hi", "--cwd", folder, "--json"], { env });
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

describe("exit codes", () => {
  const cut: Reply = { text: "half a", finish: "length" };
  const again: Reply = { calls: [{ name: "list_dir", arguments: {} }] };

  test.each<[string, (round: number) => Reply, string[], number]>([
    ["stop", () => ({ text: "fine" }), [], 0],
    ["length", () => cut, [], 3],
    ["empty", () => ({}), [], 1],
    ["refusal", () => ({ text: "no", finish: "content_filter" }), [], 1],
    ["error", () => ({ status: 401, error: "who are you?" }), [], 1],
    ["max_iterations", () => again, ["--max-iterations", "2", "--at-limit", "stop"], 3],
    ["max_iterations", (round) => (round <= 2 ? again : { text: "so far" }), ["--max-iterations", "2"], 3],
    ["timeout", () => ({ text: "wait", hangs: true }), ["--timeout", "300ms"], 3],
  ])("%s", async (outcome, reply, options, code) => {
    const { model } = await serve(reply);
    const finished = await rondo(["run", "hi", "--model", model, "--cwd", folder, "--json", ...options]);
    expect(eventsIn(finished.stdout).at(-1)).toMatchObject({ type: "agent_end", outcome });
    expect(finished.code).toBe(code);
  });

  test("a failure of the provider is one line: kind and message, no stack", async () => {
    const { model } = await serve(() => ({ status: 401, error: "who are you?" }));
    const { stdout, stderr } = await rondo(["run", "hi", "--model", model, "--cwd", folder]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/\nerror: .*auth.*who are you\? · 1 round · /);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("interrupting", () => {
  const hanging = () => serve(() => ({ text: "I am thinking ", hangs: true }));
  const once = (word: string, act: (child: { kill(signal: NodeJS.Signals): boolean }) => void) => {
    let done = false;
    return (soFar: string, child: { kill(signal: NodeJS.Signals): boolean }) => {
      if (done || !soFar.includes(word)) return;
      done = true;
      act(child);
    };
  };

  test.each(["SIGINT", "SIGTERM"] as const)("%s once: aborted, with the last event, 130", async (signal) => {
    const { model } = await hanging();
    const args = ["run", "hi", "--model", model, "--cwd", folder, "--json"];
    const { code, stdout, stderr } = await rondo(args, { onStdout: once("thinking", (child) => child.kill(signal)) });
    expect(eventsIn(stdout).at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    expect(stderr).toContain("rondo: interrupted\n");
    expect(code).toBe(130);
  });

  test("for people it ends with the outcome", async () => {
    const { model } = await hanging();
    const args = ["run", "hi", "--model", model, "--cwd", folder];
    const onStderr = once("model: ", (child) => setTimeout(() => child.kill("SIGINT"), 700));
    const { code, stderr } = await rondo(args, { onStderr });
    expect(stderr).toMatch(/rondo: interrupted\naborted.* · 1 round · /);
    expect(code).toBe(130);
  });

  test("twice kills at once, even if the run cannot end", async () => {
    const { model } = await hanging();
    const stuck = preloaded("AbortController.prototype.abort = () => {}");
    const args = ["run", "hi", "--model", model, "--cwd", folder, "--json"];
    const { code } = await rondo(args, {
      env: stuck,
      onStdout: once("thinking", (child) => {
        child.kill("SIGINT");
        setTimeout(() => child.kill("SIGINT"), 300);
      }),
    });
    expect(code).toBe(130);
  });

  test("a reader that goes away ends the run quietly", async () => {
    const { model } = await hanging();
    const args = ["run", "hi", "--model", model, "--cwd", folder, "--json", "--quiet"];
    const finished = await rondo(args, { onStdout: (_, child) => child.stdout?.destroy() });
    expect(finished.stderr).toBe("");
  });
});

test("offline, on this folder, end to end", async () => {
  const { code, stdout, stderr } = await rondo(["run", "Read the file src/notes.txt", "--model", "offline"], {
    cwd: folder,
  });
  expect(stderr).toMatch(/^model: offline \(--model\)\n→ read_file /);
  expect(stdout).toContain("gamma");
  expect(code).toBe(0);
});
