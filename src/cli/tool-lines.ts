import type { ToolExplanation } from "../menu/explain.ts";

/** Longest name that widens the column for all. */
const widest = 30;
/** Longest description or reason that is shown. */
const longest = 100;

/** Text on one line, cut at its length. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** The first sentence of a description. */
const inShort = (description: string): string => short(/^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description);

const tokensOf = (tools: readonly ToolExplanation[]): number => tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0);

const number = (count: number): string => count.toLocaleString("en-US");

/** What a run would have, one tool a line, and a line that counts; `all`: what is dropped too, and why. */
export function toolLines(tools: readonly ToolExplanation[], all: boolean): string {
  const of = (status: ToolExplanation["status"]) => tools.filter((tool) => tool.status === status);
  const [offered, deferred, dropped] = [of("offered"), of("deferred"), of("dropped")];
  const shown = all ? [...offered, ...deferred, ...dropped] : offered;
  const width = Math.min(widest, Math.max(0, ...shown.map(({ name }) => short(name).length)));
  const lines = shown.map((tool) => {
    const name = short(tool.name).padEnd(width);
    if (!all) return `${name}  ${inShort(tool.description)}`;
    return tool.status === "offered"
      ? `${name}  offered`
      : `${name}  ${tool.status.padEnd(8)}  ${tool.gate}: ${short(tool.reason)}`;
  });
  const counts = [
    `${number(offered.length)} offered (about ${number(tokensOf(offered))} tokens)`,
    ...(deferred.length > 0 ? [`${number(deferred.length)} deferred, found with tool_search`] : []),
    ...(dropped.length > 0 ? [`${number(dropped.length)} dropped${all ? "" : " (--explain says why)"}`] : []),
  ];
  return `${[...lines, counts.join(", ")].map((line) => line.trimEnd()).join("\n")}\n`;
}
