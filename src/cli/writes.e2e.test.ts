import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Reply } from "./chat-server.fixture.ts";
import { bin, rondo } from "./command.fixture.ts";
import { stage } from "./e2e.fixture.ts";
import { hasPty, runInPty } from "./pty.fixture.ts";

const on = stage();
const args = { path: "new/notes.txt", content: "one\ntwo\n" };
const writes = (round: number): Reply =>
  round === 1 ? { calls: [{ name: "write_file", arguments: args }] } : { text: "done" };

test("without a terminal nothing is written, and the model is told why", async () => {
  const { model } = await on.serve(writes);
  const { code, stderr } = await rondo(["run", "note it", "--model", model, "--cwd", on.folder]);
  expect(stderr).toContain("Denied: nobody is there to approve it");
  expect(existsSync(join(on.folder, "new"))).toBe(false);
  expect(code).toBe(0);
});

test("--yes writes", async () => {
  const { model } = await on.serve(writes);
  const { code, stdout } = await rondo(["run", "note it", "--model", model, "--cwd", on.folder, "--yes", "--quiet"]);
  expect(readFileSync(join(on.folder, "new/notes.txt"), "utf8")).toBe("one\ntwo\n");
  expect([code, stdout]).toEqual([0, "done\n"]);
});

test("--read-only denies what writes; both together are a usage error", async () => {
  rmSync(join(on.folder, "new"), { recursive: true, force: true });
  const { model } = await on.serve(writes);
  const { stderr } = await rondo(["run", "note it", "--model", model, "--cwd", on.folder, "--read-only"]);
  expect(stderr).toContain("only tools that change nothing may run here");
  expect(existsSync(join(on.folder, "new"))).toBe(false);
  const both = await rondo(["run", "hi", "--model", model, "--read-only", "--yes"]);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("not both")]);
});

// Elsewhere than on Linux with its `script` there is nothing here to make a terminal with.
test.runIf(hasPty).each([
  ["y", "Created", true],
  ["n", "the user said no", false],
])("with a pipe for standard input the terminal is asked: %s", async (answer, says, written) => {
  rmSync(join(on.folder, "new"), { recursive: true, force: true });
  const { model } = await on.serve(writes);
  let answered = false;
  const command = `printf 'note it' | '${process.execPath}' '${bin}' run --model '${model}' --cwd .`;
  const { code, shown } = await runInPty(command, on.folder, (soFar, child) => {
    if (answered || !soFar.includes("Do this? [y]es")) return;
    answered = true;
    child.stdin?.write(`${answer}\n`);
  });
  expect(shown).toContain("+two");
  expect(shown).toContain(says);
  expect(existsSync(join(on.folder, "new/notes.txt"))).toBe(written);
  expect(code).toBe(0);
});

test.runIf(hasPty)(
  "as a job in the background it asks nobody, says so and goes on; in the foreground it asks",
  async () => {
    rmSync(join(on.folder, "new"), { recursive: true, force: true });
    const { model } = await on.serve(writes);
    const command = `'${process.execPath}' '${bin}' run 'note it' --model '${model}' --cwd .`;
    // With -m each job is a group of its own, as at a prompt; "wait" ends too when the job is stopped.
    const { shown } = await runInPty(`set -m; ${command} & wait $!; echo "ended: $?"; kill -9 %1`, on.folder, () => {});
    expect(shown).toContain("Denied: the command runs in the background");
    expect(shown).not.toContain("[y]es");
    expect(shown).toContain("ended: 0");
    expect(existsSync(join(on.folder, "new"))).toBe(false);

    const again = await on.serve(writes);
    let answered = false;
    const inFront = command.replace(model, again.model);
    const { shown: asked } = await runInPty(`set -m; ${inFront}; echo "ended: $?"`, on.folder, (soFar, child) => {
      if (answered || !soFar.includes("Do this? [y]es")) return;
      answered = true;
      child.stdin?.write("y\n");
    });
    expect(asked).toContain("ended: 0");
    expect(existsSync(join(on.folder, "new/notes.txt"))).toBe(true);
  },
);
