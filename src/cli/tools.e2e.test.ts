import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import type { ToolExplanation } from "../menu/explain.ts";
import { rondo } from "./command.fixture.ts";

// Each test starts Node, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const root = mkdtempSync(join(tmpdir(), "rondo-tools-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const core = JSON.stringify(new URL("../core.ts", import.meta.url).href);

function file(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const own = file(
  "own.mjs",
  `import { tool } from ${core};
const make = (name, more) => tool({ name, description: "Does " + name + ".", ...more, execute: () => 1 });
export const tools = [
  make("mailer", { unsafeIn: ["mail"] }),
  make("needs_key", { requiresEnv: ["RONDO_TEST_NO_KEY"] }),
  make("late", { defer: true }),
  make("never", { availableIf: () => { throw new Error("no such program"); } }),
  make("\\u001b[31mred", { expose: false }),
];`,
);

test("lists what a run would have, with a line that counts", async () => {
  const { code, stdout, stderr } = await rondo(["tools"], { cwd: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^read_file +Reads a text file/m);
  expect(stdout).toMatch(/^\d+ offered \(about [\d,]+ tokens\)\n$/m);
});

test("--explain says of each tool which gate drops it and why", async () => {
  const args = ["tools", "--explain", "-a", own, "--source", "mail", "--deny", "grep"];
  const { code, stdout } = await rondo(args, { cwd: root });
  expect(code).toBe(0);
  const lines = stdout.split("\n").map((line) => line.replace(/ {2,}/g, "  "));
  expect(lines).toEqual(
    expect.arrayContaining([
      "read_file  offered",
      "tool_search  offered",
      "late  deferred  deferral: it asks for it (defer: true)",
      'mailer  dropped  source: it is not offered to requests from "mail"',
      "needs_key  dropped  availability: the environment variable RONDO_TEST_NO_KEY is not set",
      "never  dropped  registration: its availableIf threw: no such program",
      "grep  dropped  policy: it is denied by toolsDeny",
    ]),
  );
  expect(stdout).toContain("red");
  expect(stdout).not.toContain("\u001b");
  expect(lines.at(-2)).toMatch(/^\d+ offered \(about [\d,]+ tokens\), 1 deferred, found with tool_search, 5 dropped$/);
});

test("--json is one array, with everything", async () => {
  const { stdout } = await rondo(["tools", "--json", "--toolset", "safe"], { cwd: root });
  const tools = JSON.parse(stdout) as ToolExplanation[];
  expect(tools.find(({ name }) => name === "grep")).toMatchObject({ status: "offered", tokens: expect.any(Number) });
  expect(tools.find(({ name }) => name === "write_file")).toMatchObject({ status: "dropped", gate: "preset" });
});

test("the configuration counts: disabled tools, presets, toolset", async () => {
  const config = { disabledTools: ["grep"], presets: { mine: { tools: ["glob", "grep"] } }, toolset: "mine" };
  file("xdg/rondo/config.json", JSON.stringify(config));
  const env = { XDG_CONFIG_HOME: join(root, "xdg") };
  const { stdout } = await rondo(["tools", "--json"], { cwd: root, env });
  const status = Object.fromEntries((JSON.parse(stdout) as ToolExplanation[]).map((one) => [one.name, one]));
  expect(status.glob).toMatchObject({ status: "offered" });
  expect(status.grep).toMatchObject({ gate: "policy", reason: "the user has disabled it" });
  expect(status.read_file).toMatchObject({ gate: "preset", reason: 'the preset "mine" does not name it' });
});

test("what is disabled says where that stands", async () => {
  file("where/xdg/rondo/config.json", JSON.stringify({ disabledTools: ["grep"] }));
  const project = file("where/rondo.config.json", JSON.stringify({ disabledTools: ["grep", "readFile"] }));
  const env = { XDG_CONFIG_HOME: join(root, "where/xdg") };
  const { stdout } = await rondo(["tools", "--json"], { cwd: join(root, "where"), env });
  const why = Object.fromEntries((JSON.parse(stdout) as ToolExplanation[]).map((one) => [one.name, one]));
  expect(why.grep).toMatchObject({ gate: "policy", reason: "the user has disabled it" });
  expect(why.read_file).toMatchObject({ gate: "policy", reason: `${realpathSync(project)} has disabled it` });
});

test("a run takes presets too", async () => {
  const { code, stderr } = await rondo(["run", "-m", "offline", "--toolset", "safe", "list the files"], { cwd: root });
  expect({ code, stderr: /list_dir|glob/.test(stderr) }).toEqual({ code: 0, stderr: true });
});

test.each([
  [["--toolset", "saef"], 'there is no preset "saef". Did you mean "safe"?'],
  [["--tools", "nothing_here"], 'no tool named "nothing_here" is registered'],
  [["--tools", "glob", "--toolset", "safe"], "give --tools or --toolset, not both"],
  [["more"], 'rondo tools takes options only; "more" is too much'],
  [["--exlain"], "--explain"],
  [["--cwd", "/no/such/folder"], "/no/such/folder"],
  [["-a", "none.ts"], "there is no file"],
])("%j is a usage error", async (args, message) => {
  const { code, stdout, stderr } = await rondo(["tools", ...args], { cwd: root });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
});

test("lists the tools also where the model has no key, which a line tells; a model that is none is a mistake", async () => {
  const keyless = await rondo(["tools"], { cwd: root, env: { RONDO_MODEL: "anthropic/claude-sonnet-5" } });
  expect(keyless.code).toBe(0);
  expect(keyless.stdout).toMatch(/^read_file +Reads a text file/m);
  expect(keyless.stderr).toMatch(
    /^! Model "anthropic\/claude-sonnet-5" needs a key: .* context window is not known\.\n$/,
  );
  const none = await rondo(["tools", "--model", "nope/x"], { cwd: root });
  expect(none).toMatchObject({ code: 2, stdout: "" });
});
