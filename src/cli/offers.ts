import { AgentBase } from "../agent/agent.ts";
import { looksLikeAgent } from "../agent/agent-parts.ts";
import { isMethod, isOwnMethod } from "../agent/method.ts";
import { menuTool, type OwnEntry } from "../menu/entry.ts";
import { isTool } from "../menu/tool.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { builtInTools } from "../tools/index.ts";
import { shownPath } from "./agent-file.ts";
import { fileError, loadFailure } from "./load-failure.ts";
import type { ModuleWatch } from "./module-watch.ts";
import { type Place, placeOfName, placeText } from "./places.ts";
import { usageError } from "./usage-error.ts";

/** What an agent's file offers to a run. */
export type Offers = {
  /** Methods and tools, each once. */
  readonly entries: readonly OwnEntry[];
  /** The agent of the file, if there is exactly one. */
  readonly agent: AgentBase | undefined;
};

/** One export. */
type Export = { readonly name: string; readonly value: unknown };

/** Something to offer, what to call it in an error, and where it is. */
type Found = { readonly entry: OwnEntry; readonly what: string; readonly place: Place };

type AgentClass = new () => AgentBase;

/** The agents, methods and tools among the exports of a file; mistakes in them throw, with their place. */
export function offersOf(exported: { readonly [name: string]: unknown }, file: string, watch: ModuleWatch): Offers {
  const exports = Object.entries(exported)
    .filter(([name]) => name !== "module.exports")
    .flatMap(([name, value]) => itemsOf(name, value, file, watch));
  for (const one of exports) refuseForeign(one, file);
  const agents = agentsOf(exports, file, watch);
  const found = new Map<unknown, Found>();
  const add = (one: Found) => void (found.has(one.entry) || found.set(one.entry, one));
  for (const agent of agents) for (const one of methodsOf(agent, file)) add(one);
  for (const { name, value } of exports) {
    if (readable(() => isEntry(value), file, watch))
      add({ entry: value as OwnEntry, what: `the export ${name}`, place: placeOfName(file, name) });
  }
  if (agents.size === 0 && found.size === 0) throw nothingUsable(exports, file);
  const all = [...found.values()];
  checkNames(all, file);
  const [agent] = agents;
  return { entries: all.map(({ entry }) => entry), agent: agents.size === 1 ? agent : undefined };
}

/** An export, or each of several tools that are exported as one list. */
function itemsOf(name: string, value: unknown, file: string, watch: ModuleWatch): Export[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (!items.some((item) => readable(() => isEntry(item), file, watch))) return [{ name, value }];
  return items.map((item, index) => ({ name: `${name}[${index}]`, value: item }));
}

/** What reading the author's own objects comes to: they may have getters that throw. */
function readable<T>(read: () => T, file: string, watch: ModuleWatch): T {
  try {
    return read();
  } catch (error) {
    throw loadFailure(error, file, watch);
  }
}

/** A method, a tool, or an object in the shape of one. */
function isEntry(value: unknown): value is OwnEntry {
  if (isMethod(value) || isTool(value)) return true;
  if (typeof value !== "object" || value === null || !("spec" in value) || !("execute" in value)) return false;
  return typeof value.spec === "object" && typeof value.execute === "function";
}

function isAgentClass(value: unknown): value is AgentClass {
  // Not the class of the package itself, handed on.
  return typeof value === "function" && value.prototype instanceof AgentBase && !isAgentRoot(value);
}

const isAgentRoot = (value: unknown) => typeof value === "function" && Object.getPrototypeOf(value) === AgentBase;

/** Nested runs of another copy would know nothing of this one: not of its denials, limits and approver, nor of Ctrl-C. */
function refuseForeign({ name, value }: Export, file: string): void {
  const isOwnAgent = value instanceof AgentBase || isAgentClass(value) || isAgentRoot(value);
  const foreignAgent = looksLikeAgent(value) && !isOwnAgent;
  if (!foreignAgent && !(isMethod(value) && !isOwnMethod(value))) return;
  throw fileError(
    placeOfName(file, name),
    `the export ${name} is of another copy of rondo than this command, which could not steer it; import it from "rondo", which means the command's own copy (by no path to it, and not bundled into the file)`,
  );
}

/** The agents that are exported, and one of each class that is, unless an agent or another class made of it is exported too. */
function agentsOf(exports: readonly Export[], file: string, watch: ModuleWatch): ReadonlySet<AgentBase> {
  const agents = new Set<AgentBase>();
  for (const { value } of exports) if (value instanceof AgentBase) agents.add(value);
  const classes = new Map<AgentClass, string>();
  for (const { name, value } of exports) if (isAgentClass(value)) classes.set(value, name);
  const made = [...agents];
  for (const Class of classes.keys()) {
    const isUsed = made.some((agent) => agent instanceof Class);
    const isBase = [...classes.keys()].some((other) => other.prototype instanceof Class);
    if (isUsed || isBase) continue;
    agents.add(readable(() => new Class(), file, watch));
  }
  return agents;
}

function methodsOf(agent: AgentBase, file: string): Found[] {
  const className = agent.constructor.name;
  return Object.entries(agent).flatMap(([key, value]) =>
    isMethod(value) ? [{ entry: value, what: `${className}.${key}`, place: placeOfName(file, key, className) }] : [],
  );
}

/** Throws for what no menu can hold, and for two of one name. */
function checkNames(found: readonly Found[], file: string): void {
  const byName = new Map<string, string>(builtInTools.map(({ name }) => [name, `the built-in tool ${name}`]));
  for (const { entry, what, place } of found) {
    const name = nameOf(entry, what, place);
    const other = byName.get(name);
    if (other !== undefined) {
      const where = place.line === undefined ? { file } : place;
      throw fileError(where, `${other} and ${what} are both named "${name}"; give one of them another name`);
    }
    byName.set(name, `${what}${place.line === undefined ? "" : ` (line ${place.line})`}`);
  }
}

function nameOf(entry: OwnEntry, what: string, place: Place): string {
  try {
    const tool = menuTool(entry, what);
    // Read, so that a schema that cannot be used is told with its place.
    void tool.declaration;
    return tool.name;
  } catch (error) {
    throw fileError(place, thrownMessage(error), error);
  }
}

function nothingUsable(exports: readonly Export[], file: string): Error {
  const write =
    "Export a class that extends Agent, an agent made of one, a method({ name, … }, …) or a tool({ … }), by any name";
  if (exports.length === 0) return usageError(`--agent: ${shownPath(file)} exports nothing. ${write}`);
  const list = exports.map(({ name, value }) => `${name} (${kindOf(value)})`).join(", ");
  return usageError(`--agent: ${placeText({ file })} exports nothing that can be offered, only ${list}. ${write}`);
}

function kindOf(value: unknown): string {
  if (isAgentRoot(value)) return "the class Agent itself";
  if (typeof value === "function") {
    return /^class\b/.test(Function.prototype.toString.call(value))
      ? "a class that does not extend Agent"
      : "a function";
  }
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return value === true || value === false ? "a boolean" : `a ${typeof value}`;
  if (value instanceof Promise) return "a promise; write export const x = await …";
  return "execute" in value ? "an object; wrap it in tool({ … })" : "an object";
}
