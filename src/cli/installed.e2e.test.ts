import { execFile } from "node:child_process";
import { cp, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rondo } from "./command.fixture.ts";
import { install } from "./installed.fixture.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 });

/** A project into which the package, as it is built, was installed; and one that has another version of it. */
let project = "";
let elsewhere = "";
let folder = "";
let bin = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "rondo-")));
  project = join(folder, "project");
  elsewhere = join(folder, "elsewhere");
  bin = await install(project);
  const other = join(elsewhere, "node_modules", "rondo");
  await cp(join(project, "node_modules"), join(elsewhere, "node_modules"), { recursive: true });
  const manifest = { name: "rondo", version: "9.9.9", type: "module", exports: { ".": "./dist/index.js" } };
  await writeFile(join(other, "package.json"), JSON.stringify(manifest));
});
afterAll(() => rm(folder, { recursive: true }));

/** The installed command on a file with this text in one of the projects. */
async function tried(where: string, text: string, ...options: string[]) {
  await writeFile(join(where, "agent.ts"), text);
  return rondo(["run", "-a", "agent.ts", "Ask the desk.", ...options], { bin, cwd: where });
}

const agent = (from: string) => `
import { Agent, exec } from "${from}";
import { scripted } from "rondo/testing";
const model = scripted([{ calls: [{ name: "ask" }] }, "from inside", "done"]);
export class Desk extends Agent {
  static override readonly defaults = { model };
  ask = this.method({}, (): Promise<string> => exec("Inside.", { tools: [] }));
}
`;

test.each(["rondo", "rondo/core"])("an agent that imports %s is one of the command's own copy", async (from) => {
  const { code, stdout, stderr } = await tried(project, agent(from));
  // It nests, has the model of the run around, and asks only what was scripted.
  expect(stderr).toMatch(/^model: scripted \(the agent's own\)\n→ ask \{\}\n {2}from inside\nstop · 2 rounds/);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "done\n" });
});

test("run_code finds its thread and its engine in the package as it is built", async () => {
  const text = `import { runCode } from "rondo/tools";
    console.log(await runCode.execute({ code: "console.log('in'); 6 * 7" }, { signal: new AbortController().signal }));`;
  await writeFile(join(project, "code.mjs"), text);
  const { stdout } = await promisify(execFile)(process.execPath, ["code.mjs"], { cwd: project, timeout: 30_000 });
  expect(stdout).toBe("in\n=> 42\n");
});

test("in a project with another version the command's own is used, and that is said", async () => {
  const { code, stderr } = await tried(elsewhere, agent("rondo"));
  expect(stderr).toMatch(
    /^! this is rondo \d\S+; the project of the agent has 9\.9\.9: npx rondo there runs that one\n/,
  );
  expect(stderr).toContain("\n→ ask {}\n  from inside\n");
  expect(code).toBe(0);
});

test.each([
  ["an agent", "export class Desk extends Agent {}"],
  ["a method", 'export const Desk = method({ name: "x" }, () => 1);'],
])("%s of another copy, imported by a path, is refused", async (_, text) => {
  const from = "./node_modules/rondo/dist/index.js";
  const { code, stderr } = await tried(elsewhere, `import { Agent, method } from "${from}";\n${text}\n`);
  expect(stderr).toMatch(/^rondo: agent\.ts:2: the export Desk is of another copy of rondo .* import it from "rondo"/);
  expect(code).toBe(1);
});

test("a tool of another copy is as good as any", async () => {
  const text = `import { tool } from "./node_modules/rondo/dist/index.js";
    export const ping = tool({ name: "ping", execute: () => "pong" });`;
  const { code, stderr } = await tried(elsewhere, text, "--model", "offline", "--tools", "ping");
  expect(stderr).toMatch(/^model: offline/);
  expect(code).toBe(0);
});
