import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(root, "node_modules/.recursion-types-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const classes = {
  documented: `
    solve = this.method({}, () => this.runtime.exec("x", { tools: [this.named("solve")] }));
    typed = this.method({}, (): Promise<string> => this.runtime.exec("x", { tools: [this.typed] }));
    even = this.method({}, () => this.runtime.exec("x", { tools: [this.named("odd")] }));
    odd = this.method({}, () => this.runtime.exec("x", { tools: [this.even] }));
    value(): Promise<string> { return this.solve(); }`,
  itself: `
    solve = this.method({}, () => this.runtime.exec("x", { tools: [this.solve] }));`,
  mutual: `
    even = this.method({}, () => this.runtime.exec("x", { tools: [this.odd] }));
    odd = this.method({}, () => this.runtime.exec("x", { tools: [this.even] }));`,
};

/** The errors of each class, as the compiler tells them. */
async function errors(): Promise<{ [name: string]: readonly string[] }> {
  const files: string[] = [];
  for (const [name, fields] of Object.entries(classes)) {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, `import { Agent } from "../../src/core.ts";\nexport class A extends Agent {${fields}\n}\n`);
    files.push(file);
  }
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, root);
  const program = ts.createProgram(files, options);
  const told = (file: string) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  return Object.fromEntries(files.map((file) => [basename(file, ".ts"), told(file)]));
}

test("what a method that offers itself looks like to the compiler", { timeout: 120_000 }, async () => {
  const { documented, itself, mutual } = await errors();
  expect(documented).toEqual([]);
  expect(itself).toContainEqual(expect.stringMatching(/^TS7022 'solve' implicitly has type 'any'/));
  expect(mutual).toContainEqual(expect.stringMatching(/^TS7022 'even' implicitly has type 'any'/));
});
