import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { example, examples } from "./example.fixture.ts";

const files = globSync("*.ts", { cwd: examples }).sort();
const linesOf = (file: string) => readFileSync(join(examples, file), "utf8").trimEnd().split("\n");

test("there are these examples, each under 80 lines", () => {
  expect(files).toEqual(["csv.ts", "hands.ts", "research.ts", "review.ts", "support-desk.ts", "trip.ts"]);
  for (const file of files) expect([file, linesOf(file).length < 80]).toEqual([file, true]);
});

test.each<[string, readonly string[], string]>([
  ["hands", [""], ""],
  ["hands", [], "nonsense"],
  ["csv", [], "nonsense"],
  ["csv", ["", "/nowhere"], ""],
  ["research", ["a topic", "/nowhere"], ""],
  ["research", [], "nonsense"],
  ["review", [], "nonsense"],
  ["support-desk", [], "nonsense"],
  ["trip", [], "nonsense"],
])(
  "a mistake of who runs %s %j with the model %j is told in words, not as a stack trace",
  async (name, args, model) => {
    const { stdout, stderr } = await example(name, args, { env: { RONDO_MODEL: model } });
    const told = stdout + stderr;
    expect(told).toMatch(/Unknown model "nonsense"|is empty|no such file|is not there/);
    expect(told).not.toMatch(/^ +at |node:internal/m);
  },
);

test("the trip has at most 24 lines that are not blank, at most 100 columns wide", () => {
  const lines = linesOf("trip.ts").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});

test("they import what a user imports: packages by name and modules of Node, no files", () => {
  for (const file of files) {
    const imported = [...readFileSync(join(examples, file), "utf8").matchAll(/from "([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain("rondo");
    for (const name of imported) expect(name).toMatch(/^(?:rondo(?:\/\w+)?|zod|node:[\w/]+)$/);
  }
});

test("there the package's name stands for its source, so that no build is needed", () => {
  const namesIn = (file: string) => Object.keys(JSON.parse(readFileSync(join(examples, file), "utf8")).exports);
  const names = namesIn("package.json");
  expect(namesIn("../package.json")).toEqual(expect.arrayContaining(names));
  const code = `
    const names = ${JSON.stringify(names)}.map((name) => name.replace(".", "rondo"));
    console.log(names.map((name) => import.meta.resolve(name).split("/").slice(-3).join("/")).join(" "));
    const [here, source] = await Promise.all([import("rondo"), import("../src/index.ts")]);
    console.log(Object.keys(source).every((name) => here[name] === source[name]));`;
  const args = ["--no-warnings", "--input-type=module", "-e", code];
  expect(execFileSync(process.execPath, args, { cwd: examples, encoding: "utf8" }).split("\n")).toEqual([
    names.map((name) => `examples/rondo/${name.slice(2) || "index"}.ts`).join(" "),
    "true",
    "",
  ]);
});
