import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import {
  Agent,
  type AgentEvent,
  type ApprovalRequest,
  createRuntime,
  type RuntimeOptions,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, picks } from "../loop/play.fixture.ts";

/** A tool that says nothing of approvals, and one that is asked about all the same. */
function tools() {
  const ran: string[] = [];
  const make = (name: string) => tool({ name, execute: () => ran.push(name) });
  return { ran, save: make("save"), look: make("look") };
}

/** An approver that remembers whom it was asked about. */
function approver(answer = true) {
  const asked: string[] = [];
  return { asked, approve: ({ call }: ApprovalRequest) => asked.push(call.name) > 0 && answer };
}

test("calls of the tools that a runtime names need approval, whatever the tools say", async () => {
  const { ran, save, look } = tools();
  const { asked, approve } = approver();
  const model = scripted([picks("save", "look"), "done"]);
  await createRuntime({ model, approve, requiresApproval: ["save"] }).exec("go", { tools: [save, look] });
  expect(asked).toEqual(["save"]);
  expect(ran).toEqual(["save", "look"]);
});

test("without an approver they are denied, and a no is a no", async () => {
  for (const options of [{}, { approve: () => false }] satisfies RuntimeOptions[]) {
    const { ran, save } = tools();
    const model = scripted([picks("save"), "done"]);
    const runtime = createRuntime({ model, ...options, requiresApproval: ["save"] });
    const { messages } = await runtime.run("go", { tools: [save] }).result;
    expect(answers(messages)).toEqual([expect.stringContaining("Denied")]);
    expect(ran).toEqual([]);
  }
});

test("nested runs are bound too, through any runtime, and their own names add up", async () => {
  const { ran, save, look } = tools();
  const { asked, approve } = approver();
  const model = scripted([picks("go"), picks("save", "look"), "in", "out"]);
  const other = createRuntime({ model, requiresApproval: ["look"] });
  class Nesting extends Agent {
    go = this.method({}, () => this.runtime.exec("in", { tools: [save, look] }));
  }
  const outer = createRuntime({ model, approve, requiresApproval: ["save"] });
  await outer.exec("go", { tools: [new Nesting({ runtime: other }).go] });
  expect(asked).toEqual(["save", "look"]);
  expect(ran).toEqual(["save", "look"]);
});

test("a function that is picked as the decision is asked about by its own name", async () => {
  const { ran, save } = tools();
  const { asked, approve } = approver();
  const model = scripted(['{"call":"keep"}']);
  const runtime = createRuntime({ model, approve, requiresApproval: ["save"] });
  await runtime.exec("go", { choices: { keep: save, no: "NO" } });
  expect(asked).toEqual(["save"]);
  expect(ran).toEqual(["save"]);
});

test("an option is asked about by its own name too", async () => {
  const { ran, save } = tools();
  const { asked, approve } = approver(false);
  const model = scripted(['{"call":"keep"}', '{"call":"no"}']);
  const runtime = createRuntime({ model, approve, requiresApproval: ["keep"] });
  expect(await runtime.exec("go", { choices: { keep: save, no: "NO" } })).toBe("NO");
  expect([asked, ran]).toEqual([["save"], []]);
});

test("the approver is given the tool itself and the runtime that it will work with", async () => {
  const { save } = tools();
  const seen: unknown[] = [];
  const approve = ({ tool: asked, runtime }: ApprovalRequest) => seen.push(asked === save, runtime.workspace) > 0;
  const model = scripted([picks("go"), picks("save"), "in", picks("save"), "again", "out"]);
  const elsewhere = createRuntime({ model, workspace: tmpdir() });
  class Nesting extends Agent {
    go = this.method({}, async () => {
      await this.runtime.exec("inherits");
      return this.runtime.exec("brings", { tools: [save] });
    });
  }
  const agent = new Nesting({ runtime: elsewhere });
  const outer = createRuntime({ model, approve, requiresApproval: ["save"], workspace: "/" });
  await outer.exec("go", { tools: [agent.go, save] });
  expect(seen).toEqual([true, "/", true, tmpdir()]);
});

test("the same tools in a runtime that names none are not asked about", async () => {
  const { ran, save } = tools();
  const model = scripted([picks("save"), "a", picks("save"), "b"]);
  const { asked, approve } = approver();
  const list = [save];
  await createRuntime({ model, approve, requiresApproval: ["save"] }).exec("go", { tools: list });
  await createRuntime({ model, approve }).exec("go", { tools: list });
  expect(asked).toEqual(["save"]);
  expect(ran).toEqual(["save", "save"]);
});

/** What the readers of a run are warned of. */
async function warningsOf(run: AsyncIterable<AgentEvent>): Promise<string[]> {
  const warnings: string[] = [];
  for await (const event of run) if (event.type === "warning") warnings.push(event.message);
  return warnings;
}

test("a name that no tool has gives a warning with the nearest, and gates nothing", async () => {
  const { ran, save } = tools();
  const model = scripted([picks("save"), "fine"]);
  const run = createRuntime({ model, requiresApproval: ["sav"] }).run("go", { tools: [save] });
  expect(await warningsOf(run)).toEqual(['requiresApproval: there is no tool named "sav". Did you mean "save"?']);
  expect(ran).toEqual(["save"]);
});

test.each(["Write-File", "writeFile", "WRITE_FILE", "write.file", "write file"])(
  "%j is write_file: it is asked about, and a warning says how to write it",
  async (name) => {
    const { asked, approve } = approver(false);
    const ran: string[] = [];
    const write = tool({ name: "write_file", execute: () => ran.push("write") });
    const writes = tool({ name: "write_files", execute: () => ran.push("writes") });
    const model = scripted([picks("write_file", "write_files"), "fine"]);
    const run = createRuntime({ model, approve, requiresApproval: [name] }).run("go", { tools: [write, writes] });
    expect(await warningsOf(run)).toEqual([
      `requiresApproval: there is no tool named "${name}", so it was taken for "write_file", whose calls need approval. Write "write_file".`,
    ]);
    expect([asked, ran]).toEqual([["write_file"], ["writes"]]);
  },
);

test("so is one that is picked as the decision, by its own name and by that of its option", async () => {
  for (const name of ["KEEP-it", "Save"]) {
    const { ran, save } = tools();
    const { asked, approve } = approver(false);
    const model = scripted(['{"call":"keep_it"}', '{"call":"no"}']);
    const runtime = createRuntime({ model, approve, requiresApproval: [name] });
    expect(await runtime.exec("go", { choices: { keep_it: save, no: "NO" } })).toBe("NO");
    expect([asked, ran]).toEqual([["save"], []]);
  }
});

test("names without letters are only themselves", async () => {
  const { asked, approve } = approver(false);
  const ran: string[] = [];
  const [one, two] = ["_", "-"].map((name) => tool({ name, execute: () => ran.push(name) }));
  const model = scripted([picks("_", "-"), "fine"]);
  await createRuntime({ model, approve, requiresApproval: ["_"] }).exec("go", { tools: [one!, two!] });
  expect([asked, ran]).toEqual([["_"], ["-"]]);
});

test("the lists of a runtime are its own: what becomes of the array that was given is no matter", async () => {
  const { ran, save, look } = tools();
  const { asked, approve } = approver(false);
  const requiresApproval = ["save"];
  const toolsDeny = ["look"];
  const toolsAllow = ["save"];
  const model = scripted([picks("save"), "one", picks("save"), "two"]);
  const runtime = createRuntime({ model, approve, requiresApproval, toolsDeny, toolsAllow });
  await runtime.exec("go", { tools: [save, look] });
  requiresApproval.length = 0;
  toolsDeny.length = 0;
  toolsAllow.push("look");
  await runtime.exec("go", { tools: [save, look] });
  expect([asked, ran]).toEqual([["save", "save"], []]);
  expect(model.requests.map((request) => request.tools.map(({ name }) => name))).toEqual(Array(4).fill(["save"]));
});
