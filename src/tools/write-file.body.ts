import type { ToolContext } from "../menu/context.ts";
import { leftOutOf, lostOf } from "../message/redact.ts";
import type { Step } from "./apply-edits.ts";
import { isBinary } from "./file-type.ts";
import { encodeLike } from "./line-ends.ts";
import { type After, type Before, largestText, otherNames, rewrite } from "./rewrite.ts";
import { countLines } from "./same-ends.ts";
import { showCount, showSize, showSizes } from "./show-size.ts";
import { decodeText, encodeText, type TextForm } from "./text-file.ts";
import { unread } from "./unread.ts";

/** Arguments of `write_file`. */
export type WriteFileArguments = { readonly path: string; readonly content: string };

/** The body of `write_file`. */
export async function writeFile({ path, content }: WriteFileArguments, ctx: ToolContext): Promise<string> {
  checkContent(content);
  return rewrite(path, ctx, (before) => planWrite(content, before));
}

/** Throws for content that no file of text can have. */
export function checkContent(content: string): void {
  const size = Buffer.byteLength(content);
  if (size > largestText) {
    const [all, most] = showSizes(size, largestText);
    throw new Error(`The content has ${all}; at most ${most} are written at once. Write less, or several files.`);
  }
  if (!content.isWellFormed())
    throw new Error("The content has half of a character (a surrogate without its pair), which no file can hold.");
  if (isBinary(Buffer.from(content.slice(0, 8192))))
    throw new Error("The content has a NUL character, with which the file would be no text. Leave it out.");
  refuseLeftOut(content, "The content");
}

/** Throws for text in which a secret was left out when it was read: written back, the file would lose it. */
export function refuseLeftOut(text: string, what: string): void {
  const name = leftOutOf(text);
  if (name !== undefined)
    throw new Error(
      `${what} has "[redacted: ${name}]", which stands in results for the value of the environment variable ${name} and would be written as it is. Change only what stands around it, with edit_file.`,
    );
}

/** What is to be in a file that was asked to have this content; throws for one that is not to be replaced. */
export function planWrite(content: string, before: Before): After {
  const { bytes, known, shown } = before;
  if (bytes === undefined) {
    if (known === "gone")
      throw new Error(`${shown} was deleted by somebody else since you read it. Write it again if it is to be there.`);
    const made = Buffer.from(content);
    return { bytes: made, answer: `Created ${shown} (${described(content, made.length)}).` };
  }
  const old = decodeText(bytes);
  if (typeof old === "string")
    throw new Error(`${shown} ${old}, so it is not replaced by text. Write to another path.`);
  // The file's own line ends and mark, which the model does not see, unless it says line ends itself.
  const own = !content.includes("\r\n");
  const mark = old.form.bom && !content.startsWith("\uFEFF");
  const after = own
    ? encodeLike({ ...old, form: { ...old.form, bom: mark } }, content, [whole(old.text, content)], shown)
    : encodeText(content, { bom: mark, eol: "\n", mixed: false });
  if (after.equals(bytes))
    return { bytes: undefined, answer: `${shown} has this content already; nothing was written.` };
  const refusal = unread(before);
  if (refusal !== undefined) throw new Error(refusal);
  const lost = before.redacted ? lostOf(old.text, content) : undefined;
  if (lost !== undefined)
    throw new Error(
      `${shown} holds the value of the environment variable ${lost}, which stands as "[redacted: ${lost}]" in what you read and would be lost, so it is not replaced. Change only what stands around it, with edit_file.`,
    );
  const sizes = `${described(content, after.length)}; before: ${described(old.text, bytes.length)}`;
  const kept = own && content.includes("\n") ? keptEnds(old.form) : "";
  return { bytes: after, answer: `Replaced ${shown} (${sizes}).${kept}${otherNames(before.names)}` };
}

const whole = (old_string: string, new_string: string): Step => ({
  text: old_string,
  found: [0],
  old_string,
  new_string,
});

function keptEnds({ mixed, eol }: TextForm): string {
  if (mixed) return " Some lines end with CRLF and some with LF, as before.";
  return eol === "\r\n" ? " Lines end with CRLF, as before." : "";
}

function described(text: string, bytes: number): string {
  const lines = countLines(text);
  return `${showCount(lines)} ${lines === 1 ? "line" : "lines"}, ${showSize(bytes)}`;
}
