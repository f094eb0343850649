import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Approvals, createRuntime, tool } from "../../src/core.ts";
import { type ScriptedCall, scripted } from "../../src/testing/index.ts";
import { call, picks } from "./play.fixture.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "folders-")));
const at = (path: string) => join(top, path);
for (const folder of ["around/project/secret", "other"]) mkdirSync(at(folder), { recursive: true });

/** An outer run in `around/project` that makes a call itself and then begins a run of a runtime in another folder, which makes one. */
async function inFolders(outside: ScriptedCall[], inside: ScriptedCall, folder: string, approvals: Approvals) {
  const log: string[] = [];
  const asked: (string | undefined)[] = [];
  const kept: string[] = [];
  const works = (name: string) =>
    tool({
      name,
      input: { type: "object" },
      execute: (args, { runtime }) => void log.push(`${runtime.workspace} ${JSON.stringify(args)}`),
    });
  const tools = [works("save"), works("bash")];
  const other = createRuntime({ workspace: at(folder), model: scripted([picks(inside), "inner"]), tools });
  const nest = tool({ name: "nest", readOnly: true, execute: () => other.exec("go", { toolset: "full" }) });
  const outer = createRuntime({
    workspace: at("around/project"),
    model: scripted([picks(...outside, "nest"), "done"]),
    tools: [...tools, nest],
    approvals: { ...approvals, onAlways: (rule) => void kept.push(rule) },
    approve: ({ rule }) => {
      asked.push(rule);
      return { approved: true, scope: approvals.onAlways ? "always" : "run" };
    },
  });
  onTestFinished(() => outer.unregister("nest"));
  await outer.exec("go");
  return { log, asked, kept };
}

const clean = call("bash", { command: "rm -rf build" });
const onAlways = () => {};

test.each([{}, { onAlways }])("a yes for a command is one for its folder alone", async (extra) => {
  const { asked, log, kept } = await inFolders([clean, clean], clean, "other", { mode: "ask", ...extra });
  expect(asked).toEqual(["bash(rm -rf build)", undefined]);
  expect(log.map((line) => line.split(" ")[0])).toEqual([at("around/project"), at("around/project"), at("other")]);
  expect(kept).toEqual("onAlways" in extra ? ["bash(rm -rf build)"] : []);
});

test("the rule for a file elsewhere names that file, not one of the same name in the folder that the rule is kept for", async () => {
  const { kept } = await inFolders([], call("save", { path: "a.md" }), "other", { mode: "ask", onAlways });
  expect(kept).toEqual([`save(${at("other/a.md")})`]);
});

test("a denial means the files of its own runtime, also in a run that works in a folder around it", async () => {
  const deny = ["save(secret/**)"];
  const within = await inFolders([], call("save", { path: "project/secret/key" }), "around", { mode: "all", deny });
  expect(within.log).toEqual([]);
  const same = await inFolders([], call("save", { path: "secret/key" }), "other", { mode: "all", deny });
  expect(same.log).toEqual([]);
});

test.each(["bash(rm -rf build)", "bash(rm *)", 'bash({"command":"rm -rf build"})'])(
  "a command that a rule lets run is one in the folder of the rule: %s",
  async (rule) => {
    const elsewhere = await inFolders([clean], clean, "other", { mode: "ask", allow: [rule] });
    expect(elsewhere.asked).toEqual([undefined]);
    const here = await inFolders([clean], clean, "around/project", { mode: "ask", allow: [rule] });
    expect(here.asked).toEqual([]);
    const all = await inFolders([clean], clean, "other", { mode: "ask", allow: ["bash"] });
    expect(all.asked).toEqual([]);
  },
);

test("what a rule lets run is in the folder of its own runtime", async () => {
  const allow = ["save(src/**)"];
  const { asked } = await inFolders([], call("save", { path: "src/a" }), "other", { mode: "ask", allow });
  expect(asked).toEqual([`save(${at("other/src/a")})`]);
});

test("and so is a command that a rule lets run; a rule without a pattern is one for every folder", async () => {
  const command = call("bash", { command: "npm test" });
  const one = await inFolders([command], command, "other", { mode: "ask", allow: ["bash(npm *)"] });
  expect(one.asked).toEqual([undefined]);
  expect(one.log).toHaveLength(2);
  const every = await inFolders([command], command, "other", { mode: "ask", allow: ["bash"] });
  expect(every.asked).toEqual([]);
});
