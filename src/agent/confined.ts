import type { MenuTool } from "../menu/entry.ts";
import type { Confinement, Runtime } from "./runtime.ts";

const same = (a: Confinement, b: Confinement): boolean =>
  a.workspace === b.workspace && a.allowSecrets === b.allowSecrets && a.allowUnsafePaths === b.allowUnsafePaths;

/** The runtime, but its tools reach what those of another do: a menu that comes from there works as it did there. */
export function confinedAs(runtime: Runtime, { workspace, allowSecrets, allowUnsafePaths }: Confinement): Runtime {
  if (same(runtime, { workspace, allowSecrets, allowUnsafePaths })) return runtime;
  return Object.create(runtime, {
    workspace: { value: workspace, enumerable: true },
    allowSecrets: { value: allowSecrets, enumerable: true },
    allowUnsafePaths: { value: allowUnsafePaths, enumerable: true },
  });
}

const owners = new WeakMap<MenuTool, Runtime>();

/** The runtime that a tool of {@link ofRuntime} works with. */
export const ownerOf = (tool: MenuTool): Runtime | undefined => owners.get(tool);

/** A tool that a run has of its own runtime, whatever menu it has besides. */
export function ofRuntime(runtime: Runtime, tool: MenuTool): MenuTool {
  const execute: MenuTool["execute"] = (args, ctx) => {
    if (!same(ctx.runtime, runtime)) Object.defineProperty(ctx, "runtime", { value: runtime, configurable: true });
    return tool.execute(args, ctx);
  };
  const own: MenuTool = Object.create(tool, { execute: { value: execute } });
  owners.set(own, runtime);
  return own;
}
