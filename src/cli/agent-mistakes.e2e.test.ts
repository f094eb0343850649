import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rondo } from "./command.fixture.ts";
import { stage } from "./e2e.fixture.ts";
import { install } from "./installed.fixture.ts";

const on = stage();

// Built, the command starts faster than from its sources.
let bin = "";
beforeAll(async () => {
  bin = await install(join(on.folder, "installed"));
}, 240_000);

/** Runs the command, in the folder, with an agent's file that holds this. */
async function tried(name: string, text: string, options: { readonly input?: null } = {}) {
  await mkdir(dirname(join(on.folder, name)), { recursive: true });
  await writeFile(join(on.folder, name), text);
  const finished = await rondo(["run", "-a", name, "hi", "--model", "offline"], { bin, cwd: on.folder, ...options });
  expect(finished.stderr).not.toMatch(/\n\s+at /);
  return finished;
}

const imports = 'import { Agent, method, tool } from "rondo";\n';

describe("a file that does not load: one line with the place, exit 1", () => {
  test.each<[what: string, text: string, said: string]>([
    ["TypeScript that is none", "const a: number = 1;\nexport const b = {;\n", ":2: Unexpected token `;`"],
    [
      "enum",
      "\nenum Color { Red }\n",
      ":2: TypeScript enum is not supported in strip-only mode; Node only strips types",
    ],
    ["a decorator", "function d() {}\nexport class A { @d x: number = 1 }\n", ":2: Invalid or unexpected token"],
    [
      "two of one name",
      "export const a: number = 1;\n\nexport const a: number = 2;\n",
      ":3: Identifier 'a' has already",
    ],
    [
      "a package that is not there",
      'const a = 1;\nimport { z } from "no-such-zod/mini";\n',
      ":2: the package no-such-zod is not installed here; npm install no-such-zod",
    ],
    ["a file that is not there", '\nimport "./nothere.ts";\n', ":2: there is no file nothere.ts"],
    [
      "an import without its ending",
      'import { x } from "./part";\n',
      ':1: there is no file part; did you mean "./part.ts"?',
    ],
    [
      "an export that is not there",
      'import {\n  nope,\n} from "./part.ts";\n',
      ":2: The requested module './part.ts' does not provide an export named 'nope'",
    ],
    [
      "a wrong name of ours",
      'import { Agnet } from "rondo";\n',
      ":1: The requested module 'rondo' does not provide an export named 'Agnet'",
    ],
    ["a subpath that we do not have", 'import "rondo/nosuch";\n', ":1: Package subpath './nosuch' is not defined"],
    [
      "a throw",
      'import { readFileSync } from "node:fs";\nfunction read(): void {\n  readFileSync("/no/such");\n}\nread();\n',
      ":3: ENOENT",
    ],
    ["a throw of text", 'throw "up";\n', ': threw "up"'],
    ["an error of its own kind", "\nnull.x;\n", ":2: TypeError: Cannot read"],
    ["ending the process", "process.exit(0);\n", " ended the process while it was loaded"],
    ["a getter that throws", '\nexport const a = { get spec() { throw new Error("up") }, execute() {} };\n', ":2: up"],
    ["waiting for nothing", "await new Promise(() => {});\n", ": it awaits something that never comes"],
    [
      "a method without a name",
      `${imports}export const m = method({}, () => 1);\n`,
      ":2: A method outside of an agent needs a name",
    ],
    [
      "a method in a private field",
      `${imports}export class A extends Agent {\n  #m = this.method({}, () => 1);\n  n = this.method({}, () => this.#m);\n  o = [this.#m];\n  p = this.#m.spec;\n}\n`,
      ":6: A method of A has no name",
    ],
    [
      "a method with two names",
      `${imports}export class A extends Agent {\n  m = this.method({}, () => 1);\n  n = this.m;\n}\n`,
      ":3: A method of A has no name: several fields hold it: m, n",
    ],
    [
      "a schema of a method that is none",
      `${imports}export class A extends Agent {\n  m = this.method({ input: 5 as never }, () => 1);\n}\n`,
      ":3: The input schema cannot be used",
    ],
    [
      "a schema of a tool that is none",
      `${imports}\nexport const t = tool({ name: "t", input: { type: "nosuch" }, execute: () => 1 });\n`,
      ':3: the export t ("t"): The input schema cannot be used',
    ],
    [
      "a constructor that throws",
      `${imports}export class A extends Agent {\n  constructor() {\n    super();\n    throw new Error("no");\n  }\n}\n`,
      ":5: no",
    ],
    [
      "options that do not exist",
      `${imports}export class A extends Agent {\n  static override readonly defaults = { sytem: "x" } as object;\n}\n`,
      ':2: There is no option "sytem"',
    ],
    [
      "two tools of one name",
      `${imports}export const t = tool({ name: "x", execute: () => 1 });\nexport class A extends Agent {\n  x = this.method({}, () => 1);\n}\n`,
      ':2: A.x (line 4) and the export t are both named "x"',
    ],
    [
      "the name of a built-in tool",
      `${imports}export const t = tool({ name: "grep", execute: () => 1 });\n`,
      ':2: the built-in tool grep and the export t are both named "grep"',
    ],
  ])("%s", async (_, text, said) => {
    await writeFile(join(on.folder, "part.ts"), "export const x: number = 1;\nexport type Y = number;\n");
    const { code, stdout, stderr } = await tried("bad.ts", text);
    expect(stderr.startsWith(`rondo: bad.ts${said}`), stderr).toBe(true);
    expect(stderr.split("\n")).toHaveLength(2);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("a mistake in a file that it imports is told with that file", async () => {
    await writeFile(join(on.folder, "part.js"), "const a = 1;\nexport const b = {;\n");
    const { stderr } = await tried("whole.ts", 'import "./part.js";\n');
    expect(stderr).toBe("rondo: part.js:2: Unexpected token ';'\n");
  });

  test("in a package of CommonJS it says what to write", async () => {
    await mkdir(join(on.folder, "common"), { recursive: true });
    await writeFile(join(on.folder, "common", "package.json"), '{ "type": "commonjs" }');
    const { stderr } = await tried("common/agent.ts", imports);
    expect(stderr).toMatch(/^rondo: common\/agent\.ts:1: Cannot use import .* write "type": "module" there.*\.mts\n$/);
  });

  test("a package without a type is no reason to say anything", async () => {
    await mkdir(join(on.folder, "untyped"), { recursive: true });
    await writeFile(join(on.folder, "untyped", "package.json"), "{}");
    const { stderr } = await tried(
      "untyped/agent.ts",
      `${imports}export const t = tool({ name: "t", execute: () => 1 });`,
    );
    expect(stderr).toMatch(/^model: offline/);
  });

  test("it is told before the prompt is waited for", async () => {
    expect(await tried("bad.ts", 'throw "up";\n', { input: null })).toMatchObject({ code: 1 });
  });
});

describe("a file that cannot be meant, exit 2", () => {
  test.each([
    ["nothere.ts", "--agent: there is no file "],
    ["src", "is a folder; name the file in it"],
    ["src/notes.txt", "is none of .ts, .mts, .js, .mjs"],
  ])("%s", async (path, said) => {
    const { code, stderr } = await rondo(["run", "-a", path, "hi", "--model", "offline"], { bin, cwd: on.folder });
    expect(stderr).toContain(said);
    expect(code).toBe(2);
  });

  test("TypeScript under node_modules", async () => {
    const { code, stderr } = await tried("node_modules/p/agent.ts", "export {};\n");
    expect(stderr).toContain("Node runs no TypeScript under node_modules");
    expect(code).toBe(2);
  });

  test.each([
    ["export {};\n", "exports nothing. Export a class that extends Agent"],
    [
      `${imports}export { Agent };\nexport const n = 1, f = () => 1, t = { name: "t", execute: f };\nexport class A {}\nexport default [];\n`,
      "exports nothing that can be offered, only A (a class that does not extend Agent), Agent (the class Agent itself), default (an array), f (a function), n (a number), t (an object; wrap it in tool({ … })). Export a class",
    ],
  ])("%j", async (text, said) => {
    const { code, stderr } = await tried("useless.ts", text);
    expect(stderr).toContain(`rondo: --agent: useless.ts ${said}`);
    expect(code).toBe(2);
  });
});
