import type { Asker } from "../agent/asker.ts";
import { type DiffOptions, diffText, type TextDiff } from "./diff-text.ts";
import { type EditFileArguments, editsOf, planEdit } from "./edit-file.body.ts";
import { callIn } from "./one-reply.ts";
import { type After, type Before, lookBefore } from "./rewrite.ts";
import { seenFiles } from "./seen-files.ts";
import { rememberShown } from "./shown-files.ts";
import { decodeText, type FileText } from "./text-file.ts";
import { locate, type Workspace } from "./workspace.ts";
import { checkContent, planWrite, type WriteFileArguments } from "./write-file.body.ts";

/** A call that would write. */
export type WritingCall =
  | { readonly name: "write_file"; readonly arguments: WriteFileArguments }
  | { readonly name: "edit_file"; readonly arguments: EditFileArguments };

/**
 * How it is shown. With the id of the call, and its run, that call then writes only if the file is still what was shown.
 * What the run has read is known only with `asker`.
 */
export type PreviewOptions = Omit<DiffOptions, "path" | "notes"> & {
  readonly callId?: string | undefined;
  readonly asker?: Asker | undefined;
};

/**
 * What a call of `write_file` or `edit_file` would change, to be shown before it is approved. Changes nothing itself.
 * Throws the error that the call would end with now, and an error too where it would change nothing.
 */
export function previewWrite(
  call: WritingCall,
  workspace: Workspace,
  { callId, asker, ...options }: PreviewOptions = {},
): TextDiff {
  const { path: given } = call.arguments;
  const plan = planOf(call, workspace);
  const run = asker?.run;
  const before = lookBefore(
    given,
    workspace,
    asker && { seen: seenFiles(run), call: callIn(asker.run, asker.call), redacted: asker.run.inherited.redact },
  );
  const after = plan(before);
  if (after.bytes === undefined) throw new Error(after.answer);
  const old = textIn(before.bytes, before.shown);
  const now = textIn(after.bytes, before.shown);
  const notes = now === undefined ? [] : formChanges(old, now);
  if (before.names > 1) notes.push(`(hard links: the file has ${before.names} names, and is changed by all of them)`);
  const diff = diffText(old?.text, now?.text ?? "", { ...options, path: before.path, notes });
  if (callId !== undefined) rememberShown({ run, callId, given }, before.real, before.bytes);
  return diff;
}

/** What the call makes of what is there; its arguments are looked at first, as the tool does. */
function planOf(call: WritingCall, workspace: Workspace): (before: Before) => After {
  if (call.name === "write_file") {
    checkContent(call.arguments.content);
    return (before) => planWrite(call.arguments.content, before);
  }
  const edits = editsOf(call.arguments);
  locate(workspace, call.arguments.path);
  return (before) => planEdit(edits, before);
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
  if (before === "mixed" && after === "mixed" && old?.text === now.text)
    notes.push("(line ends: mixed before and after, on other lines)");
  const marked = old?.form.bom ?? false;
  if (marked !== now.form.bom) notes.push(`(byte order mark: ${now.form.bom ? "added" : "taken away"})`);
  return notes;
}

function endsOf(file: FileText | undefined): string {
  if (file === undefined || !file.text.includes("\n")) return "";
  if (file.form.mixed) return "mixed";
  return file.form.eol === "\n" ? "LF" : "CRLF";
}
