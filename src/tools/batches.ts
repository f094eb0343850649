import { closeSync, readSync } from "node:fs";
import { isBinary } from "./file-type.ts";
import type { GlobFilter } from "./glob-filter.ts";
import type { Batch } from "./matcher.ts";
import { type OpenSeries, openSeries } from "./open.ts";
import type { Slices } from "./slices.ts";
import type { Met } from "./walk.ts";
import type { Workspace } from "./workspace.ts";

/** The largest file that is searched, in bytes. */
export const largestFile = 5 * 1024 * 1024;

/** What was not searched, and how many files were. */
export type Tally = { files: number; binary: number; secret: number; unreadable: number; readonly large: string[] };

/** A batch, with the shown paths of its files. */
export type NamedBatch = Batch & { readonly names: readonly string[] };

const batchBytes = 1024 * 1024;

type Reading = {
  readonly workspace: Workspace;
  readonly slice: Slices;
  readonly filter: GlobFilter | undefined;
  readonly tally: Tally;
};

/**
 * Reads files that a walk meets into batches of about a megabyte, or of one file that is larger. `below` gives the path
 * for the filter. The memory of a batch is used again for the second one after it.
 */
export async function* readBatches(
  met: Iterable<Met>,
  below: (path: string) => string,
  reading: Reading,
): AsyncGenerator<NamedBatch> {
  // Each is read while the one before is searched, so two pieces of memory in turn do for all.
  const ring = [newShared(), newShared()] as const;
  let turn = 0;
  let batch = newBatch(ring[turn]!);
  const series = openSeries(reading.workspace);
  try {
    for await (const file of filtered(met, below, reading)) {
      if (reading.slice.due()) await reading.slice.next();
      const outcome = readInto(batch, file, series, reading.tally);
      if (outcome === "done") continue;
      if (batch.names.length > 0) {
        yield seal(batch);
        turn = 1 - turn;
      }
      batch = newBatch(outcome < batchBytes ? ring[turn]! : new SharedArrayBuffer(outcome + 1));
      readInto(batch, file, series, reading.tally);
    }
    if (batch.names.length > 0) yield seal(batch);
  } finally {
    series.close();
  }
}

type Building = {
  readonly bytes: Buffer<SharedArrayBuffer>;
  used: number;
  readonly files: [number, number][];
  readonly names: string[];
};

const newShared = () => new SharedArrayBuffer(batchBytes);

const newBatch = (memory: SharedArrayBuffer): Building => ({
  bytes: Buffer.from(memory),
  used: 0,
  files: [],
  names: [],
});

const seal = (batch: Building): NamedBatch => ({ bytes: batch.bytes, files: batch.files, names: batch.names });

/** Reads a file behind the others. Returns its size if there is no room for it, else counts what became of it. */
function readInto(batch: Building, file: Met, series: OpenSeries, tally: Tally): "done" | number {
  let fd: number | undefined;
  try {
    const opened = series.open(file.place);
    fd = opened.fd;
    if (opened.size > largestFile) tally.large.push(file.shown);
    // One byte more than its size, or a file that grows meanwhile would look as if it ended there.
    else if (batch.used + opened.size >= batch.bytes.length) return opened.size;
    else if (!readWhole(batch, fd)) tally.binary++;
    else {
      tally.files++;
      batch.names.push(file.shown);
    }
  } catch {
    tally.unreadable++;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return "done";
}

/** False, and nothing added, if the file is binary. A file that has grown is read as far as there is room. */
function readWhole(batch: Building, fd: number): boolean {
  const start = batch.used;
  let end = start;
  for (;;) {
    // Of a large file its head first: enough to see that it is binary.
    const length = Math.min(batch.bytes.length - end, end === start ? 65_536 : batch.bytes.length);
    const count = length === 0 ? 0 : readSync(fd, batch.bytes, end, length, end - start);
    if (end === start && isBinary(batch.bytes.subarray(start, start + count))) return false;
    end += count;
    if (count < length || count === 0) break;
  }
  batch.files.push([start, end]);
  batch.used = end;
  return true;
}

/** The files to read: regular ones that fit the filter, which is asked in chunks. */
async function* filtered(met: Iterable<Met>, below: (path: string) => string, reading: Reading): AsyncGenerator<Met> {
  const { filter, slice, tally } = reading;
  let chunk: Met[] = [];
  function sift(): Met[] {
    const fits = filter?.(chunk.map(({ path }) => below(path)));
    const fit = fits === undefined ? chunk : chunk.filter((_, index) => fits[index]);
    chunk = [];
    return fit;
  }
  for (const one of met) {
    if (slice.due()) await slice.next();
    if (one.kind === "secret") tally.secret++;
    else if (one.kind === "unreadable") tally.unreadable++;
    else if (one.kind === "file") chunk.push(one);
    if (chunk.length >= (filter === undefined ? 64 : 4_096)) yield* sift();
  }
  yield* sift();
}
