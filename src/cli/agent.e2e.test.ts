import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Received, Reply } from "./chat-server.fixture.ts";
import { rondo } from "./command.fixture.ts";
import { eventsIn, stage } from "./e2e.fixture.ts";

const on = stage();

/** Writes a file into the folder; gives its path. */
async function file(name: string, text: string): Promise<string> {
  const path = join(on.folder, name);
  await writeFile(path, text);
  return path;
}

const toolsOf = ({ body }: Received) => body.tools?.map((tool) => tool.function.name) ?? [];
const input = (name: string) => `{ type: "object", properties: { ${name}: { type: "string" } } }`;

/** A method that picks another one, and a tool beside them. */
const support = `
import { Agent, tool } from "rondo";

export class Support extends Agent {
  lookup = this.method({ description: "Look up an order.", input: ${input("id")} }, ({ id }): string => \`\${id} is sent\`);
  handle = this.method({ description: "Handle a ticket.", input: ${input("ticket")} }, ({ ticket }): Promise<string> =>
    this.runtime.exec(\`Handle \${ticket}\`, { tools: [this.lookup] }));
}
export const weather = tool({ name: "weather", execute: () => "sunny" });
console.log("loaded");
`;

/** The root picks handle, which picks lookup. */
const nested = (round: number): Reply =>
  [
    { calls: [{ name: "handle", arguments: { ticket: "a late parcel" } }] },
    { calls: [{ name: "lookup", arguments: { id: "12" } }] },
    { text: "It is on its way." },
    { text: "Handled." },
  ][round - 1] ?? { text: "?" };

describe("what a file exports is offered", () => {
  test("methods of a class and tools, beside the built-in ones; nested calls show, indented", async () => {
    const agent = await file("support.ts", support);
    const { model, received } = await on.serve(nested);
    const { code, stdout, stderr } = await rondo(["run", "-a", agent, "parcel?", "--model", model, "--cwd", on.folder]);
    expect(stdout).toBe("Handled.\n");
    expect(received.map(toolsOf)[0]).toEqual(expect.arrayContaining(["lookup", "handle", "weather", "read_file"]));
    expect(received.map(toolsOf)[1]).toEqual(["lookup"]);
    expect(stderr.split("\n").slice(0, 6)).toEqual([
      "loaded",
      `model: ${model} (--model)`,
      '→ handle {"ticket":"a late parcel"}',
      '  → lookup {"id":"12"}',
      "    12 is sent",
      "  It is on its way.",
    ]);
    expect(code).toBe(0);
  });

  test("--json: nested events carry their path, and nothing else is on standard output", async () => {
    const agent = await file("support.ts", support);
    const { model } = await on.serve(nested);
    const args = ["run", "--agent", agent, "parcel?", "--model", model, "--cwd", on.folder, "--json"];
    const events = eventsIn((await rondo(args)).stdout);
    const inside = events.filter(({ path }) => path !== "");
    expect(new Set(inside.map(({ path }) => path))).toEqual(new Set(["1/0/0"]));
    expect(inside.map(({ type }) => type)).toEqual(expect.arrayContaining(["agent_start", "tool_end", "agent_end"]));
    expect(events.at(-1)).toMatchObject({ type: "agent_end", path: "", text: "Handled." });
  });

  test.each([
    [
      ["--tools", "weather,grep"],
      ["weather", "grep"],
    ],
    [
      ["--deny", "handle,read_file,list_dir,glob,grep,write_file,edit_file"],
      ["lookup", "weather"],
    ],
    [["--toolset", "none"], []],
  ])("%j applies to them", async (options, names) => {
    const agent = await file("support.ts", support);
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    await rondo(["run", "-a", agent, "hi", "--model", model, "--cwd", on.folder, ...options]);
    expect(received.map(toolsOf)).toEqual([names]);
  });

  test("the file may be JavaScript, default and named exports, agents and methods of one, each once", async () => {
    const agent = await file(
      "several.mjs",
      `import { Agent, method } from "rondo/core";
       class Desk extends Agent { ask = this.method({}, () => "asked"); }
       const desk = new Desk();
       export class Shop extends Agent { buy = this.method({}, () => "bought"); }
       export const shop = new Shop();
       export const { ask } = desk;
       export const say = method({ name: "say" }, () => "said");
       export const version = 1;
       export default desk;`,
    );
    const { model, received } = await on.serve(() => ({ text: "hello" }));
    await rondo([
      "run",
      "-a",
      agent,
      "hi",
      "--model",
      model,
      "--cwd",
      on.folder,
      "--deny",
      "read_file,list_dir,glob,grep,write_file,edit_file",
    ]);
    expect(received.map((one) => toolsOf(one).sort())).toEqual([["ask", "buy", "say"]]);
  });
});

describe("the one agent of a file gives its defaults", () => {
  const kind = (model: string) => `
    import { Agent, createRuntime } from "rondo";
    export default class Kind extends Agent {
      static readonly defaults = { system: "Be kind.", maxIterations: 1, atLimit: "stop", ${model} };
      greet = this.method({}, () => "hello");
    }`;

  test("under the options of the command; the line says where the model is from", async () => {
    const { model, received } = await on.serve(() => ({ calls: [{ name: "greet", arguments: {} }] }));
    const agent = await file("kind.ts", kind(`model: ${JSON.stringify(model)}`));
    const env = { RONDO_MODEL: "offline" };
    const finished = await rondo(["run", "-a", agent, "hi", "--cwd", on.folder], { env });
    expect(finished.stderr).toContain(`model: ${model} (the agent's own)\n`);
    expect(finished.stderr).toMatch(/\nmax_iterations · 1 round · /);
    expect(finished.code).toBe(3);
    await rondo(["run", "-a", agent, "hi", "--cwd", on.folder, "--system", "Be brief.", "--max-iterations", "2"]);
    expect(received.map(({ body }) => body.messages[0]?.content)).toEqual(["Be kind.", "Be brief.", "Be brief."]);
  });

  test("--model is over the agent's, the agent's over RONDO_MODEL, which stands in where it has none", async () => {
    const agent = await file("kind.ts", kind('model: "nosuch/model"'));
    const bare = await file("bare.ts", kind(""));
    const args = ["hi", "--cwd", on.folder, "--toolset", "none"];
    const given = await rondo(["run", "-a", agent, ...args, "--model", "offline"]);
    expect(given.stderr).toMatch(/^model: offline \(--model\)\n/);
    const own = await rondo(["run", "-a", agent, ...args], { env: { RONDO_MODEL: "offline" } });
    expect(own.stderr).toMatch(/^model: nosuch\/model \(the agent's own\)\nrondo: Unknown model/);
    const none = await rondo(["run", "-a", bare, ...args], { env: { RONDO_MODEL: "offline" } });
    expect(none.stderr).toMatch(/^model: offline \(RONDO_MODEL\)\n/);
  });

  test("a runtime of its own counts too; approving stays with the command, also inside", async () => {
    const { model } = await on.serve((round) =>
      round % 2 === 1 ? { calls: [{ name: "pay", arguments: {} }] } : { text: "done" },
    );
    const agent = await file(
      "pay.ts",
      `import { Agent, createRuntime } from "rondo";
       class Till extends Agent { pay = this.method({ requiresApproval: true }, () => "paid"); }
       const runtime = createRuntime({ model: ${JSON.stringify(model)}, approve: () => true });
       export const till = new Till({ runtime });`,
    );
    const args = ["run", "-a", agent, "hi", "--cwd", on.folder];
    const asked = await rondo(args);
    expect(asked.stderr).toContain(`model: ${model} (the agent's own)\n`);
    expect(asked.stderr).toContain("nobody is there to approve it");
    expect((await rondo([...args, "--yes"])).stderr).toContain("\n  paid\n");
  });
});

test("Ctrl-C reaches nested runs and the processes of methods", async () => {
  const agent = await file(
    "slow.ts",
    `import { spawn } from "node:child_process";
     import { Agent } from "rondo";
     export class Slow extends Agent {
       wait = this.method({}, async (_, { signal }) => {
         const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { signal });
         child.on("error", () => console.error("child killed"));
         console.error("started");
         await new Promise((resolve) => child.on("close", resolve));
       });
       handle = this.method({}, (): Promise<string> => this.runtime.exec("Wait.", { tools: [this.wait] }));
     }`,
  );
  const names = ["handle", "wait"];
  const { model } = await on.serve((round) => ({ calls: [{ name: names[round - 1] ?? "?", arguments: {} }] }));
  let sent = false;
  const args = ["run", "-a", agent, "hi", "--model", model, "--cwd", on.folder, "--json"];
  const { code, stdout, stderr } = await rondo(args, {
    onStderr: (soFar, child) => {
      if (sent || !soFar.includes("started")) return;
      sent = child.kill("SIGINT");
    },
  });
  const ends = eventsIn(stdout).filter(({ type }) => type === "agent_end");
  expect(ends).toMatchObject([
    { path: "1/0/0", outcome: "aborted" },
    { path: "", outcome: "aborted" },
  ]);
  expect(stderr).toContain("child killed");
  expect(code).toBe(130);
});

test.each([
  [
    "export const a: number = 1;\nexport const a: number = 2;\n",
    /^rondo: .*\bbad\.ts:2: Identifier 'a' has already .*\n$/,
  ],
  [
    'import { method } from "rondo";\nmethod({ input: 5 as never }, () => 1);\n',
    /^rondo: .*\bbad\.ts:2: The input schema .*\n$/,
  ],
  ['import { Agnet } from "rondo";\n', /^rondo: .*\bbad\.ts:1: .* does not provide an export named 'Agnet'.*\n$/],
])("mistakes are told with their place, from the sources as well: %j", async (text, said) => {
  const { code, stderr } = await rondo(["run", "-a", await file("bad.ts", text), "hi"]);
  expect(stderr).toMatch(said);
  expect(code).toBe(1);
});
