import type { Confinement } from "../agent/runtime.ts";
import { previewWrite, type WritingCall } from "../tools/preview.ts";
import { openWorkspace } from "../tools/workspace.ts";

/** Lines of a change that are shown, and the longest of them: a person reads them before saying yes. */
const bounds = { maxLines: 1_000, maxWidth: 2_000 };

/**
 * What a call would change, as a unified diff; undefined for tools that write no files, and for a call that will fail or
 * change nothing: it will itself say what is wrong with it. With its id the call then writes only over what was shown.
 */
export function previewOf(name: string, args: unknown, confinement: Confinement, callId?: string): string | undefined {
  if (!isWriting({ name, arguments: args })) return undefined;
  try {
    const call = { name, arguments: args } as WritingCall;
    return (
      previewWrite(call, openWorkspace(confinement.workspace, confinement), { ...bounds, callId }).text || undefined
    );
  } catch {
    return undefined;
  }
}

/** A tool of somebody else may have the same name and other arguments. */
function isWriting({ name, arguments: args }: { readonly name: string; readonly arguments: unknown }): boolean {
  if (typeof args !== "object" || args === null) return false;
  const { path, content } = args as { readonly path?: unknown; readonly content?: unknown };
  if (typeof path !== "string") return false;
  return name === "edit_file" || (name === "write_file" && typeof content === "string");
}
