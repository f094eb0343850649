import type { JsonObject } from "../../message/json.ts";
import { textOf } from "../../message/message.ts";
import type { ModelRequest, ToolDeclaration } from "../model.ts";
import type { Done, Situation } from "./history.ts";

const search = "tool_search";
const loaders = new Set([search, "call_tool"]);

/** Tools that a search may bring: the request may be about several. */
const limit = 20;

/** What is there to pick from when some tools wait to be found. */
export type Waiting = {
  /** Those that are declared, and those that were found. */
  readonly tools: readonly ToolDeclaration[];
  /** The situation without the searches, which nobody asked for. */
  readonly situation: Situation;
  /** Arguments of the search to make if none of these tools fits; undefined: it was made, or may not be. */
  readonly search: JsonObject | undefined;
};

/** How a request stands that has the two tools by which others are found and called; undefined: it has none. */
export function waitingIn(situation: Situation, { tools, toolChoice }: ModelRequest): Waiting | undefined {
  const forced = typeof toolChoice === "object" && toolChoice.names.some((name) => loaders.has(name));
  if (forced || ![...loaders].every((name) => tools.some((tool) => tool.name === name))) return undefined;
  const { stretches } = situation;
  const found = new Map(stretches.flatMap(({ done }) => done.filter(isSearch).flatMap(declarationsIn)));
  const declared = tools.filter(({ name }) => !loaders.has(name) && !found.has(name));
  const last = stretches.at(-1)!;
  const fresh = last.done.length === 0 && last.request.trim() !== "" && toolChoice !== "none";
  return {
    tools: [...declared, ...found.values()],
    situation: {
      ...situation,
      stretches: stretches.map((one) => ({ ...one, done: one.done.filter((done) => !isSearch(done)) })),
    },
    search: fresh ? { query: queryOf(last.request), limit } : undefined,
  };
}

/** Plus signs and a name in front would be read as more than words. */
const queryOf = (request: string): string => request.replace(/(?<!\S)\+/gu, "").replace(/^\s*select:/iu, "");

const isSearch = ({ call, own }: Done): boolean => own && call.name === search;

/** The tools that a search gave, one a line. */
function declarationsIn({ result }: Done): (readonly [string, ToolDeclaration])[] {
  return textOf(result)
    .split("\n")
    .flatMap((line) => {
      const tool = line.startsWith("{") ? readJson(line) : undefined;
      const { name, description = "", parameters } = tool ?? {};
      if (typeof name !== "string" || typeof description !== "string") return [];
      if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) return [];
      return [[name, { name, description, parameters: parameters as JsonObject }] as const];
    });
}

function readJson(line: string): JsonObject | undefined {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return undefined;
  }
}
