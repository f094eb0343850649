import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const source = join(import.meta.dirname, "..");
let folder: string;

/** A copy of the sources where no package is installed but the one that comes with Rondo itself. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-bare-"));
  for (const part of ["error.ts", "message", "model"]) {
    await cp(join(source, part), join(folder, "src", part), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  }
  const own = "node_modules/@cfworker/json-schema";
  await cp(join(source, "..", own), join(folder, own), { recursive: true });
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(
    join(folder, "try.ts"),
    `import { resolveModel } from "./src/model/resolve.ts";
    try {
      const model = resolveModel(process.argv[2] ?? "", { apiKey: "k" });
      console.log("resolved");
      for await (const _ of model.stream({ messages: [], tools: [], toolChoice: "auto" }, new AbortController().signal));
    } catch (error) {
      console.log(error.code + ": " + error.message);
    }`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lines = async (spec: string) => {
  const { stdout } = await run(process.execPath, ["try.ts", spec], { cwd: folder });
  return stdout.trim().split("\n");
};

test.each([
  ["anthropic/x", "@ai-sdk/anthropic"],
  ["http://127.0.0.1:1/v1#x", "@ai-sdk/openai-compatible"],
])("%s without its package says at once what to install", async (spec, name) => {
  expect(await lines(spec)).toEqual([`missing_package: Model "${spec}" needs a package: npm install ${name}`]);
});

test("a package that cannot be loaded is told when the model is first asked", async () => {
  const broken = join(folder, "node_modules", "@ai-sdk", "google");
  await mkdir(broken, { recursive: true });
  await writeFile(join(broken, "package.json"), '{"name":"@ai-sdk/google","type":"module","exports":"./index.js"}');
  await writeFile(join(broken, "index.js"), 'import "a-peer-that-is-missing";');
  const said = 'missing_package: Model "google/x" needs a package: npm install @ai-sdk/google';
  expect(await lines("google/x")).toEqual(["resolved", said]);
});
