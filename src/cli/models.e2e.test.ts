import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type FileServer, fileServer, ggufOf, sha256Of } from "../model/local/file-server.fixture.ts";
import { type CommandOptions, rondo } from "./command.fixture.ts";

// Each test starts Node, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const content = ggufOf(400_000);
const sha256 = sha256Of(content);
let home = "";
let server: FileServer;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "rondo-models-"));
});
afterAll(() => rm(home, { recursive: true }));
beforeEach(async () => {
  server = await fileServer(content);
});
afterEach(() => server.close());

const models = (args: readonly string[], options: CommandOptions = {}) =>
  rondo(["models", ...args], { cwd: home, env: { XDG_DATA_HOME: home }, ...options });

test("a model is added with plain lines of progress, listed, and removed", async () => {
  expect(await models([])).toMatchObject({ code: 0, stdout: expect.stringContaining("No local models") });
  const url = `${server.url.replace("//", "//ann:s3cret-word@")}/small.gguf?token=t0ken-value`;
  const added = await models(["add", url, "--sha256", sha256]);
  expect(added).toMatchObject({ code: 0, stdout: "added small: rondo run --model local/small …\n" });
  expect(added.stderr).toMatch(/^(\d+0? % of 400 kB\n)*100 % of 400 kB\n$/);
  expect(added.stderr + (await readFile(join(home, "rondo/models/index.json"), "utf8"))).not.toMatch(/s3cret|t0ken/);

  const path = join(home, "rondo/models/small.gguf");
  expect(await models(["list"])).toMatchObject({ code: 0, stdout: `small  400 kB  Q4_K_M  ${path}\n`, stderr: "" });
  expect(await models(["remove", "smal"])).toMatchObject({ code: 2, stderr: expect.stringContaining('mean "small"?') });
  expect(await models(["remove", "small"])).toMatchObject({ code: 0, stdout: "removed small\n" });
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("Ctrl-C keeps what came, and the next add goes on behind it", async () => {
  server.stallAfter = 200_000;
  const args = ["add", `${server.url}/big.gguf`, "--sha256", sha256];
  let isKilled = false;
  const onStderr: CommandOptions["onStderr"] = (text, child) => {
    // A second one would end it at once.
    if (!isKilled && /^[1-9]/m.test(text)) isKilled = child.kill("SIGINT");
  };
  const interrupted = await models(args, { onStderr });
  expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringContaining("kept: add it again to go on") });
  const { size } = await stat(join(home, "rondo/models/big.gguf.part"));
  expect(size).toBeGreaterThan(0);
  server.stallAfter = undefined;
  expect(await models(args)).toMatchObject({ code: 0 });
  expect(server.received.at(-1)?.headers.range).toBe(`bytes=${size}-`);
});

test("a file is used where it is; without the package, run says what to install", async () => {
  await writeFile(join(home, "mine.gguf"), content);
  expect(await models(["add", "mine.gguf"])).toMatchObject({ code: 0 });
  const run = (model: string) => rondo(["run", "hi", "--model", model], { cwd: home, env: { XDG_DATA_HOME: home } });
  expect((await run("local/mine")).stderr).toContain("npm install node-llama-cpp");
  expect(await run("local/mina")).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "mine"?') });
  expect(await models(["remove", "mine"])).toMatchObject({ stdout: "removed mine; its file stays where it is\n" });
});

test.each([
  [["frob"], 2, 'rondo models: "frob" is not one of list, add, remove'],
  [["add"], 2, "rondo models add: give a URL or a path"],
  [["add", "a", "b"], 2, 'one at a time; "b" is too much'],
  [["add", "https://example.test/x.gguf"], 2, "a download needs its checksum"],
  [["add", "none.gguf"], 2, "there is no file"],
  [["add", "none.gguf", "--no-checksum", "--sha256", "x"], 2, "not both"],
  [["add", "http://127.0.0.1:1/x.gguf", "--no-checksum"], 1, "cannot be reached"],
  [["list", "--model", "x"], 2, "unknown option --model; see rondo models --help"],
])("%j: one line, exit %d", async (args, code, message) => {
  const { stderr, ...rest } = await models(args);
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(message)]);
  expect(rest).toMatchObject({ code, stdout: "" });
});

test("models --help", async () => {
  const { stdout, code } = await models(["--help"]);
  for (const word of ["--sha256 <digits>", "node-llama-cpp", "XDG_DATA_HOME"]) expect(stdout).toContain(word);
  expect(stdout).not.toMatch(/default: true| $/m);
  expect(code).toBe(0);
});
