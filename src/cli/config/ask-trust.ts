import type { Ask } from "../approve.ts";
import { visible } from "../terminal-text.ts";
import type { Project } from "./project-config.ts";
import type { Inert } from "./trust.ts";

/** Longest line of what is shown: a command of a server may be any text. */
const longest = 500;

/** What would be run or would go elsewhere if the project's file were trusted, with nothing hidden in it. */
export function whatWaits({ path }: Project, { modules, model, servers }: Inert): string {
  const lines = [
    ...modules.map((one) => `  runs      ${one.path}${one.hash === "missing" ? " (is not there)" : ""}`),
    ...(model === undefined ? [] : [`  sends to  ${model}`]),
    ...servers.map((server) => `  server    ${server} (not started by this version)`),
  ];
  const shown = lines.map((line) => visible(line).replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
  return [`${onOneLine(path)} asks for:`, ...shown.map(cut)].join("\n");
}

/** Asks a person, once; only a plain yes is one. */
export async function askTrust(project: Project, inert: Inert, ask: Ask): Promise<boolean> {
  const question = `${whatWaits(project, inert)}\nDo you trust it? It may do all that you may. [y/N] `;
  const answer = await ask(question, new AbortController().signal);
  return typeof answer === "string" && /^\s*y(es)?\s*$/i.test(answer);
}

/** What is told where nobody was asked, or said no. */
export function notTrusted(project: Project, { modules, model }: Inert): string {
  const parts = [
    ...(modules.length === 0 ? [] : [modules.length === 1 ? "its module" : `its ${modules.length} modules`]),
    ...(model === undefined ? [] : ["its model"]),
  ];
  const { path, folder } = project;
  return `rondo: ${onOneLine(path)} is not trusted: ${parts.join(" and ")} will not be used; to trust it: rondo trust ${shellWord(folder)}`;
}

export const onOneLine = (text: string): string => visible(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${onOneLine(text).replaceAll("'", "'\\''")}'`;

const cut = (line: string): string => (line.length > longest ? `${line.slice(0, longest)}…` : line);
