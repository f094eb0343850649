import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { mistake } from "./check-options.ts";

/** What the parts of one message may hold together, in bytes. No provider takes more in one request. */
const maxBytes = 50_000_000;

/** Throws if the parts of a message hold more than they may; `where` is the part that brings them over. */
export function checkSize(bytes: number, where: string): void {
  if (bytes <= maxBytes) return;
  const megabytes = (Math.ceil(bytes / 100_000) / 10).toFixed(1);
  throw mistake(
    `${where} brings its message to ${megabytes} MB; the parts of a message may hold 50 MB together. Send less, or give the model a tool that reads what it needs.`,
  );
}

/**
 * The bytes of a file that the caller names. `where` names the part in errors, which say what is wrong with the path;
 * `before` is what the parts before it hold.
 */
export function readPath(path: string, where: string, before: number): Buffer {
  const problem = (what: string) => mistake(`${where}: the file ${JSON.stringify(path)} ${what}.`);
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw problem("is a folder; give the path of a file in it");
    if (!found.isFile()) throw problem("is no regular file; give its content as data");
    checkSize(before + found.size, where);
    const bytes = readFileSync(path);
    if (bytes.length === 0) throw problem("is empty; leave it out or give one with content");
    checkSize(before + bytes.length, where);
    return bytes;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "invalid_option") throw error;
    if (code === "ENOENT" || code === "ENOTDIR") {
      const full = resolve(path);
      const from = full === path ? "" : ` (looked for ${full})`;
      throw problem(`is not there${from}; check the path, relative ones start at the current folder`);
    }
    const denied = code === "EACCES" || code === "EPERM";
    throw problem(denied ? "may not be read; check its permissions" : `cannot be read: ${message}`);
  }
}
