import { type DiffOptions, diffText, type TextDiff } from "./diff-text.ts";
import { type EditFileArguments, editsOf, planEdit } from "./edit-file.body.ts";
import { lookBefore } from "./rewrite.ts";
import { rememberShown } from "./shown-files.ts";
import { decodeText, type FileText } from "./text-file.ts";
import type { Workspace } from "./workspace.ts";
import { checkContent, planWrite, type WriteFileArguments } from "./write-file.body.ts";

/** A call that would write. */
export type WritingCall =
  | { readonly name: "write_file"; readonly arguments: WriteFileArguments }
  | { readonly name: "edit_file"; readonly arguments: EditFileArguments };

/** How it is shown. With the id of the call, that call then writes only if the file is still what was shown. */
export type PreviewOptions = Omit<DiffOptions, "path" | "notes"> & { readonly callId?: string | undefined };

/**
 * What a call of `write_file` or `edit_file` would change, to be shown before it is approved. Changes nothing itself.
 * Throws the error that the call would end with, as far as it can be known: not whether the run has read the file.
 */
export function previewWrite(
  call: WritingCall,
  workspace: Workspace,
  { callId, ...options }: PreviewOptions = {},
): TextDiff {
  if (call.name === "write_file") checkContent(call.arguments.content);
  const before = lookBefore(call.arguments.path, workspace);
  const after =
    call.name === "write_file" ? planWrite(call.arguments.content, before) : planEdit(editsOf(call.arguments), before);
  const old = textIn(before.bytes, before.shown);
  const now = textIn(after.bytes ?? before.bytes, before.shown);
  const notes = now === undefined ? [] : formChanges(old, now);
  const diff = diffText(old?.text, now?.text ?? "", { ...options, path: before.path, notes });
  if (callId !== undefined) rememberShown(callId, before.real, before.bytes);
  return diff;
}

/** The text of a file that is there. One that cannot be shown must not look like an empty one. */
function textIn(bytes: Uint8Array | undefined, shown: string): FileText | undefined {
  const found = bytes === undefined ? undefined : decodeText(bytes);
  if (typeof found === "string") throw new Error(`What ${shown} would hold ${found}, and cannot be shown.`);
  return found;
}

/** In words what the lines of a difference do not show: they are compared with LF and without a mark. */
function formChanges(old: FileText | undefined, now: FileText): string[] {
  const notes: string[] = [];
  const [before, after] = [endsOf(old), endsOf(now)];
  if (old === undefined && after !== "LF" && after !== "") notes.push(`(line ends: ${after})`);
  if (before !== "" && after !== "" && before !== after)
    notes.push(`(line ends of the whole file: ${after}, before: ${before})`);
  const marked = old?.form.bom ?? false;
  if (marked !== now.form.bom) notes.push(`(byte order mark: ${now.form.bom ? "added" : "taken away"})`);
  return notes;
}

function endsOf(file: FileText | undefined): string {
  if (file === undefined || !file.raw.includes("\n")) return "";
  if (file.form.mixed) return "mixed";
  return file.form.eol === "\n" ? "LF" : "CRLF";
}
