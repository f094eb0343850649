/**
 * Breaks the loop's table in every small way and lets the walk find out: `node scripts/walk-mutants.ts`. Each row and
 * each case is dropped, rows are moved, and comparisons, numbers, operators, fields and lists are changed one at a time.
 * A cut-down walk is tried first; what survives it meets the whole walk. A mutant that lives fails the script, unless
 * `test/walk/equivalent.json` says why it is no different (those meet the whole walk only with `--whole`). Works on
 * copies; nothing here is changed. `--only TEXT` tries the mutants whose name holds it, `--jobs N` so many at a time,
 * `--quick` leaves out the whole walk.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Mutant } from "../test/walk/mutants.ts";

const root = join(import.meta.dirname, "..");
/** A walk that says nothing for so long hangs in one trace; one that goes on for so long is broken some other way. */
const silenceMs = 20_000;
const longestMs = 1_800_000;

type Equivalent = { readonly mutant: string; readonly reason: string };
type Depth = "quick" | "whole";

/** Walks in this process, saying so all the while; throws at a broken rule. */
async function judgeOnce(depth: Depth): Promise<void> {
  const { playMany } = await import("../test/walk/random.ts");
  const { families, quick } = await import("../test/walk/setups.ts");
  const { walk } = await import("../test/walk/walk.ts");
  for (const setup of depth === "whole" ? Object.values(families).flat() : quick) await walk(setup, beat);
  await playMany(depth === "whole" ? 20_000 : 2_000, 7, { shrink: false, onTrace: beat });
}

let beats = 0;
function beat(): void {
  if (beats++ % 20 === 0) process.stdout.write(".");
}

/** How the walk of a copy fares: the first line of what was broken, or `undefined`. One that falls silent hangs. */
function judgement(copy: string, depth: Depth): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = ["--max-old-space-size=1500", join(copy, "scripts/walk-mutants.js"), "--judge", depth];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk;
    });
    const hang = setTimeout(() => child.kill("SIGKILL"), silenceMs);
    const late = setTimeout(() => child.kill("SIGKILL"), longestMs);
    child.stdout.on("data", () => hang.refresh());
    child.on("close", (code, signal) => {
      clearTimeout(hang);
      clearTimeout(late);
      if (code === 0) return resolve(undefined);
      if (signal) return resolve("a trace that does not end");
      resolve((/Violation: .*/.exec(said) ?? /Error: .*/.exec(said))?.[0] ?? `exit ${code}`);
    });
  });
}

/** Types are taken out once, for all mutants: else reading them would be most of the time. */
const plain = (source: string) => stripTypeScriptTypes(source).replaceAll(/\.ts("|\))/g, ".js$1");

function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "walk-mutants-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  const files = ["src", "test/walk", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const file of files) {
    if (!file.endsWith(".ts") || /\.(test|test-d|fixture)\.ts$/.test(file)) continue;
    const to = join(copy, file.replace(/ts$/, "js"));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, plain(readFileSync(join(root, file), "utf8")));
  }
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(root, name), join(copy, name));
  return copy;
}

type Verdict = { readonly killedBy?: string; readonly by?: Depth };

async function trial(copy: string, mutant: Mutant, whole: boolean): Promise<Verdict> {
  const path = join(copy, "src/loop", `${mutant.file}.js`);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, plain(mutant.source));
  try {
    for (const depth of whole ? (["quick", "whole"] as const) : (["quick"] as const)) {
      const killedBy = await judgement(copy, depth);
      if (killedBy !== undefined) return { killedBy, by: depth };
    }
    return {};
  } finally {
    writeFileSync(path, source);
  }
}

type Settings = {
  readonly only: string | undefined;
  readonly jobs: number;
  readonly whole: boolean;
  readonly quick: boolean;
};

async function main({ only, jobs, whole, quick }: Settings): Promise<number> {
  const { mutantsOf, tableFiles } = await import("../test/walk/mutants.ts");
  const copies = Array.from({ length: jobs }, makeCopy);
  const [first] = copies;
  const all = tableFiles.flatMap((file) => mutantsOf(file, readFileSync(join(root, "src/loop", `${file}.ts`), "utf8")));
  const equivalents: readonly Equivalent[] = JSON.parse(readFileSync(join(root, "test/walk/equivalent.json"), "utf8"));
  const broken = await judgement(first ?? root, "quick");
  if (broken !== undefined) {
    console.error(`The table itself breaks a rule: ${broken}`);
    return 1;
  }
  const left = all.filter(({ name }) => only === undefined || name.includes(only));
  const counts = { killed: 0, equivalent: 0, wrong: 0 };
  const work = async (copy: string) => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const excuse = equivalents.find((one) => one.mutant === mutant?.name);
      const { killedBy, by } = await trial(copy, mutant, !quick && (whole || excuse === undefined));
      const fine = (killedBy === undefined) === (excuse !== undefined);
      if (!fine) counts.wrong++;
      else counts[excuse ? "equivalent" : "killed"]++;
      const verdict =
        killedBy === undefined
          ? `survived${excuse ? `, equivalent: ${excuse.reason}` : ""}`
          : `killed (${by}) by ${killedBy}`;
      console.log(`${fine ? "  " : "! "}${mutant.name}\n      ${verdict}`);
    }
  };
  await Promise.all(copies.map(work));
  for (const { mutant } of equivalents) {
    if (all.some(({ name }) => name === mutant)) continue;
    counts.wrong++;
    console.log(`! ${mutant}\n      listed as equivalent, but there is no such mutant`);
  }
  const { killed, equivalent, wrong } = counts;
  console.log(`${all.length} mutants: ${killed} killed, ${equivalent} equivalent, ${wrong} not as they should be`);
  return wrong === 0 ? 0 : 1;
}

const { values } = parseArgs({
  options: {
    judge: { type: "string" },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
    whole: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});
if (values.judge !== undefined) await judgeOnce(values.judge === "whole" ? "whole" : "quick");
else {
  const { only, jobs, whole, quick } = values;
  process.exitCode = await main({ only, jobs: Math.max(1, Number(jobs)), whole, quick });
}
