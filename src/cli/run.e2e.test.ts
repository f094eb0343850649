import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, test } from "vitest";
import { preloaded, rondo } from "./command.fixture.ts";
import { eventsIn, readNotes, stage, twoRounds } from "./e2e.fixture.ts";

const on = stage();

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
      const args = ["run", "last line of src/notes.txt?", "--model", `${mock.url}/v1#gpt-test`, "--cwd", on.folder];
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
    const { model } = await on.serve(twoRounds);
    const { code, stdout, stderr } = await rondo(["run", "last line?", "--model", model, "--cwd", on.folder]);
    expect(stdout).toBe("The last line is gamma.\n");
    const [, text, call, result, end] = stderr.split("\n");
    expect(text).toBe("Let me look.");
    expect(call).toBe('→ read_file {"path":"src/notes.txt"}');
    expect(result).toMatch(/^ {2}.*\(\+\d+ lines\)$/);
    expect(end).toMatch(/^stop · 2 rounds · 240 tokens · /);
    expect(code).toBe(0);
  });

  test("--quiet: the final text and nothing else", async () => {
    const { model } = await on.serve(twoRounds);
    const finished = await rondo(["run", "last line?", "--model", model, "--cwd", on.folder, "--quiet"]);
    expect(finished).toMatchObject({ code: 0, stdout: "The last line is gamma.\n", stderr: "" });
  });

  test("--json: events and nothing else on standard output, whatever a tool or package writes there", async () => {
    const { model } = await on.serve(twoRounds);
    const noise = preloaded(`
      const real = globalThis.fetch;
      globalThis.fetch = (...args) => {
        console.log("noise"); console.info("noise"); console.debug("noise"); console.table([1]);
        process.stdout.write("raw noise\\n");
        return real(...args);
      };`);
    const args = ["run", "last line?", "--model", model, "--cwd", on.folder, "--json"];
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
      (await rondo(["run", "hi", "--model", "offline", "--toolset", "none", ...args], { env, cwd: on.folder })).stderr;
    expect(await run([], { FORCE_COLOR: "1" })).toContain("\u001b[");
    expect(await run(["--no-color"], { FORCE_COLOR: "1" })).not.toContain("\u001b[");
    expect(await run([], { NO_COLOR: "1" })).not.toContain("\u001b[");
  });
});

describe("options", () => {
  test("what the model is told: system prompt, tools, denials, choice", async () => {
    const { model, received } = await on.serve(() => ({ calls: [{ name: "list_dir", arguments: {} }] }));
    const options =
      "--tools read_file,list_dir,grep --deny grep --tool-choice list_dir --max-iterations 1 --at-limit stop";
    await rondo(["run", "hi", "--model", model, "--cwd", on.folder, "--system", "Be brief.", ...options.split(" ")]);
    const body = received[0]?.body;
    expect(body?.model).toBe("gpt-test");
    expect(body?.messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(["read_file", "list_dir"]);
    expect(body?.tool_choice).toEqual({ type: "function", function: { name: "list_dir" } });
    expect(received).toHaveLength(1);
  });

  test.each([["--toolset=none"], ["--tools="]])("%s: no tools", async (option) => {
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    await rondo(["run", "hi", "--model", model, "--cwd", on.folder, option]);
    expect(received[0]?.body.tools).toBeUndefined();
  });

  test("without --tools every tool is there", async () => {
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    await rondo(["run", "hi", "--model", model, "--cwd", on.folder, "--toolset", "full"]);
    const names = received[0]?.body.tools?.map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(["read_file", "list_dir", "glob", "grep", "write_file", "edit_file"]));
  });

  test("--cwd bounds what tools can read", async () => {
    const { model, received } = await on.serve((round) =>
      round === 1 ? { calls: [{ name: "read_file", arguments: { path: "../../etc/hostname" } }] } : { text: "no" },
    );
    await rondo(["run", "hi", "--model", model, "--cwd", join(on.folder, "src"), "--yes"]);
    expect(JSON.stringify(received[1]?.body.messages.at(-1))).toMatch(/outside/);
  });

  test("the prompt from standard input, and context behind the words", async () => {
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    await rondo(["run", "--model", model, "--cwd", on.folder], { input: "from a pipe\n" });
    await rondo(["run", "words", "-", "--model", model, "--cwd", on.folder], { input: "context\n" });
    expect(received.map(({ body }) => body.messages.at(-1)?.content)).toEqual(["from a pipe", "words\n\ncontext"]);
  });

  test("a parent that leaves standard input open is not waited for", async () => {
    const { model } = await on.serve(() => ({ text: "hello" }));
    const finished = await rondo(["run", "words", "--model", model, "--cwd", on.folder], { input: null });
    expect(finished).toMatchObject({ code: 0, stdout: "hello\n" });
  });
});

test("offline, on this folder, end to end", async () => {
  const { code, stdout, stderr } = await rondo(["run", "Read the file src/notes.txt", "--model", "offline"], {
    cwd: on.folder,
  });
  expect(stderr).toMatch(/^model: offline \(--model\)\n→ read_file /);
  expect(stdout).toContain("gamma");
  expect(code).toBe(0);
});
