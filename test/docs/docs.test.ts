import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";

/** A piece of code in the documentation, and what it says it prints. */
type Block = { readonly where: string; readonly code: string; readonly prints: string | undefined };

const root = join(import.meta.dirname, "../..");
mkdirSync(join(root, "test/docs/.generated"), { recursive: true });
const folder = mkdtempSync(join(root, "test/docs/.generated/"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entries: Record<string, string> = {
  rondo: "src/index.ts",
  "rondo/core": "src/core.ts",
  "rondo/tools": "src/tools/index.ts",
  "rondo/local": "src/model/local/index.ts",
  "rondo/testing": "src/testing/index.ts",
};

/** The package's own names stand for its sources. */
const local = (code: string) =>
  code.replace(
    /(from|declare module) "(rondo(?:\/\w+)?)"/g,
    (_, before: string, name: string) => `${before} "${relative(folder, join(root, entries[name]!))}"`,
  );

function blocksOf(file: string): Block[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```(?:\n+```text\n([\s\S]*?)```)?/g)].map(([, code, prints], i) => ({
    where: `${file} ${i + 1}`,
    code: code!,
    prints,
  }));
}

/** Examples in comments lean on names that their reader knows. */
const preamble = `
import { createRuntime, exec, run, tool, result, memory, aiSdk, resolveModel, RondoError, isRunError, type Tool } from "rondo";
import { scripted } from "rondo/testing";
import { z } from "zod";
declare const weather: Tool;
declare const languageModel: import("@ai-sdk/provider").LanguageModelV4;
`;

function examplesOf(file: string): Block[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/@example\s*\n\s*\* ```ts\n([\s\S]*?)\s*\* ```/g)].map(([, body], i) => {
    const code = body!.replace(/^\s*\* ?/gm, "");
    const declared = preamble.replace(/declare const (\w+)[^\n]*\n/g, (line, name: string) =>
      new RegExp(`const ${name}\\b`).test(code) ? "" : line,
    );
    const imported = [...code.matchAll(/import[^;]*;/g)].length > 0;
    return {
      where: `${file} example ${i + 1}`,
      code: imported ? code : `${declared}\n{\n${code}\n}\nexport {};`,
      prints: undefined,
    };
  });
}

const pages = ["README.md", ...globSync("docs/*.md", { cwd: root }).sort()].flatMap(blocksOf);
const comments = globSync("src/**/*.ts", { cwd: root }).sort().flatMap(examplesOf);

const written = [...pages, ...comments].map((block, i) => {
  const file = join(folder, `block-${i}.ts`);
  writeFileSync(file, local(block.code));
  return { ...block, file };
});

test("all code in documentation and comments compiles", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram(
    written.map(({ file }) => file),
    options,
  );
  const problems = ts.getPreEmitDiagnostics(program).filter(({ file }) => file?.fileName.startsWith(folder));
  const told = problems.map(({ file, messageText }) => {
    const block = written.find((one) => one.file === file?.fileName);
    return `${block?.where}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(told).toEqual([]);
  expect(written.length).toBeGreaterThan(5);
}, 120_000);

describe("pages print what they say", () => {
  test.each(written.filter(({ where }) => /\.md /.test(where)))("$where", async ({ file, prints }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { ...process.env, NO_COLOR: "1" } });
    if (prints !== undefined) expect(stdout).toBe(prints);
  });
});
