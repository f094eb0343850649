import type { MenuTool } from "../menu/entry.ts";
import type { Runtime } from "./runtime.ts";

/** The runtime, but its tools work in this folder: those of a menu that comes from another runtime do so in that one's. */
export function inWorkspace(runtime: Runtime, workspace: string): Runtime {
  if (workspace === runtime.workspace) return runtime;
  return Object.create(runtime, { workspace: { value: workspace, enumerable: true } });
}

/** A tool that a run has of its own runtime, whatever menu it has besides. */
export function ofRuntime(runtime: Runtime, tool: MenuTool): MenuTool {
  const execute: MenuTool["execute"] = (args, ctx) => {
    if (ctx.runtime.workspace !== runtime.workspace) {
      Object.defineProperty(ctx, "runtime", { value: runtime, configurable: true });
    }
    return tool.execute(args, ctx);
  };
  return Object.create(tool, { execute: { value: execute } });
}
