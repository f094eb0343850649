import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Reply } from "./chat-server.fixture.ts";
import { preloaded, rondo } from "./command.fixture.ts";
import { eventsIn, stage } from "./e2e.fixture.ts";

const on = stage();

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
    const { model } = await on.serve(reply);
    const finished = await rondo(["run", "hi", "--model", model, "--cwd", on.folder, "--json", ...options]);
    expect(eventsIn(finished.stdout).at(-1)).toMatchObject({ type: "agent_end", outcome });
    expect(finished.code).toBe(code);
  });

  test.runIf(existsSync("/dev/full"))("an answer that cannot be written is a failure", async () => {
    const { model } = await on.serve(() => ({ text: "fine" }));
    for (const option of ["--json", "--quiet"]) {
      const args = ["run", "hi", "--model", model, "--cwd", on.folder, option];
      const { code, stderr } = await rondo(args, { stdout: "/dev/full" });
      expect(stderr).toContain("rondo: cannot write to standard output: ENOSPC");
      expect(code).toBe(1);
    }
  });

  test("a failure of the provider is one line: kind and message, no stack", async () => {
    const { model } = await on.serve(() => ({ status: 401, error: "who are you?" }));
    const { stdout, stderr } = await rondo(["run", "hi", "--model", model, "--cwd", on.folder]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/\nerror: .*auth.*who are you\? Check the key and what it may use\. · 1 round · /);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("interrupting", () => {
  const hanging = () => on.serve(() => ({ text: "I am thinking ", hangs: true }));
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
    const args = ["run", "hi", "--model", model, "--cwd", on.folder, "--json"];
    const { code, stdout, stderr } = await rondo(args, { onStdout: once("thinking", (child) => child.kill(signal)) });
    expect(eventsIn(stdout).at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    expect(stderr).toContain("rondo: interrupted\n");
    expect(code).toBe(130);
  });

  test("for people it ends with the outcome", async () => {
    let asked = () => {};
    const { model } = await on.serve(() => {
      asked();
      return { text: "I am thinking ", hangs: true };
    });
    const onStart = (child: { kill(signal: NodeJS.Signals): boolean }) => {
      asked = () => void child.kill("SIGINT");
    };
    const { code, stderr } = await rondo(["run", "hi", "--model", model, "--cwd", on.folder], { onStart });
    expect(stderr).toMatch(/rondo: interrupted\naborted.* · 1 round · /);
    expect(code).toBe(130);
  });

  test("while it still waits for its prompt it says so, and ends at once", async () => {
    const { code } = await rondo(["run", "--model", "offline"], {
      input: null,
      onStderr: once("waiting for standard input", (child) => child.kill("SIGINT")),
    });
    expect(code).toBe(130);
  });

  test("twice kills at once, even if the run cannot end", async () => {
    const { model } = await hanging();
    const stuck = preloaded("AbortController.prototype.abort = () => {}");
    const args = ["run", "hi", "--model", model, "--cwd", on.folder, "--json"];
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
    const { model } = await on.serve(() => ({ text: "more ", drips: true }));
    const args = ["run", "hi", "--model", model, "--cwd", on.folder, "--json", "--quiet"];
    const { code, stderr } = await rondo(args, { onStdout: (_, child) => child.stdout?.destroy() });
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  });
});
