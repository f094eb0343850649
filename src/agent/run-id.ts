import { randomFillSync } from "node:crypto";

const bytes = 16;
const pool = Buffer.alloc(bytes * 128);
let used = pool.length;

/**
 * The id of a new run: 128 random bits, which nobody can guess. Not `randomUUID`: the text it gives is a tree of pieces
 * that weighs as much as a message, for as long as the run is there.
 */
export function newRunId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return `run_${pool.toString("hex", used - bytes, used)}`;
}
