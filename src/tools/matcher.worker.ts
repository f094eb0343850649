/**
 * The program of the worker thread that searches for a pattern. It is kept as text so that it runs the same from
 * source, from a bundle and under any loader, and is plain JavaScript for that reason.
 *
 * `workerData`: `source` and `flags` of the regular expression; `literal`, text without which a file cannot match, or
 * `""`; `lines`, whether to return lines or only counts; `context` lines around each; `max` lines per file; `width` of a
 * line; `progress`, where it writes the index of the file it is in. Each message `{ bytes, files: [start, end][] }` is
 * answered with `{ counts, rows }`: matching lines per file and `[number, matches, text][]` per file; or `{ error }`.
 */
export const matcherProgram = String.raw`
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, literal, lines, context, max, width, progress } = workerData;
const regex = new RegExp(source, flags);

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
  return { count, rows };
}

parentPort.on("message", ({ bytes, files }) => {
  try {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const counts = [], rows = [];
    for (let i = 0; i < files.length; i++) {
      progress[0] = i;
      const part = all.subarray(files[i][0], files[i][1]);
      let result = { count: 0, rows: [] };
      if (literal === "" || part.includes(literal)) {
        const text = part.toString("utf8");
        result = search(text.startsWith("\ufeff") ? text.slice(1) : text);
      }
      counts.push(result.count);
      rows.push(result.rows);
    }
    parentPort.postMessage({ counts, rows });
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message) });
  }
});
`;
