import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Agent, createRuntime, type ExecOptions, readFile, tool } from "../../src/index.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, picks } from "../loop/play.fixture.ts";

/** Two folders with a file `f.txt` that says which it is. */
function folders() {
  const top = mkdtempSync(join(tmpdir(), "rondo-workspace-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const make = (name: string) => {
    const path = join(top, name);
    mkdirSync(path);
    writeFileSync(join(path, "f.txt"), name);
    return path;
  };
  return { outer: make("outer"), inner: make("inner") };
}

const where = tool({ name: "where", execute: (_args, ctx) => ctx.runtime.workspace });
const reading = call("read_file", { path: "f.txt" });

/** What the tools of a nested run through another runtime say, by the options of that run. */
async function nested(inner: ExecOptions, outer: ExecOptions = {}, script = [picks(reading), "in"]) {
  const paths = folders();
  const model = scripted([picks("go"), ...script, "out"]);
  const foreign = createRuntime({ workspace: paths.inner });
  class Nesting extends Agent {
    go = this.method({}, async () => answers((await this.runtime.run("in", inner).result).messages).join());
  }
  const agent = new Nesting({ runtime: foreign, model });
  const runtime = createRuntime({ model, workspace: paths.outer, tools: [agent.go] });
  const { messages } = await runtime.run("go", outer).result;
  const said = answers(messages);
  return { said, paths };
}

test("what is inherited reads the workspace of the runtime whose menu it is", async () => {
  for (const outer of [{}, { toolset: "full" }, { tools: ["read_file", tool.named("go")] }] as const) {
    expect((await nested({}, outer)).said).toEqual(["outer"]);
  }
});

test("what the inner run names or brings itself reads that of its own runtime", async () => {
  for (const inner of [{ tools: ["read_file"] }, { tools: [readFile] }, { toolset: "full" }] as const) {
    expect((await nested(inner)).said).toEqual(["inner"]);
  }
});

test.each([
  ["both, elsewhere", { allowSecrets: true, allowUnsafePaths: true }, "inner"],
  ["secret files of the same folder", { allowSecrets: true }, "outer"],
  ["trusted files of the same folder", { allowUnsafePaths: true }, "outer"],
] as const)("neither does another runtime open to what is inherited: %s", async (_, lax, where) => {
  const paths = folders();
  writeFileSync(join(paths.outer, ".env"), "KEY=1");
  const secret = call("read_file", { path: ".env" });
  const trusted = call("write_file", { path: ".bashrc", content: "x" });
  const model = scripted([picks("go"), picks(secret, trusted), "in", "out"]);
  class Nesting extends Agent {
    go = this.method({}, async () => answers((await this.runtime.run("in").result).messages).join("\n"));
  }
  const agent = new Nesting({ runtime: createRuntime({ workspace: paths[where], ...lax }), model });
  const { messages } = await createRuntime({ model, workspace: paths.outer, tools: [agent.go] }).run("go").result;
  const [said] = answers(messages);
  expect(existsSync(join(paths.outer, ".bashrc"))).toBe(false);
  expect(said).toMatch(/"\.env" is not read.*"\.bashrc" is not written/s);
});

test("its context says so to tools of any kind", async () => {
  const script = [picks("where"), "in"];
  const { said, paths } = await nested({}, { tools: [tool.named("go"), where] }, script);
  expect(said).toEqual([paths.outer]);
  const own = await nested({ tools: [where] }, {}, script);
  expect(own.said).toEqual([own.paths.inner]);
});

test("what is picked as a decision was brought by the inner run", async () => {
  const paths = folders();
  const model = scripted([picks("go"), '{"call":"where"}', "out"]);
  const foreign = createRuntime({ workspace: paths.inner });
  const go = tool({ name: "go", execute: () => foreign.exec("in", { choices: { where } }) });
  const { messages } = await createRuntime({ model, workspace: paths.outer }).run("go", { tools: [go] }).result;
  expect(answers(messages)).toEqual([paths.inner]);
});

test("stays the same on a second level, whichever runtime that goes through", async () => {
  const paths = folders();
  const model = scripted([picks("first"), picks("second"), picks(reading), "innermost", "in", "out"]);
  const said: unknown[] = [];
  const foreign = createRuntime({ model, workspace: paths.inner });
  const third = createRuntime({ model, workspace: paths.inner });
  const first = tool({ name: "first", execute: () => foreign.exec("in") });
  const second = tool({
    name: "second",
    execute: async () => said.push(...answers((await third.run("innermost").result).messages)),
  });
  await createRuntime({ model, workspace: paths.outer }).exec("go", { tools: ["read_file", first, second] });
  expect(said).toEqual(["outer"]);
});
