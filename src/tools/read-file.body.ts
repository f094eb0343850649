import type { Hash } from "node:crypto";
import { closeSync, fstatSync, read as readCallback } from "node:fs";
import { promisify } from "node:util";
import type { ToolContext } from "../menu/context.ts";
import { binaryKind, isBinary } from "./file-type.ts";
import { maxChars, maxLine } from "./limits.ts";
import { lineWindow, type Window } from "./line-window.ts";
import { allLines, type Lines, without } from "./lines.ts";
import { callAround } from "./one-reply.ts";
import { type OpenFile, openFile } from "./open.ts";
import { seenFiles, startHash } from "./seen-files.ts";
import { showPath } from "./show-name.ts";
import { showCount, showSize } from "./show-size.ts";
import { locate, reasonOf, workspaceOf } from "./workspace.ts";

/** Arguments of `read_file`. */
export type ReadFileArguments = { readonly path: string; readonly offset?: number; readonly limit?: number };

const read = promisify(readCallback);
const chunkBytes = 256 * 1024;

/** Behind what is shown, so many bytes are still read to count the lines of the file. */
const countBytes = 64 * 1024 * 1024;

/** The body of `read_file`. */
export async function readFile(args: ReadFileArguments, ctx: ToolContext): Promise<string> {
  const { signal } = ctx;
  signal.throwIfAborted();
  const workspace = workspaceOf(ctx);
  const place = locate(workspace, args.path);
  const file = openFile(workspace, place);
  try {
    const seen = seenFiles();
    const stats = seen && fstatSync(file.fd, { bigint: true });
    const hash = seen && startHash();
    const room = ctx.maxResultChars ?? Number.POSITIVE_INFINITY;
    const { answer, ended, lines } = await show(args, room, file, signal, hash);
    const whole = answer.length <= room ? lines : [];
    const showing = { lines: whole, by: callAround() };
    if (stats !== undefined) seen?.add(place.real, stats, ended ? hash?.digest("base64") : undefined, showing);
    return answer;
  } finally {
    closeSync(file.fd);
  }
}

/** `ended` says whether all of the file was read, and is in the hash; `lines` which of them are in the answer, and whole. */
type Shown = { readonly answer: string; readonly ended: boolean; readonly lines: readonly Lines[] };

/** Characters that the notes under a text take at most. */
const notesChars = 500;

async function show(
  args: ReadFileArguments,
  room: number,
  file: OpenFile,
  signal: AbortSignal,
  hash?: Hash,
): Promise<Shown> {
  const from = Math.max(1, Math.floor(args.offset ?? 1));
  const lines = Math.max(1, Math.floor(args.limit ?? 2_000));
  // What is cut is cut here, where going on can be explained.
  const chars = Math.max(1, Math.min(maxChars, room - Math.min(notesChars, Math.floor(room / 2))));
  // A line that is asked for alone is worth all the room.
  const window = lineWindow({ from, lines, chars, lineBytes: lines === 1 ? chars : Math.min(maxLine, chars) });
  const { bytes, ended } = await passThrough(args.path, file, window, signal, hash);
  const result = window.result();
  if (bytes === 0) return { answer: "[The file is empty.]", ended, lines: [allLines] };
  if (result.lines.length === 0) {
    const count = showCount(result.seen);
    throw new Error(
      `"${showPath(args.path)}" has only ${count} ${result.seen === 1 ? "line" : "lines"}, so there is nothing from line ${showCount(from)} on.`,
    );
  }
  const notes = notesOf(result, from, file.size, ended);
  const text = result.lines.join("\n") + (!result.full && result.endsWithNewline ? "\n" : "");
  const answer = notes === "" ? text : `${text}${text.endsWith("\n") ? "\n" : "\n\n"}[${notes}]`;
  return { answer, ended, lines: without([from, result.full ? result.last : allLines[1]], result.cut) };
}

/** Sends the file through the window chunk by chunk; `ended` says whether it came to the end of the file. */
async function passThrough(
  path: string,
  file: OpenFile,
  window: ReturnType<typeof lineWindow>,
  signal: AbortSignal,
  hash: Hash | undefined,
) {
  const chunk = Buffer.alloc(chunkBytes);
  let [bytes, counted] = [0, 0];
  for (;;) {
    const { bytesRead } = await read(file.fd, chunk, 0, chunkBytes, bytes).catch((error: unknown) => {
      throw new Error(`"${showPath(path)}" cannot be read: ${reasonOf(error)}.`);
    });
    signal.throwIfAborted();
    if (bytesRead === 0) return { bytes, ended: true };
    const part = chunk.subarray(0, bytesRead);
    if (bytes === 0 && isBinary(part))
      throw new Error(
        `"${showPath(path)}" is a binary file (${showSize(file.size)}, ${binaryKind(part)}); only text can be read.`,
      );
    bytes += bytesRead;
    hash?.update(part);
    if (window.isFull()) counted += bytesRead;
    window.push(part);
    if (counted > countBytes) return { bytes, ended: false };
  }
}

function notesOf(result: Window, from: number, size: number, ended: boolean): string {
  const notes: string[] = [];
  if (result.full || from > 1) {
    const total = ended
      ? showCount(result.seen)
      : `at least ${showCount(result.seen)} (the file has ${showSize(size)})`;
    const next = result.full ? ` Go on with offset ${result.last + 1}.` : " This is the end of the file.";
    notes.push(`Lines ${showCount(from)} to ${showCount(result.last)} of ${total}.${next}`);
  }
  if (result.ends === "CRLF") notes.push("Lines of the file end with CRLF, shown as LF.");
  if (result.ends === "mixed")
    notes.push("Lines of the file end partly with LF, partly with CRLF (mixed), shown as LF.");
  if (result.notUtf8) notes.push("The file is not all UTF-8; bytes that are not text are shown as \uFFFD.");
  return notes.join(" ");
}
