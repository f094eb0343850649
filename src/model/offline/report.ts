import type { ToolDeclaration } from "../model.ts";
import { itemsOf, resultLines, resultText } from "./found.ts";
import type { Stretch } from "./history.ts";
import { linesIn } from "./lines-said.ts";
import type { Verdict } from "./pick.ts";
import type { Entry } from "./plan.ts";
import { extreme, isSource } from "./refer.ts";
import type { Step } from "./step.ts";

const quotedLines = 5;
const mostLines = 40;
const lineChars = 160;
const namedTools = 12;

/** What the offline model says of itself in every answer. */
export const disclaimer =
  "I am not a language model: I am Rondo's built-in offline stand-in, which only matches words to tools. For a real model set RONDO_MODEL or pass --model (in code: the option `model`), for example anthropic/claude-sonnet-5.";

/** The answer: what was done and found, what was not done and why, and who says so. */
export function reportOf(
  entries: readonly Entry[],
  replaced: readonly Stretch[],
  tools: readonly ToolDeclaration[],
): string {
  const done = entries.flatMap((entry) => (entry.kind === "done" ? [entry.step] : []));
  const notes = entries.flatMap((entry) => noteOf(entry) ?? []);
  const parts: string[] = [];
  for (const { request, done: calls } of replaced) {
    parts.push(
      `Your newer message took the place of "${short(request)}"${calls.length > 0 ? `, of which ${count(calls.length, "call")} had been made` : ""}.`,
    );
  }
  if (done.length > 0)
    parts.push(
      [`I made ${count(done.length, "call")}:`, ...done.map((step, index) => `${index + 1}. ${describe(step)}`)].join(
        "\n",
      ),
    );
  if (notes.length > 0) parts.push(notes.join("\n"));
  if (entries.length === 0) parts.push("There was nothing in the message that asks for something.");
  if (entries.length === 0 || entries.some(({ kind }) => kind === "open")) parts.push(menuText(tools));
  return [...parts, disclaimer].join("\n\n");
}

function describe(step: Step): string {
  const { reading, done } = step;
  const { call, result } = done;
  const head = `${short(reading.text)}\n   ${call.name} ${short(call.arguments)}`;
  if (result.isError) return `${head} failed: ${short(resultText(result))}`;
  const tail = tailOf(step);
  if (tail !== undefined) return `${head}: ${tail}`;
  const lines = resultLines(result);
  const items = itemsOf(done);
  if (items.length > 0 && items.every((item) => item.count !== undefined)) {
    const sum = items.reduce((total, item) => total + (item.count ?? 0), 0);
    return `${head}: ${count(items.length, "file")}, ${sum} in all.${extremeText(reading, items)}`;
  }
  if (lines.length === 0) return `${head}: ${short(resultText(result)) || "no text"}`;
  const shown = quoted(lines, mostQuoted(step));
  const places = lines.filter((line) => /^\S[^:]*[./][^:]*:\d+:/u.test(line)).length;
  if (places === lines.length)
    return `${head}: ${count(places, "matching line")} in ${count(items.length, "file")}\n${shown}`;
  if (items.length === lines.length && lines.every((line) => !/\s\S+\s\S+\s/u.test(line)))
    return `${head}: ${items.length === 1 ? `1 found: ${cut(lines[0] ?? "")}` : `${items.length} found\n${shown}`}`;
  if (lines.length === 1) return `${head}: ${cut(lines[0] ?? "")}`;
  return `${head}: ${count(lines.length, "line")}\n${shown}`;
}

/** The last lines, where they were asked for: a tool that counts from the beginning gave all of them. */
function tailOf({ reading, done }: Step): string | undefined {
  const wanted = linesIn(reading.text)?.last;
  const { path, ...others } = done.arguments;
  if (wanted === undefined || typeof path !== "string" || Object.keys(others).length > 0) return undefined;
  const text = resultText(done.result);
  const lines = resultLines(done.result);
  if (lines.length === 0) return undefined;
  const cutOff = /^\[.*\boffset \d/u.test(text.trimEnd().split("\n").at(-1) ?? "")
    ? " of what was read, which is not all of it"
    : "";
  const last = lines.slice(-Math.min(wanted, mostLines));
  const which = last.length === 1 ? "line" : `${last.length} lines`;
  return `the last ${which}${cutOff}\n${last.map((line) => `   > ${cut(line)}`).join("\n")}`;
}

/** Lines that were asked for by their number are quoted all the same. */
function mostQuoted({ reading, done }: Step): number {
  const { limit } = done.arguments;
  const asked = linesIn(reading.text)?.count;
  return asked !== undefined && limit === asked ? Math.min(Math.max(asked, quotedLines), mostLines) : quotedLines;
}

function quoted(lines: readonly string[], most: number): string {
  const quotes = lines.filter((line) => line.trim() !== "").slice(0, most);
  return [...quotes.map((line) => `   > ${cut(line)}`), ...(lines.length > quotes.length ? ["   > …"] : [])].join("\n");
}

function extremeText(reading: Step["reading"], items: ReturnType<typeof itemsOf>): string {
  const which = reading.extreme ?? "most";
  const path = extreme(items, which, isSource(reading));
  const found = items.find((item) => item.path === path);
  // The sum before it is that of all files, so it has to be said that another one has more.
  const aside = path === extreme(items, which, false) ? "" : ", tests aside";
  return found ? ` The ${which === "most" ? "most" : "fewest"}${aside}: ${found.path} (${found.count}).` : "";
}

function noteOf(entry: Entry): string | undefined {
  if (entry.kind === "open") return because(short(entry.clause.text), entry.verdict);
  if (entry.kind === "counted") return countText(entry);
  if (entry.kind !== "held") return undefined;
  const text = `"${short(entry.clause.text)}"`;
  return entry.why === "failed"
    ? `Not done: ${text}. It needs the same call of ${entry.name} that failed above.`
    : `Not done: ${text}. It needs ${entry.name}, and no tool may be picked in this reply.`;
}

function countText({ clause, count, step }: Extract<Entry, { kind: "counted" }>): string {
  const rest = count.note === undefined ? "" : ` It is not all: ${short(count.note)}`;
  return `"${short(clause.text)}": ${count.said} in the result of "${short(step.reading.text)}".${rest}`;
}

function because(text: string, verdict: Exclude<Verdict, { kind: "call" }>): string {
  switch (verdict.kind) {
    case "nothing":
      return `I found nothing to pick for "${text}".`;
    case "missing":
      return `Not done: "${text}". ${verdict.name} would fit, but I could not tell ${list(verdict.missing)}.`;
    case "unclear":
      return `Not done: "${text}". ${list(verdict.names)} fit equally well; name the one you mean.`;
    case "barred":
      return `Not done: "${text}". ${barred[verdict.why]}`;
  }
}

const barred = {
  negated: "It says what not to do.",
  question: "It asks how or whether to do something, not to do it.",
  length: "It is more than I read at once.",
  untold: "It tells a file by something that I cannot search for.",
  condition: "It depends on a condition, and I cannot judge conditions.",
} as const;

function menuText(tools: readonly ToolDeclaration[]): string {
  if (tools.length === 0) return "There are no tools in this request.";
  const lines = tools
    .slice(0, namedTools)
    .map(({ name, description }) => `- ${name}${description === "" ? "" : `: ${firstSentence(description)}`}`);
  const more = tools.length > namedTools ? [`- and ${tools.length - namedTools} more`] : [];
  return ["Tools that I can pick:", ...lines, ...more].join("\n");
}

function firstSentence(text: string): string {
  return cut(text.split(/(?<=[.!?])\s/u)[0] ?? "");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function short(text: string): string {
  return cut(text.replace(/\s+/gu, " ").trim());
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > lineChars ? `${letters.slice(0, lineChars).join("")}…` : text;
}
