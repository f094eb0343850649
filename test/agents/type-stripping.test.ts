import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-agent-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("an agent runs as a .ts file under Node's own type stripping", async () => {
  const file = join(folder, "agent.ts");
  await writeFile(
    file,
    `import { Agent, createRuntime } from ${JSON.stringify(join(root, "src/core.ts"))};
import { scripted } from ${JSON.stringify(join(root, "src/testing/index.ts"))};

class Counting extends Agent {
  static override readonly defaults = { system: "Count." };
  #count: number = 0;
  add = this.method(
    { description: "Add.", input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
    ({ n }): number => (this.#count += n as number),
  );
  count = this.method({ description: "Count." }, () => this.runtime.exec("count", { tools: [this.add] }));
}

const model = scripted([{ calls: [{ name: "add", arguments: { n: 2 } }] }, "two"]);
const agent = new Counting({ runtime: createRuntime({ model }) });
const text: string = await agent.count();
console.log(JSON.stringify({ text, total: await agent.add({ n: 1 }), system: model.requests[0]?.system }));
`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", file], { timeout: 25_000 });
  expect(JSON.parse(stdout)).toEqual({ text: "two", total: 3, system: "Count." });
});
