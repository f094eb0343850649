import { describe, expect, test } from "vitest";
import { createRuntime, type ModelRequest, method, type ToolOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, picks } from "../loop/play.fixture.ts";

const made = (name: string, options: ToolOptions = {}) => tool({ name, ...options, execute: () => `ran ${name}` });
const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);

describe("what is disabled in another spelling", () => {
  const names = ["write_file", "read_file"];
  test("is so in nested runs of other runtimes, in decisions there, and behind the end of the run", async () => {
    const inner = scripted([picks("write_file"), "inner", "behind"]);
    const other = createRuntime({ model: inner, tools: names.map((name) => made(name)) });
    const gate = Promise.withResolvers<void>();
    let behind: Promise<unknown> | undefined;
    const pay = method({ name: "pay_now" }, () => "PAID");
    const said: unknown[] = [];
    const nest = tool({
      name: "nest",
      execute: async () => {
        behind = gate.promise.then(() => other.exec("later", { toolset: "full" }));
        said.push(answers((await other.run("in", { toolset: "full" }).result).messages));
        said.push(await other.exec("in", { choices: { pay } }).catch(String));
      },
    });
    const toolsDisabled = ["writeFile", "Pay-Now"];
    await createRuntime({ model: scripted([picks("nest"), "done"]), tools: [nest], toolsDisabled }).exec("go");
    gate.resolve();
    await behind;
    expect(said).toEqual([
      ['! Tool "write_file" is not available in this run: the user has disabled it. No work was done.'],
      expect.stringContaining("the user has disabled it"),
    ]);
    expect(inner.requests.map(namesOf)).toEqual(Array(3).fill(["read_file"]));
  });
  test("keeps tool_search away too: then nothing waits", async () => {
    const runtime = createRuntime({
      model: scripted([]),
      tools: [made("a", { defer: true })],
      toolsDisabled: ["toolSearch"],
    });
    expect(runtime.explainTools().map(({ name, status }) => [name, status])).toEqual([["a", "offered"]]);
  });
});
