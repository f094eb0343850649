import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { preloaded, rondo } from "./command.fixture.ts";

// Each test starts Node, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test("alone it shows its help", async () => {
  const { code, stdout, stderr } = await rondo([]);
  expect(stdout).toMatch(/^Usage:\n {2}\$ rondo <command>/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("run --help shows every option and the exit codes", async () => {
  const { code, stdout } = await rondo(["run", "--help"]);
  for (const word of ["-m, --model <name>", "--no-color", "RONDO_MODEL", "130", "Examples:"])
    expect(stdout).toContain(word);
  expect(stdout).not.toMatch(/default: true| $/m);
  expect(code).toBe(0);
});

test("--version", async () => {
  expect(await rondo(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^rondo \d+\.\d+\.\d+\n$/),
  });
});

test.each([
  [["run", "hi", "--frobnicate"], "rondo: unknown option --frobnicate; see rondo run --help"],
  [["run", "hi", "--modle", "offline"], "rondo: unknown option --modle; did you mean --model?"],
  [["wlak"], 'rondo: unknown command "wlak"'],
  [["run", "hi", "--timeout", "soon"], 'rondo: --timeout: "soon" is not a time'],
  [["run", "hi", "--max-iterations", "many"], 'rondo: --max-iterations: "many" is not a number'],
  [["run", "hi", "--at-limit", "halt"], 'rondo: --at-limit: "halt" is not one of close, stop'],
  [["run", "hi", "--cwd", "/no/such/folder"], "rondo: --cwd: there is no folder /no/such/folder"],
  [["run", "hi", "--cwd", fileURLToPath(import.meta.url)], "is not a folder"],
  [["run", "--model", "offline"], "rondo: no prompt; write rondo run"],
  [["run", "hi", "--model", "nosuch/model"], "Unknown model"],
  [["run", "hi", "--model", "offline", "--tools", "raed_file"], "read_file"],
  [["run", "hi", "--model", "offline", "--tool-choice", "nosuch"], "nosuch"],
])("%j: one line with a hint, exit 2", async (args, message) => {
  const { code, stdout, stderr } = await rondo(args, { cwd: tmpdir() });
  const lines = stderr.trimEnd().split("\n");
  const complaints = lines.filter((line) => !line.startsWith("model: "));
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("an old Node gets one line", async () => {
  const old = preloaded('Object.defineProperty(process.versions, "node", { value: "20.19.2" })');
  expect(await rondo(["run", "hi"], { env: old })).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: "rondo needs Node 22.18 or newer; this is Node 20.19.2\n",
  });
});
