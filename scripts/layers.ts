/**
 * The layers of src/: each folder imports from those named before it. Also keeps files short and the core lean. Another
 * root than the current folder may be given, to check the check.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { packagesLoadedBy } from "./static-imports.ts";

process.chdir(process.argv[2] ?? ".");

const order = [
  "error.ts",
  "message",
  "ranker",
  "model",
  "menu",
  "host",
  "loop",
  "decision",
  "agent",
  "tools",
  "mcp",
  "telemetry",
  "server",
  "testing",
  "cli",
];

/** Entries only gather names; tests and testing/ may reach everywhere. */
const exempt = (file: string) =>
  /^src\/(index|core|shared)\.ts$/.test(file) ||
  /\.(test|test-d|fixture)\.ts$/.test(file) ||
  file.startsWith("src/testing/");

/** Types that look down: a tool's context names the runtime that runs it. */
const allowed = new Set(["src/menu/context.ts -> src/agent/runtime.ts"]);

/** What the loop may know of its surroundings: ports and helpers for them, never an adapter. */
const loopMayImport = /^src\/(error|message\/|menu\/|host\/host|model\/(model|collect)|loop\/)/;

const corePackages = ["@standard-schema/spec", "@cfworker/json-schema"];

const problems: string[] = [];
const files = globSync("src/**/*.ts").sort();
const importing = /^\s*(import|export)\s+(type\s+)?[^;]*?\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

for (const file of files) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  if (lines > 300 && !/\.(test|test-d)\.ts$/.test(file))
    problems.push(`${file}: ${lines} lines; split it (300 at most)`);
  if (exempt(file)) continue;
  for (const [, , typeOnly, from, dynamic] of text.matchAll(importing)) {
    const target = from ?? dynamic!;
    if (target.startsWith("node:")) continue;
    if (!target.startsWith(".")) continue;
    const to = normalize(join(dirname(file), target));
    if (to === "package.json" || (to === "src/index.ts" && file.startsWith("src/cli/"))) continue;
    if (allowed.has(`${file} -> ${to}`) && typeOnly) continue;
    const [mine, theirs] = [layer(file), layer(to)];
    if (theirs > mine) problems.push(`${file}: imports ${to}, which lies below it`);
    if (file.startsWith("src/loop/") && !loopMayImport.test(to))
      problems.push(`${file}: imports ${to}; the loop sees ports only`);
  }
}

function layer(file: string): number {
  const place = order.indexOf(file.split("/")[1]!);
  if (place < 0) problems.push(`${file}: belongs to no layer`);
  return place;
}

const lengths = files
  .filter((f) => !exempt(f))
  .map((f) => readFileSync(f, "utf8").split("\n").length - 1)
  .sort((a, b) => a - b);
const median = lengths[lengths.length >> 1] ?? 0;
if (median > 100) problems.push(`the median file has ${median} lines (100 at most)`);
const policy = ["src/loop/decide.ts", "src/loop/apply.ts"]
  .map((f) => readFileSync(f, "utf8").split("\n").length - 1)
  .reduce((a, b) => a + b);
if (policy > 300) problems.push(`decide.ts and apply.ts have ${policy} lines together (300 at most)`);

for (const { name, way } of packagesLoadedBy("src/core.ts")) {
  if (corePackages.includes(name)) continue;
  problems.push(
    `${way.join(" -> ")}: loads ${name}, but rondo/core may load ${corePackages.join(" and ")} only; import it when it is first needed: await import("${name}")`,
  );
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${files.length} files, median ${median} lines, decide and apply ${policy} lines: layers hold`);
