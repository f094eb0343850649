/**
 * How the offline model does on single-turn entries of a function-calling leaderboard (BFCL), by category:
 *
 *     node scripts/offline-bfcl.ts FILE.jsonl [--failures [CATEGORY]]
 *
 * A line of the file is { id, question: messages, functions, answer: [{ name: { argument: [acceptable, …] } }] }; "" among
 * the acceptable values means that the argument may be left out.
 *
 * "functions": the calls made are those of the answer, each as often, in any order. "arguments": they are also right:
 * texts are compared without case, spaces and punctuation, numbers by value, lists in order, objects field by field, and
 * no argument stands there that the answer does not name. "false picks": the request is put to the functions of another
 * entry, so that nothing fits; the share of requests for which something was picked.
 *
 * Only even lines are shown with `--failures`; those who tune the model do not look at the others, which are counted apart.
 */
import { readFileSync } from "node:fs";
import type { JsonObject } from "../src/message/json.ts";
import type { Message } from "../src/message/message.ts";
import type { ToolDeclaration } from "../src/model/model.ts";
import { converse } from "../src/model/offline/offline.fixture.ts";
import { argsRight, type Call, type Expected, namesRight } from "../test/offline/bfcl.ts";

type Line = {
  readonly id: string;
  readonly question: readonly Message[];
  readonly functions: readonly ToolDeclaration[];
  readonly answer: readonly Expected[];
};
type Row = { entries: number; names: number; args: number };

const [file, ...flags] = process.argv.slice(2);
if (file === undefined) {
  console.error("Name the file with the entries: node scripts/offline-bfcl.ts FILE.jsonl");
  process.exit(2);
}
const lines = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Line);

async function callsFor(question: readonly Message[], tools: readonly ToolDeclaration[]): Promise<readonly Call[]> {
  const { calls } = await converse(question, () => "done", { tools, rounds: 40 });
  // A function's name may hold spaces; the arguments begin at the first brace.
  return calls.map((call) => ({
    name: call.slice(0, call.indexOf(" {")),
    args: JSON.parse(call.slice(call.indexOf(" {") + 1)) as JsonObject,
  }));
}

const rows = new Map<string, Row>();
function add(key: string, names: boolean, args: boolean): void {
  const row = rows.get(key) ?? { entries: 0, names: 0, args: 0 };
  rows.set(key, { entries: row.entries + 1, names: row.names + Number(names), args: row.args + Number(args) });
}

let falsePicks = 0;
let foreign = 0;
for (const [index, { id, question, functions, answer }] of lines.entries()) {
  const category = id.replace(/_\d.*$/u, "");
  const calls = await callsFor(question, functions);
  const names = namesRight(calls, answer);
  const args = names && argsRight(calls, answer);
  for (const key of [category, "all", index % 2 === 0 ? "even lines" : "odd lines"]) add(key, names, args);
  if (!args && index % 2 === 0 && flags[0] === "--failures" && (flags[1] ?? category) === category)
    console.log(
      `${id} ${names ? "ARGS" : "NAMES"}\n  ${question.map(({ content }) => content).join("\n  ")}\n  made:   ${calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join("; ")}\n  wanted: ${answer.map((one) => JSON.stringify(one)).join("; ")}\n  given:  ${JSON.stringify(functions.map(({ name, description, parameters }) => ({ name, description, p: parameters.properties })))}\n`,
    );

  const other = lines[(index + Math.floor(lines.length / 2)) % lines.length]!;
  if (other.functions.some(({ name }) => functions.some((own) => own.name === name))) continue;
  foreign += 1;
  const picked = await callsFor(question, other.functions);
  if (picked.length > 0) falsePicks += 1;
  if (picked.length > 0 && flags[0] === "--false" && index % 2 === 0)
    console.log(
      `${id}\n  ${question.map(({ content }) => content).join("\n  ")}\n  made: ${picked.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join("; ")}\n  ${JSON.stringify(other.functions.map(({ name, description }) => ({ name, description })))}`,
    );
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`.padStart(7);
for (const [key, { entries, names, args }] of rows)
  console.log(
    `${key.padEnd(24)} ${String(entries).padStart(4)}   functions ${percent(names, entries)}   arguments too ${percent(args, entries)}`,
  );
console.log(`false picks              ${String(foreign).padStart(4)}             ${percent(falsePicks, foreign)}`);
