import type { ToolContext } from "../menu/context.ts";
import { isBinary } from "./file-type.ts";
import { type After, type Before, largestText, rewrite } from "./rewrite.ts";
import { showCount, showSize, showSizes } from "./show-size.ts";
import { decodeText, encodeText } from "./text-file.ts";

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
}

/** What is to be in a file that was asked to have this content; throws for one that is not to be replaced. */
export function planWrite(content: string, { bytes, known, shown }: Before): After {
  if (bytes === undefined) {
    if (known === "gone")
      throw new Error(`${shown} was deleted by somebody else since you read it. Write it again if it is to be there.`);
    return { bytes: Buffer.from(content), answer: `Created ${shown} (${described(content)}).` };
  }
  const old = decodeText(bytes);
  if (typeof old === "string")
    throw new Error(`${shown} ${old}, so it is not replaced by text. Write to another path.`);
  // The file's own line ends and mark, which the model does not see, unless it says line ends itself.
  const own = !content.includes("\r\n") && !old.form.mixed;
  const mark = old.form.bom && !content.startsWith("\uFEFF");
  const after = encodeText(content, { bom: mark, eol: own ? old.form.eol : "\n", mixed: false });
  if (after.equals(bytes))
    return { bytes: undefined, answer: `${shown} has this content already; nothing was written.` };
  if (known === "changed")
    throw new Error(
      `${shown} was changed by somebody else since you read it, so it is not replaced. Read it again first.`,
    );
  if (known === "part")
    throw new Error(
      `Only a part of ${shown} was read in this run, so it is not replaced: what you have not seen would be lost. Read the rest first, or change a part of it with edit_file.`,
    );
  if (known === "unseen" && bytes.length > 0)
    throw new Error(
      `${shown} is there already and was not read in this run, so it is not replaced. Read it first, or change a part of it with edit_file.`,
    );
  const kept = own && old.form.eol === "\r\n" && content.includes("\n") ? " Lines end with CRLF, as before." : "";
  return { bytes: after, answer: `Replaced ${shown} (${described(content)}; before: ${described(old.text)}).${kept}` };
}

function described(text: string): string {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return `${showCount(lines)} ${lines === 1 ? "line" : "lines"}, ${showSize(Buffer.byteLength(text))}`;
}
