/**
 * Breaks the loop's table in every small way and lets the walk find out: `node scripts/walk-mutants.ts`. Each row is
 * dropped, moved behind the next, and changed in each comparison, number, operator and list. A mutant that lives fails
 * the script, unless `test/walk/equivalent.json` says why it is no different. Works on a copy; nothing here is changed.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const mutated = "src/loop/decide.ts";
/** A walk that says nothing for so long hangs in one trace. */
const silenceMs = 10_000;

type Mutant = { readonly name: string; readonly source: string };
type Equivalent = { readonly mutant: string; readonly reason: string };

/** Every mutant of the table. */
export function mutantsOf(source: string): readonly Mutant[] {
  return [...orderMutants(source), ...bodyMutants(source)];
}

/** Rows dropped and moved, in the list of rows. */
function orderMutants(source: string): Mutant[] {
  const list = /export const rows: readonly Row\[\] = \[([^\]]*)\]/.exec(source);
  if (!list?.[1]) throw new Error(`${mutated} has no list of rows any more: teach this script where they are.`);
  const names = list[1]
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const withRows = (rows: readonly string[]) => source.replace(list[1] as string, rows.join(", "));
  return names.flatMap((name, index) => {
    const dropped: Mutant = { name: `${name}: dropped`, source: withRows(names.toSpliced(index, 1)) };
    const next = names[index + 1];
    if (next === undefined) return [dropped];
    return [dropped, { name: `${name}: behind ${next}`, source: withRows(names.toSpliced(index, 2, next, name)) }];
  });
}

const swaps: readonly (readonly [RegExp, (found: string) => readonly string[]])[] = [
  [/===/g, () => ["!=="]],
  [/!==/g, () => ["==="]],
  [/&&/g, () => ["||"]],
  [/\|\|/g, () => ["&&"]],
  [/ >= /g, () => [" > ", " < "]],
  [/ > /g, () => [" >= ", " < "]],
  [/ < /g, () => [" <= ", " > "]],
  [/(?<=[ (])!(?=[a-z])/g, () => [""]],
  [/\b\d+\b/g, (found) => [String(Number(found) + 1), String(Number(found) - 1)]],
  [/ \? ([^:?;]+?) : /g, (found) => [found.replace(/ \? .* : /, " && false ? undefined : ")]],
];

/** Operators, numbers, negations and lists, one at a time. */
function bodyMutants(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  let owner = "";
  let offset = 0;
  const seen = new Map<string, number>();
  for (const line of source.split("\n")) {
    owner = /^(?:export )?(?:const|function) (\w+)/.exec(line)?.[1] ?? owner;
    for (const { at, length, by } of changesOf(line)) {
      const changed = line.slice(0, at) + by + line.slice(at + length);
      const what = `${owner}: \`${line.slice(Math.max(0, at - 30), at + length + 20).trim()}\` with \`${by.trim()}\` for \`${line.slice(at, at + length).trim()}\``;
      const count = (seen.get(what) ?? 0) + 1;
      seen.set(what, count);
      const name = count > 1 ? `${what} (${count})` : what;
      mutants.push({ name, source: source.slice(0, offset) + changed + source.slice(offset + line.length) });
    }
    offset += line.length + 1;
  }
  return mutants;
}

function changesOf(line: string): { at: number; length: number; by: string }[] {
  if (/^(import|type|\/\*\*| \*|\s*\/\/)/.test(line)) return [];
  const changes = swaps.flatMap(([pattern, by]) =>
    [...line.matchAll(pattern)].flatMap((found) =>
      by(found[0]).map((replacement) => ({ at: found.index, length: found[0].length, by: replacement })),
    ),
  );
  const list = /\[("[a-z_]+"(?:, "[a-z_]+")*)\] as const/.exec(line);
  for (const [index] of (list?.[1]?.split(", ") ?? []).entries()) {
    const items = list?.[1]?.split(", ").toSpliced(index, 1) ?? [];
    changes.push({ at: list?.index ?? 0, length: list?.[0].length ?? 0, by: `[${items.join(", ")}] as const` });
  }
  return changes;
}

/** Walks the cut-down setups and some random schedules in this process, saying so all the while; throws at a broken rule. */
async function judgeOnce(): Promise<void> {
  const { playMany } = await import("../test/walk/random.ts");
  const { quick } = await import("../test/walk/setups.ts");
  const { walk } = await import("../test/walk/walk.ts");
  await playMany(4_000, 7, { shrink: false, onTrace: beat });
  for (const setup of quick) await walk(setup, beat);
}

let beats = 0;
function beat(): void {
  if (beats++ % 20 === 0) process.stdout.write(".");
}

/** How a copy with this table fares: the first line of what was broken, or `undefined`. One that falls silent hangs. */
function trial(copy: string, source: string): Promise<string | undefined> {
  writeFileSync(join(copy, mutated), source);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(copy, "scripts/walk-mutants.ts"), "--judge"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk;
    });
    const hang = setTimeout(() => child.kill("SIGKILL"), silenceMs);
    child.stdout.on("data", () => hang.refresh());
    child.on("close", (code, signal) => {
      clearTimeout(hang);
      if (code === 0) return resolve(undefined);
      resolve(
        signal
          ? "a trace that does not end"
          : ((/Violation: .*/.exec(said) ?? /Error: .*/.exec(said))?.[0] ?? `exit ${code}`),
      );
    });
  });
}

async function main(only: string | undefined): Promise<number> {
  const copy = mkdtempSync(join(tmpdir(), "walk-mutants-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const part of ["src", "test/walk", "scripts", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const source = readFileSync(join(root, mutated), "utf8");
  const equivalents: readonly Equivalent[] = JSON.parse(readFileSync(join(root, "test/walk/equivalent.json"), "utf8"));

  const broken = await trial(copy, source);
  if (broken !== undefined) {
    console.error(`The table itself breaks a rule: ${broken}`);
    return 1;
  }
  let wrong = 0;
  const names = new Set<string>();
  for (const { name, source: changed } of mutantsOf(source)) {
    names.add(name);
    if (only !== undefined && !name.includes(only)) continue;
    const killedBy = await trial(copy, changed);
    const excuse = equivalents.find(({ mutant }) => mutant === name);
    const fine = (killedBy === undefined) === (excuse !== undefined);
    if (!fine) wrong++;
    const verdict =
      killedBy === undefined ? `survived${excuse ? `, equivalent: ${excuse.reason}` : ""}` : `killed by ${killedBy}`;
    console.log(`${fine ? "  " : "! "}${name}\n      ${verdict}`);
  }
  for (const { mutant } of equivalents) {
    if (names.has(mutant)) continue;
    wrong++;
    console.log(`! ${mutant}\n      listed as equivalent, but there is no such mutant`);
  }
  console.log(`${names.size} mutants, ${wrong} not as they should be`);
  return wrong === 0 ? 0 : 1;
}

const { values } = parseArgs({ options: { judge: { type: "boolean", default: false }, only: { type: "string" } } });
if (values.judge) await judgeOnce();
else process.exitCode = await main(values.only);
