import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chatServer } from "../../src/cli/chat-server.fixture.ts";
import { example, folderOf } from "./example.fixture.ts";

/** A repository whose commits are these sets of files; null removes one. */
function repository(...commits: readonly { readonly [name: string]: string | null }[]): string {
  const cwd = folderOf();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false", ...args], {
      cwd,
    });
  git("init", "--quiet");
  for (const files of commits) {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) rmSync(join(cwd, name));
      else writeFileSync(join(cwd, name), text);
    }
    git("add", "--all");
    git("commit", "--quiet", "--message", "change");
  }
  return cwd;
}

const first = { "a.ts": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", "gone.ts": "// TODO old\n" };
const second = {
  "a.ts": "one\n++ debugger\ntwo\nthree\nfour\nfive\nsix\nseven\n-- TODO this\nnine\n",
  "gone.ts": null,
  "näh e.sql": "-- x\n-- FIXME\n",
};
const third = { "a.ts": `${second["a.ts"]}clean\n` };

test("the last commit by default, each finding with its place behind the change; serious ones give exit code 1", async () => {
  const { code, stdout, stderr } = await example("review", [], { cwd: repository(first, second) });
  expect(stdout.split("\n").sort().join("\n").trim()).toBe(
    ["a.ts:2 high: debugger is left.", "a.ts:9 low: TODO is left.", "näh e.sql:2 low: FIXME is left."].join("\n"),
  );
  expect([code, stderr]).toEqual([1, ""]);
});

test("any range", async () => {
  const cwd = repository(first, second, third);
  expect(await example("review", ["HEAD~2..HEAD~1"], { cwd })).toMatchObject({ code: 1 });
  expect(await example("review", ["HEAD~1"], { cwd })).toMatchObject({ code: 0, stdout: "Nothing found.\n" });
});

test("a commit without one before it", async () => {
  const { code, stdout } = await example("review", [], { cwd: repository(first) });
  expect([code, stdout]).toEqual([0, "gone.ts:1 low: TODO is left.\n"]);
});

test("the tool reads around a line as the commit has it, and nothing outside of the repository", async () => {
  const long = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join("\n");
  const cwd = repository({ "long.txt": long }, { "long.txt": long.replace("line 50", "changed") });
  writeFileSync(join(cwd, "long.txt"), "not committed");
  const asked = [
    { file: "long.txt", line: 50 },
    { file: "long.txt", line: 1 },
    { file: "../../etc/passwd", line: 1 },
    { file: "/etc/passwd", line: 1 },
  ];
  const server = await chatServer((round) => {
    const args = asked[round - 1];
    if (args) return { calls: [{ name: "read_around", arguments: args }] };
    return { text: '[{"file":"long.txt","line":50,"severity":"medium","text":"Why?"}]' };
  });
  onTestFinished(() => server.close());
  const { code, stdout } = await example("review", [], { cwd, env: { RONDO_MODEL: server.model } });
  expect([code, stdout]).toEqual([0, "long.txt:50 medium: Why?\n"]);
  const { messages } = server.received.at(-1)!.body;
  const [middle, start, above, root] = messages.flatMap(({ role, content }) => (role === "tool" ? [`${content}`] : []));
  expect(middle).toMatch(/^31\tline 31\n.*\n50\tchanged\n.*\n70\tline 70$/s);
  expect(start).toMatch(/^1\tline 1\n.*\n40\tline 40$/s);
  for (const refused of [above, root]) expect(refused).toMatch(/fatal: .*(?:outside repository|not in 'HEAD')/);
});
