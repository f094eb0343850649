import { type DiffOptions, diffText, type TextDiff } from "./diff-text.ts";
import { type EditFileArguments, editsOf, planEdit } from "./edit-file.body.ts";
import { lookBefore } from "./rewrite.ts";
import { decodeText } from "./text-file.ts";
import type { Workspace } from "./workspace.ts";
import { planWrite, type WriteFileArguments } from "./write-file.body.ts";

/** A call that would write. */
export type WritingCall =
  | { readonly name: "write_file"; readonly arguments: WriteFileArguments }
  | { readonly name: "edit_file"; readonly arguments: EditFileArguments };

/**
 * What a call of `write_file` or `edit_file` would change, to be shown before it is approved. Changes nothing itself.
 * Throws the error that the call would end with, as far as it can be known: not whether the run has read the file.
 */
export function previewWrite(
  call: WritingCall,
  workspace: Workspace,
  options: Omit<DiffOptions, "path"> = {},
): TextDiff {
  const before = lookBefore(call.arguments.path, workspace);
  const after =
    call.name === "write_file" ? planWrite(call.arguments.content, before) : planEdit(editsOf(call.arguments), before);
  const textOf = (bytes: Uint8Array | undefined) => {
    const found = bytes === undefined ? undefined : decodeText(bytes);
    return typeof found === "string" ? undefined : found?.text;
  };
  const old = textOf(before.bytes);
  return diffText(old, after.bytes === undefined ? (old ?? "") : (textOf(after.bytes) ?? ""), {
    ...options,
    path: before.path,
  });
}
