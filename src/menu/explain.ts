import { declaredTokens } from "./deferral/declared-size.ts";
import { type MenuTool, menuTool } from "./entry.ts";
import { type MenuRequest, resolveMenu } from "./menu.ts";

/** What becomes of a tool in a menu, and why. */
export type ToolExplanation = {
  readonly name: string;
  readonly description: string;
  /** About how many tokens its declaration takes, at four characters a token; absent for one whose schema cannot be used, or that was kept out of the registry. */
  readonly tokens?: number;
} & (
  | { readonly status: "offered" }
  | {
      /** It can be called, but the model is not told of it from the start: it finds it with `tool_search`. */
      readonly status: "deferred";
      readonly gate: "deferral";
      readonly reason: string;
    }
  | {
      readonly status: "dropped";
      /** The first gate that keeps it out. */
      readonly gate: "schema" | "registration" | "exposure" | "preset" | "source" | "availability" | "policy";
      readonly reason: string;
    }
);

/** Every tool that a request could be about: what may be called in the order of the menu, then what may not. Throws as `resolveMenu` does. */
export function explainMenu(request: MenuRequest): readonly ToolExplanation[] {
  const { menu } = resolveMenu(request);
  const { registry } = request;
  const all: ToolExplanation[] = [];
  const waiting: ToolExplanation[] = [];
  for (const name of menu.names) {
    const tool = menu.find(name)!;
    const about = { name, description: tool.description, tokens: declaredTokens(tool) };
    const reason = menu.deferred.get(name);
    if (reason === undefined) all.push({ ...about, status: "offered" });
    else waiting.push({ ...about, status: "deferred", gate: "deferral", reason });
  }
  all.push(...waiting);
  const own = ownTools(Array.isArray(request.entries) ? request.entries : []);
  for (const { name, gate, reason } of menu.dropped) {
    const tool = own.get(name) ?? registry.get(name);
    const about = {
      name,
      description: tool?.description ?? "",
      ...(tool && sizeOf(tool)),
    };
    all.push({ ...about, status: "dropped", gate, reason });
  }
  const told = new Set(all.map(({ name }) => name));
  const reason = request.entries === "none" ? 'toolset "none" names no tool' : "tools does not name it";
  for (const tool of registry.all()) {
    if (told.has(tool.name)) continue;
    const { name, description } = tool;
    all.push({ name, description, ...sizeOf(tool), status: "dropped", gate: "preset", reason });
  }
  for (const { name, gate, reason } of registry.refused()) {
    if (!told.has(name)) all.push({ name, description: "", status: "dropped", gate, reason });
  }
  return all;
}

const sizeOf = (tool: MenuTool) => (tool.input.problem === undefined ? { tokens: declaredTokens(tool) } : {});

/** The tools that a request brings itself, by name. */
function ownTools(entries: readonly unknown[]): ReadonlyMap<string, MenuTool> {
  const tools = new Map<string, MenuTool>();
  for (const entry of entries) {
    if (typeof entry === "string" || (typeof entry !== "object" && typeof entry !== "function")) continue;
    if (entry === null || ("named" in entry && !("execute" in entry))) continue;
    const tool = menuTool(entry as Parameters<typeof menuTool>[0]);
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return tools;
}
