import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { RondoError } from "../../error.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import { ggufMagic } from "./gguf.ts";
import { type Got, get, patience, shownUrl } from "./http-get.ts";

/** A download into one file. */
export type Download = {
  readonly url: URL;
  /** The file that grows; beside it, with `.json` behind, stands what is needed to go on with it later. */
  readonly part: string;
  /** In lower case. */
  readonly sha256?: string;
  readonly signal: AbortSignal;
  /** Bytes that are there, and bytes of the whole if the server says. */
  readonly onProgress: (bytes: number, total: number | undefined) => void;
};

/** What of an earlier try is there, and how to ask for the rest of the very same file. */
type Begun = { readonly bytes: number; readonly source: string; readonly validator: string };

/**
 * Downloads, and goes on where an earlier try ended if the server can do that. Resolves to size and checksum of a file
 * that is whole. Rejects with a RondoError; then what came so far is kept, unless it is of no use.
 */
export async function download(wanted: Download): Promise<{ readonly size: number; readonly sha256: string }> {
  const { url, part, sha256 } = wanted;
  const begun = await begunBefore(wanted);
  const response = await ask(wanted, begun);
  const resumes = begun !== undefined && response.status === 206 && startOf(response) === begun.bytes;
  if (!resumes && response.status !== 200) return refused(wanted, response);
  const packed = response.header("content-encoding") ?? "identity";
  if (packed !== "identity") {
    response.body.destroy();
    throw problem(
      `${shownUrl(url)} sends it compressed (${packed}), though it was asked for as it is: take another address.`,
    );
  }

  const from = resumes ? begun.bytes : 0;
  const length = Number(response.header("content-length") ?? Number.NaN);
  // A part of the rest is not the rest.
  const said = resumes ? wholeOf(response) : undefined;
  const total = said ?? (Number.isFinite(length) ? from + length : undefined);
  const hash = createHash("sha256");
  let file: FileHandle | undefined;
  let size = from;
  try {
    file = await writable(part, resumes ? "a" : "w");
    await checkRoom(part, length);
    await remember(wanted, response);
    if (resumes) for await (const block of createReadStream(part)) hash.update(block);
    size = await receive(wanted, response, file, hash, from, total);
    await file.sync();
  } finally {
    // What still comes, if anything, would keep the program from its end.
    response.body.destroy();
    await file?.close();
  }
  if (total !== undefined && size < total) throw cut(url, size, total);
  const actual = hash.digest("hex");
  if (sha256 !== undefined && actual !== sha256) {
    await forget(part);
    throw problem(
      `The file from ${shownUrl(url)} is another than expected and was removed: SHA-256 is ${actual}, not ${sha256}.`,
    );
  }
  return { size, sha256: actual };
}

/** Removes what an earlier try left. */
export async function forget(part: string): Promise<void> {
  await Promise.all([rm(part, { force: true }), rm(`${part}.json`, { force: true })]);
}

async function begunBefore({ part, url, sha256 }: Download): Promise<Begun | undefined> {
  try {
    const { size } = await stat(part);
    const { source, validator } = JSON.parse(await readFile(`${part}.json`, "utf8"));
    if (size === 0 || source !== shownUrl(url)) return undefined;
    // Without a checksum and a mark of the server, two halves may be of different files.
    if (typeof validator !== "string" || (validator === "" && sha256 === undefined)) return undefined;
    return { bytes: size, source, validator };
  } catch {
    return undefined;
  }
}

async function ask({ url, signal }: Download, begun: Begun | undefined): Promise<Got> {
  // A length is to be that of the file.
  const headers: { [name: string]: string } = { "accept-encoding": "identity" };
  if (begun !== undefined) {
    headers.range = `bytes=${begun.bytes}-`;
    if (begun.validator !== "") headers["if-range"] = begun.validator;
  }
  const response = await get({ url, headers, signal });
  const whole = response.status === 416 && begun !== undefined;
  const wrong = response.status === 206 && startOf(response) !== begun?.bytes;
  if (!whole && !wrong) return response;
  // There is nothing behind what is there, or something else was sent than asked for: from the beginning.
  response.body.destroy();
  return get({ url, headers: { "accept-encoding": "identity" }, signal });
}

async function refused({ url }: Download, response: Got): Promise<never> {
  response.body.destroy();
  const hint =
    response.status === 401 || response.status === 403 ? " (it wants a user and password, or a key in the URL)" : "";
  throw problem(`${shownUrl(url)}: the server answered ${response.status} ${response.statusText}`.trimEnd() + hint);
}

async function receive(
  { url, part, signal, onProgress }: Download,
  response: Got,
  file: FileHandle,
  hash: Hash,
  from: number,
  total: number | undefined,
): Promise<number> {
  let size = from;
  let begin = from === 0 ? "" : ggufMagic;
  const blocks: AsyncIterator<Buffer> = response.body[Symbol.asyncIterator]();
  onProgress(size, total);
  for (;;) {
    const step = await nextBlock(blocks, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw cut(url, size, total, thrownMessage(error));
    });
    if (step.done) break;
    if (begin.length < 4) begin += Buffer.from(step.value.subarray(0, 4 - begin.length)).toString("latin1");
    if (!ggufMagic.startsWith(begin)) {
      response.body.destroy();
      await forget(part);
      throw problem(
        `What ${shownUrl(url)} sends is no GGUF file: it begins with ${JSON.stringify(begin)}. Give the address of the file itself, not of a page about it.`,
      );
    }
    await write(file, step.value, part, size);
    hash.update(step.value);
    size += step.value.length;
    onProgress(size, total);
  }
  if (begin.length === 4) return size;
  await forget(part);
  throw problem(`What ${shownUrl(url)} sends is no GGUF file: it is ${size} bytes long.`);
}

async function nextBlock(blocks: AsyncIterator<Buffer>, signal: AbortSignal): Promise<IteratorResult<Buffer>> {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${patience / 1000} s`)), patience);
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([blocks.next(), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function remember({ url, part }: Download, response: Got): Promise<void> {
  const tag = response.header("etag");
  // A weak mark does not tell files apart byte by byte.
  const validator = tag !== undefined && !tag.startsWith("W/") ? tag : (response.header("last-modified") ?? "");
  await writeFile(`${part}.json`, JSON.stringify({ source: shownUrl(url), validator }));
}

async function writable(path: string, flags: "a" | "w"): Promise<FileHandle> {
  return open(path, flags).catch((error) => {
    throw problem(`${path} cannot be written: ${reasonOf(error)}.`);
  });
}

async function write(file: FileHandle, block: Uint8Array, path: string, size: number): Promise<void> {
  for (let at = 0; at < block.length; ) {
    try {
      at += (await file.write(block, at)).bytesWritten;
    } catch (error) {
      throw problem(
        `${path} cannot be written: ${reasonOf(error)}. The first ${size} bytes are kept: add it again to go on.`,
      );
    }
  }
}

async function checkRoom(part: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(part));
  const room = bavail * bsize;
  if (needed > room)
    throw problem(`The disk is too full: ${needed} bytes are to come, and ${dirname(part)} has room for ${room}.`);
}

function startOf(response: Got): number {
  return Number(/^bytes (\d+)-/.exec(response.header("content-range") ?? "")?.[1] ?? Number.NaN);
}

function wholeOf(response: Got): number | undefined {
  const whole = /^bytes \d+-\d+\/(\d+)$/.exec(response.header("content-range") ?? "")?.[1];
  return whole === undefined ? undefined : Number(whole);
}

function cut(url: URL, size: number, total: number | undefined, why?: string): RondoError {
  const of = total === undefined ? "" : ` of ${total}`;
  return problem(
    `The connection to ${shownUrl(url)} ended after ${size}${of} bytes${why === undefined ? "" : ` (${why})`}. They are kept: add it again to go on.`,
  );
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "permission denied";
  return code ?? thrownMessage(error);
}

const problem = (message: string): RondoError => new RondoError("error", message);
