/**
 * The program of a worker thread that reads files and searches them. It is kept as text so that it runs the same from
 * source, from a bundle and under any loader, and is plain JavaScript for that reason.
 *
 * `workerData`: `source` and `flags` of the regular expression; `sure`, text without which a file cannot match, and `scan`,
 * the source of one that matches in each file that has a matching line, both `""` if there is none;
 * `lines`, whether to return lines or only counts; `context` lines around each; `max` lines per file; `width` of a line;
 * `largest`, the size in bytes above which a file is not searched; `secret`, device and number of one that is not searched
 * under any name, or `""`; `progress`, where it writes the index of the file it
 * is in and the millisecond since which it has been searching what it has read (0: it is reading).
 *
 * Each message names files: paths with NUL between them, or a list of descriptors of open ones. It is answered with
 * `{ hits, skipped }`: `[index, matching lines, [number, matches, text][]]` of the files that have some, `[index, why]`
 * of those that were not searched; or with `{ error }`.
 */
export const matcherProgram = String.raw`
"use strict";
const { closeSync, constants, fstatSync, openSync, readSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, sure, scan, lines, context, max, width, largest, secret, progress } = workerData;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const openFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
const regex = new RegExp(source, flags);
const scanner = scan === "" ? undefined : new RegExp(scan, flags + "m");
const memory = Buffer.allocUnsafeSlow(512 * 1024);
const headLength = 65536;

function clip(line, at) {
  if (line.length <= width) return line;
  const start = Math.max(0, Math.min(at - (width >> 2), line.length - width));
  return (start > 0 ? "… " : "") + line.slice(start, start + width).toWellFormed() + (start + width < line.length ? " …" : "");
}

function search(text) {
  const all = text.split("\n");
  if (all[all.length - 1] === "") all.pop();
  const rows = [];
  let count = 0, shown = 0, after = 0;
  for (let i = 0; i < all.length; i++) {
    const raw = all[i];
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const found = regex.exec(line);
    if (found === null) {
      if (after > 0) { after--; rows.push([i + 1, false, clip(line, 0)]); shown = i + 1; }
      continue;
    }
    count++;
    if (!lines) {
      if (count >= max) break;
      continue;
    }
    if (count > max) break;
    for (let j = Math.max(shown, i - context); j < i; j++) rows.push([j + 1, false, clip(all[j].replace(/\r$/, ""), 0)]);
    rows.push([i + 1, true, clip(line, found.index)]);
    shown = i + 1;
    after = context;
  }
  return [count, rows];
}

const isBinary = (bytes, start, end) => bytes.subarray(start, Math.min(end, start + 8192)).includes(0);

let answer, parts, used;

/** Searches the files that stand one behind the other in these bytes. */
function searchParts(bytes) {
  progress[0] = parts.length === 0 ? 0 : parts[0][0];
  progress[1] = Number((process.hrtime.bigint() / 1000000n) % 1000000000n) + 1;
  const all = bytes.subarray(0, used);
  const someBinary = all.includes(0);
  // Each look goes over all the files at once: most of them do not have the text.
  let next = sure === "" ? -1 : all.indexOf(sure);
  const mayMatch = (start, end) => {
    if (sure === "") return true;
    if (next !== -1 && next < start) next = all.indexOf(sure, start);
    return next !== -1 && next < end;
  };
  for (const [index, start, end] of parts) {
    progress[0] = index;
    if (someBinary && isBinary(all, start, end)) answer.skipped.push([index, "binary"]);
    else if (mayMatch(start, end)) {
      const whole = all.toString("utf8", start, end);
      const text = whole.startsWith("\ufeff") ? whole.slice(1) : whole;
      if (scanner !== undefined && !scanner.test(text)) continue;
      const [count, rows] = search(text);
      if (count > 0) answer.hits.push([index, count, rows]);
    }
  }
  parts = [];
  used = 0;
  progress[1] = 0;
}

/** Reads on up to the end of the file, or of the memory if it has grown meanwhile; returns where it ends. */
function readRest(fd, bytes, start, end) {
  for (;;) {
    const length = bytes.length - end;
    const count = length === 0 ? 0 : readSync(fd, bytes, end, length, end - start);
    end += count;
    if (count < length || count === 0) return end;
  }
}

const isSecret = ({ dev, ino }) => dev + ":" + ino === secret;

function take(index, fd) {
  if (secret !== "" && isSecret(fstatSync(fd, { bigint: true }))) {
    answer.skipped.push([index, "secret"]);
    return;
  }
  if (memory.length - used < headLength) searchParts(memory);
  // Most files end within this. A pipe cannot be read from a place in it, so that none is waited for or emptied.
  const count = readSync(fd, memory, used, headLength, 0);
  if (count < headLength) {
    parts.push([index, used, used + count]);
    used += count;
    return;
  }
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Error();
  const { size } = stats;
  if (size > largest || isBinary(memory, used, used + count)) {
    answer.skipped.push([index, size > largest ? "large" : "binary"]);
    return;
  }
  const start = used;
  // One byte more than its size, or a file that grows meanwhile would look as if it ended there.
  if (start + size < memory.length) {
    used = readRest(fd, memory, start, start + count);
    parts.push([index, start, used]);
    return;
  }
  searchParts(memory);
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  used = readRest(fd, bytes, 0, 0);
  parts.push([index, 0, used]);
  searchParts(bytes);
}

parentPort.on("message", (message) => {
  const files = typeof message === "string" ? message.split("\0") : message;
  try {
    answer = { hits: [], skipped: [] };
    parts = [];
    used = 0;
    for (let index = 0; index < files.length; index++) {
      const file = files[index];
      let fd;
      try {
        fd = typeof file === "number" ? file : openSync(file, openFlags);
      } catch {
        answer.skipped.push([index, "unreadable"]);
        continue;
      }
      try {
        take(index, fd);
      } catch (error) {
        if (progress[1] !== 0) throw error;
        answer.skipped.push([index, "unreadable"]);
      } finally {
        if (file !== fd) closeSync(fd);
      }
    }
    searchParts(memory);
    parentPort.postMessage(answer);
  } catch (error) {
    progress[1] = 0;
    parentPort.postMessage({ error: String(error && error.message), at: progress[0] });
  }
});
`;
