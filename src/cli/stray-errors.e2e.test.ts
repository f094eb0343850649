import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rondo } from "./command.fixture.ts";
import { eventsIn, stage } from "./e2e.fixture.ts";

const on = stage();
const key = "abcd1234efgh5678";
const env = { MY_API_KEY: key };

/** An agent's file with a tool that never settles, and what goes wrong beside it. */
function agentWith(code: string): string {
  const path = join(on.folder, "agent.mjs");
  const core = JSON.stringify(new URL("../core.ts", import.meta.url).href);
  writeFileSync(
    path,
    `import { spawn } from "node:child_process";
import { tool } from ${core};
export const strange = tool({ name: "strange", execute: () => new Promise((settle) => {
  ${code}
}) });
`,
  );
  return path;
}

const call = (round: number) =>
  round === 1 ? { calls: [{ name: "strange", arguments: {} }] } : { text: "It went on." };

test.each([
  [
    "a timer",
    "setTimeout(() => { throw new Error('401 for ' + process.env.MY_API_KEY); });",
    "(agent.mjs:4): 401 for ",
  ],
  ["a program that is not there", "spawn('no-such-program-here');", "spawn no-such-program-here ENOENT"],
])("what %s of a tool throws ends the run in a line, with its last event", async (_, code, told) => {
  const server = await on.serve(call);
  const args = ["run", "-a", agentWith(code), "--json", "--model", server.model, "hi"];
  const finished = await rondo(args, { cwd: on.folder, env });
  expect(finished.stderr).toContain(told);
  expect(finished.stderr).not.toContain(key);
  expect(finished.stderr).not.toMatch(/^\s+at /m);
  expect(finished.code).toBe(1);
  expect(eventsIn(finished.stdout).at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
});

test("a rejected promise of a tool is told of, and the run goes on", async () => {
  const server = await on.serve(call);
  const code = "void Promise.reject(new Error('no ' + process.env.MY_API_KEY)); settle('done');";
  const finished = await rondo(["run", "-a", agentWith(code), "--model", server.model, "hi"], { cwd: on.folder, env });
  expect(finished).toMatchObject({ code: 0, stdout: "It went on.\n" });
  expect(finished.stderr).toContain("a promise was rejected and not awaited (agent.mjs:4): no ");
  expect(finished.stderr).not.toContain(key);
});

test("rondo tools lists, without a stack, what a file offers that leaves a rejected promise behind", async () => {
  agentWith("settle();");
  writeFileSync(
    join(on.folder, "rejects.mjs"),
    `void Promise.reject(new Error("no"));\nexport * from "./agent.mjs";\n`,
  );
  const finished = await rondo(["tools", "-a", join(on.folder, "rejects.mjs")], { cwd: on.folder });
  expect(finished.stdout).toMatch(/^strange$/m);
  expect(finished.stderr).toBe("rondo: a promise was rejected and not awaited (rejects.mjs:1): no\n");
  expect(finished.code).toBe(0);
});
