import { askerOf } from "../agent/asker.ts";
import type { ApprovalRequest } from "../agent/options.ts";
import { editFile, writeFile } from "../tools/index.ts";
import { previewWrite, type WritingCall } from "../tools/preview.ts";
import { openWorkspace } from "../tools/workspace.ts";

/** Lines of a change that are shown, and the longest of them: a person reads them before saying yes. */
const bounds = { maxLines: 1_000, maxWidth: 2_000 };

/** What would come of a call: a change, as a unified diff; or why there would be none. */
export type Foreseen = { readonly change: string } | { readonly problem: string };

/**
 * What would come of a call of the built-in tools that write; undefined for all others. `folder` is where tools work
 * unless it is said. The call then writes only over what was shown.
 */
export function foresee(request: ApprovalRequest, folder: string): Foreseen | undefined {
  const { call, tool, arguments: args, runtime } = request;
  if (tool !== writeFile && tool !== editFile) return undefined;
  const writing = { name: call.name, arguments: args } as WritingCall;
  const options = { ...bounds, callId: call.id, asker: askerOf(request) };
  try {
    const { text } = previewWrite(writing, openWorkspace(runtime.workspace, runtime), options);
    return { change: runtime.workspace === folder ? text : `(in ${runtime.workspace})\n${text}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
