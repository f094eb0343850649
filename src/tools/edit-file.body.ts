import type { ToolContext } from "../menu/context.ts";
import { applyEdits, checkEdits, type Edit, tooLarge } from "./apply-edits.ts";
import { diffText } from "./diff-text.ts";
import { isBinary } from "./file-type.ts";
import { encodeLike } from "./line-ends.ts";
import { type After, type Before, largestText, otherNames, rewrite } from "./rewrite.ts";
import { showCount, showSize } from "./show-size.ts";
import { decodeText, toLf } from "./text-file.ts";
import { locate, workspaceOf } from "./workspace.ts";

/** Arguments of `edit_file`: several edits, or one given flat. */
export type EditFileArguments = {
  readonly path: string;
  readonly edits?: readonly Edit[];
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
};

/** Edits times bytes of the file: each goes through all of it, and nothing else is done meanwhile. */
const mostWork = 30_000_000;

/** The body of `edit_file`. */
export async function editFile(args: EditFileArguments, ctx: ToolContext): Promise<string> {
  const edits = editsOf(args);
  // Of a file that is not there, says which names are near.
  locate(workspaceOf(ctx), args.path);
  return rewrite(args.path, ctx, (before) => planEdit(edits, before));
}

/** The edits that the arguments name, checked as far as they can be without the file. */
export function editsOf(args: EditFileArguments): Edit[] {
  const { edits = [], old_string, new_string, replace_all = false } = args;
  const flat = old_string !== undefined || new_string !== undefined;
  if (flat && edits.length > 0) throw new Error("Give either edits or old_string and new_string, not both.");
  if (flat && old_string === undefined)
    throw new Error("old_string is missing: the text that new_string is to replace.");
  if (flat && new_string === undefined)
    throw new Error('new_string is missing: the text to put in the place of old_string; "" takes it away.');
  const all = flat ? [{ old_string: old_string!, new_string: new_string!, replace_all }] : edits;
  const plain = all.map((edit) => ({ ...edit, old_string: toLf(edit.old_string), new_string: toLf(edit.new_string) }));
  checkEdits(plain);
  for (const name of ["old_string", "new_string"] as const) {
    if (plain.some((edit) => !edit[name].isWellFormed()))
      throw new Error(`${name} has half of a character (a surrogate without its pair), which no file can hold.`);
  }
  return plain;
}

/** What is to be in a file that was asked to be edited so; throws for one that cannot be. */
export function planEdit(edits: readonly Edit[], { bytes, known, shown, path, names }: Before): After {
  if (bytes === undefined) throw new Error(`${shown} does not exist. To make a new file use write_file.`);
  if (known === "changed")
    throw new Error(
      `${shown} was changed by somebody else since you read it, so it is not edited. Read it again first.`,
    );
  const old = decodeText(bytes);
  if (typeof old === "string") throw new Error(`${shown} ${old}, so it cannot be edited.`);
  if (edits.length * bytes.length > mostWork)
    throw new Error(
      `${shown} has ${showSize(bytes.length)}: too many edits for a file of this size. Give at most ${Math.floor(mostWork / bytes.length)} at once. Nothing was changed.`,
    );
  const after = applyEdits(old.text, edits, shown, largestText);
  const written = encodeLike(old, after.text, after.steps, shown);
  if (written.length > largestText) throw tooLarge(shown, written.length, largestText);
  if (isBinary(written))
    throw new Error(
      `With these edits ${shown} would have a NUL character, and be no text any more. Leave it out. Nothing was changed.`,
    );
  const diff = diffText(old.text, after.text, { path, maxLines: 40, maxWidth: 200 });
  const places = after.steps.reduce((sum, { found }) => sum + found.length, 0);
  const counts = `${showCount(places)} ${places === 1 ? "replacement" : "replacements"}, +${showCount(diff.added)} -${showCount(diff.removed)} lines`;
  const seen = known === "same" ? "yes" : known === "fresh" ? "fresh" : "no";
  return { bytes: written, seen, answer: `Edited ${shown} (${counts}).${otherNames(names)}\n\n${diff.text}` };
}
