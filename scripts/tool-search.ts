/**
 * How often `tool_search` finds the right one of 1,000 tools, first and among the first five:
 *
 *     node scripts/tool-search.ts [FILE.jsonl] [--failures]
 *
 * By the table of test/menu/search, and, with the file of a function-calling leaderboard (BFCL), by its requests: all functions of
 * the file, filled up to 1,000, are searched with each request whose answer is one function. A line of the file is { id, question: messages, functions, answer: [{ name: … }] }.
 *
 * `--failures` shows the misses of the tuning halves; those who tune the search do not look at the others.
 */
import { readFileSync } from "node:fs";
import { declaredTokens } from "../src/menu/deferral/declared-size.ts";
import { deferred } from "../src/menu/deferral/defer.ts";
import type { MenuTool } from "../src/menu/entry.ts";
import type { Message } from "../src/message/message.ts";
import { textOf } from "../src/message/message.ts";
import { menuTools, padding, type Written, written } from "../test/menu/search/catalogue.ts";
import { type Asked, halves, hitsOf } from "../test/menu/search/measure.ts";
import { requests } from "../test/menu/search/requests.ts";

type Line = {
  readonly question: readonly Message[];
  readonly functions: readonly Written[];
  readonly answer: readonly object[];
};

const failures = process.argv.includes("--failures");
const file = process.argv.slice(2).find((word) => !word.startsWith("--"));

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`.padStart(7);

function tell(name: string, tools: readonly MenuTool[], asked: readonly Asked[]): void {
  const { tuning, heldOut } = halves(asked);
  for (const [half, some] of [
    ["tuning", tuning],
    ["held out", heldOut],
  ] as const) {
    const { first, five, missed } = hitsOf(tools, some);
    console.log(
      `${name}, ${half}: ${some.length} requests   first ${percent(first, some.length)}   within five ${percent(five, some.length)}`,
    );
    if (failures && half === "tuning")
      for (const { request, right, found } of missed)
        console.log(`  ${request}\n    wanted ${right}\n    found  ${found.join(", ")}`);
  }
}

const tokens = (tools: readonly MenuTool[]) => tools.reduce((sum, one) => sum + declaredTokens(one), 0);

const own = menuTools([...written, ...padding]);
const { declared } = deferred(own, { above: 0, forced: [], policy: { allow: [], deny: [] } });
console.log(`${own.length} tools: ${tokens(own)} tokens when declared, ${tokens(declared)} when deferred`);
tell(
  "table",
  own,
  requests.map(([request, right]) => ({ request, right: [right] })),
);

if (file !== undefined) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  const functions = new Map(lines.flatMap((line) => line.functions.map((one) => [one.name, one] as const)));
  const asked = lines.flatMap(({ question, answer }) => {
    const right = [...new Set(answer.flatMap((call) => Object.keys(call)))];
    const last = question.findLast(({ role }) => role === "user");
    return right.length === 1 && last ? [{ request: textOf(last), right }] : [];
  });
  const all = [...functions.values(), ...padding].slice(0, 1_000);
  tell(`${functions.size} real functions among ${all.length}`, menuTools(all), asked);
}
