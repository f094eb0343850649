import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Received, Reply } from "../chat-server.fixture.ts";
import { bin, rondo } from "../command.fixture.ts";
import { stage } from "../e2e.fixture.ts";
import { hasPty, runInPty } from "../pty.fixture.ts";
import { makeHome } from "./config.fixture.ts";

const on = stage();
const answers = (): Reply => ({ text: "done" });

/** A module with a tool, which leaves a file when it is loaded. */
const moduleOf = (marker: string, name = "hello") => `
  import { writeFileSync } from "node:fs";
  import { tool } from "rondo";
  writeFileSync(${JSON.stringify(marker)}, "loaded");
  export const tools = [tool({ name: "${name}", description: "Says hello.", execute: () => "hello" })];`;

const toolsOf = ({ body }: Received) => body.tools?.map((one) => one.function.name) ?? [];

describe("what the files say", () => {
  test.each([
    [
      "project/rondo.config.json",
      '{"model": "offline",}',
      /rondo\.config\.json:1:21: this is not JSON: expected a key/,
    ],
    [
      "project/rondo.config.json",
      '{"approvals": {"allow": ["bash"]}}',
      /approvals\.allow is not for a project to say.*xdg\/rondo\/config\.json/,
    ],
    [
      "xdg/rondo/config.json",
      '{"disabledTool": []}',
      /config\.json:1:2: disabledTool is not known; did you mean "disabledTools"\?/,
    ],
  ])("a mistake in %s: exit code 2, one line, nothing is run", async (path, text, says) => {
    const { at, env, project, write } = makeHome({ [path]: text });
    const agent = write("agent.ts", moduleOf(at("loaded")));
    const { model, received } = await on.serve(answers);
    const { code, stdout, stderr } = await rondo(["run", "hi", "-a", agent, "--model", model, "--cwd", project], {
      env,
    });
    expect(existsSync(at("loaded"))).toBe(false);
    expect(stderr).toMatch(says);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, stdout, received.length]).toEqual([2, "", 0]);
  });

  test("tools are taken away by both, whatever the command line names; a flag picks another preset", async () => {
    const { env, project } = makeHome({
      "xdg/rondo/config.json": { disabledTools: ["grep"], toolset: "none" },
      "project/rondo.config.json": { disabledTools: ["glob"] },
    });
    const { model, received } = await on.serve(answers);
    const run = (...more: string[]) => rondo(["run", "hi", "--model", model, "--cwd", project, ...more], { env });
    await run();
    await run("--toolset", "full", "--deny", "list_dir");
    expect(toolsOf(received[0]!)).toEqual([]);
    expect(toolsOf(received[1]!)).toContain("read_file");
    for (const name of ["grep", "glob", "list_dir"]) expect(toolsOf(received[1]!)).not.toContain(name);
  });

  test("a project's own preset narrows where the user has chosen none, and not where the user has", async () => {
    const { env, project, write } = makeHome({
      "project/rondo.config.json": { toolset: "review", presets: { review: { tools: ["grep"] } } },
    });
    const { model, received } = await on.serve(answers);
    const run = () => rondo(["run", "hi", "--model", model, "--cwd", project], { env });
    await run();
    write("xdg/rondo/config.json", {
      toolset: "mine",
      presets: { mine: { tools: ["glob"] }, review: { tools: ["list_dir"] } },
    });
    expect((await run()).stderr).toContain("toolset is not used: your own file says mine");
    write("xdg/rondo/config.json", { presets: { review: { tools: ["list_dir"] } } });
    await run();
    expect(received.map(toolsOf)).toEqual([["grep"], ["glob"], ["list_dir"]]);
  });

  test("the model: --model, RONDO_MODEL, the project's, the user's", async () => {
    const [flag, variable, own] = await Promise.all([on.serve(answers), on.serve(answers), on.serve(answers)]);
    const { env, project, write } = makeHome({
      "xdg/rondo/config.json": { model: own.model },
      "project/rondo.config.json": { model: "offline" },
    });
    const lineOf = async (args: string[], more = {}) =>
      (await rondo(["run", "hi", "--cwd", project, ...args], { env: { ...env, ...more } })).stderr.split("\n")[0];
    expect(await lineOf(["--model", flag.model], { RONDO_MODEL: variable.model })).toContain("(--model)");
    expect(await lineOf([], { RONDO_MODEL: variable.model })).toContain("(RONDO_MODEL)");
    expect(await lineOf([])).toMatch(/^model: offline \(.*project\/rondo\.config\.json\)$/);
    write("project/rondo.config.json", {});
    expect(await lineOf([])).toMatch(/\(.*xdg\/rondo\/config\.json\)$/);
    expect([flag, variable, own].map(({ received }) => received.length)).toEqual([1, 1, 1]);
  });

  test("of a module that cannot be loaded only the tools are missing, with one line that says why", async () => {
    const { at, env, project, write } = makeHome({
      "xdg/rondo/config.json": { modules: ["throws.ts", "none.ts", "empty.ts", "twin.ts", "good.ts", "good2.ts"] },
      "xdg/rondo/throws.ts": 'throw new Error("no luck");',
      "xdg/rondo/empty.ts": "export const x = 1;",
      "xdg/rondo/twin.ts": moduleOf("/dev/null", "read_file"),
    });
    const { model, received } = await on.serve(answers);
    const good = moduleOf(at("loaded"));
    for (const name of ["good.ts", "good2.ts"]) write(`xdg/rondo/${name}`, good);
    const { code, stderr } = await rondo(["run", "hi", "--model", model, "--cwd", project], { env });
    const missing = stderr.split("\n").filter((line) => line.startsWith("! the tools of"));
    expect(missing).toEqual([
      expect.stringMatching(/throws\.ts are missing: .*no luck/),
      expect.stringMatching(/none\.ts are missing: there is no file/),
      expect.stringMatching(/empty\.ts are missing: .*exports nothing that can be offered/),
      expect.stringMatching(/twin\.ts are missing: .*"read_file"/),
      expect.stringMatching(/good2\.ts are missing: there is another tool of the name "hello"/),
    ]);
    expect(toolsOf(received[0]!)).toContain("hello");
    expect(code).toBe(0);
  });
});

describe("trust", () => {
  const project = () => {
    const home = makeHome({ "project/rondo.config.json": { modules: ["tools.ts"] } });
    home.write("project/tools.ts", moduleOf(home.at("loaded")));
    return home;
  };

  test("without a terminal nothing of the project is run, whatever the flags, and one line says so", async () => {
    const { at, env, project: folder } = project();
    const { model, received } = await on.serve(answers);
    for (const more of [[], ["--yes"], ["--yes", "--quiet", "--json"]]) {
      const { code, stderr } = await rondo(["run", "hi", "--model", model, "--cwd", folder, ...more], { env });
      expect(
        stderr.match(/is not trusted: its module will not be used; to trust it: rondo trust .*project\n/g),
      ).toHaveLength(1);
      expect(code).toBe(0);
    }
    expect(received.flatMap(toolsOf)).not.toContain("hello");
    expect([existsSync(at("loaded")), existsSync(at("xdg"))]).toEqual([false, false]);
  });

  test("rondo trust shows what would be run; with the digits it is trusted until something changes", async () => {
    const { at, env, project: folder, write } = project();
    const { model } = await on.serve(answers);
    const run = () => rondo(["run", "hi", "--model", model, "--cwd", folder], { env });
    const shown = await rondo(["trust", folder], { env });
    expect(shown.stdout).toContain(`runs      ${at("project/tools.ts")}`);
    expect(shown.code).toBe(2);
    const [digits = ""] = /[0-9a-f]{64}/.exec(shown.stderr) ?? [];
    const wrong = await rondo(["trust", folder, "--sha256", "0".repeat(64)], { env });
    expect([wrong.code, existsSync(at("xdg"))]).toEqual([2, false]);
    expect((await rondo(["trust", folder, "--sha256", digits], { env })).code).toBe(0);
    expect((await run()).stderr).not.toContain("not trusted");
    expect(existsSync(at("loaded"))).toBe(true);

    symlinkSync(folder, at("link"));
    expect((await rondo(["run", "hi", "--model", model, "--cwd", at("link")], { env })).stderr).not.toContain(
      "not trusted",
    );
    write("project/tools.ts", `${moduleOf(at("loaded again"))}\n`);
    expect((await run()).stderr).toContain("not trusted");
    expect(existsSync(at("loaded again"))).toBe(false);
  });

  test("--revoke takes it back", async () => {
    const { env, project: folder, userFile } = project();
    const { stderr } = await rondo(["trust", folder], { env });
    const [digits = ""] = /[0-9a-f]{64}/.exec(stderr) ?? [];
    await rondo(["trust", folder, "--sha256", digits], { env });
    expect(readFileSync(userFile, "utf8")).toContain(digits);
    await rondo(["trust", folder, "--revoke"], { env });
    expect(readFileSync(userFile, "utf8")).not.toContain(digits);
  });

  test.runIf(hasPty).each([
    ["y", true],
    ["", false],
    ["n", false],
    ["yess", false],
  ])("at a terminal it is asked once; %j", async (answer, yes) => {
    const { at, project: folder, userFile } = project();
    const { model } = await on.serve(answers);
    const command = `XDG_CONFIG_HOME='${at("xdg")}' '${process.execPath}' '${bin}' run hi --yes --model '${model}'`;
    let asked = 0;
    const { code, shown } = await runInPty(command, folder, (soFar, child) => {
      if (asked > 0 || !soFar.includes("[y/N]")) return;
      asked++;
      child.stdin?.write(`${answer}\n`);
    });
    expect(shown).toContain(`runs      ${at("project/tools.ts")}`);
    expect(shown.split("[y/N]")).toHaveLength(2);
    expect(existsSync(at("loaded"))).toBe(yes);
    expect(existsSync(userFile)).toBe(yes);
    expect(shown.includes("is not trusted")).toBe(!yes);
    expect(code).toBe(0);
    if (!yes) return;
    // Said once, it is not asked again.
    const again = await runInPty(command, folder, () => {});
    expect(again.shown).not.toContain("[y/N]");
  });

  test("a model that is an address gets nothing before it is trusted", async () => {
    const { model, received } = await on.serve(answers);
    const { env, project: folder } = makeHome({ "project/rondo.config.json": { model } });
    const run = async (more = {}) =>
      (await rondo(["run", "my secret", "--cwd", folder], { env: { ...env, ...more } })).stderr;
    expect(await run({ OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toContain(
      "its model will not be used",
    );
    // Nobody need be told of a model that would not be used anyway.
    expect(await run({ RONDO_MODEL: "offline" })).not.toContain("trust");
    expect(received).toEqual([]);
  });
});
