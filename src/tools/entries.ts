import { type Dirent, readdirSync } from "node:fs";
import { inDirectory } from "./open.ts";
import { showBytes, showName } from "./show-name.ts";
import type { Place, Workspace } from "./workspace.ts";

/** What a folder holds under one name. `shown` is the name as a visible line; `bytes` is there when the name is not UTF-8. */
export type Entry = {
  readonly name: string;
  readonly shown: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes?: Buffer;
};

/** The entries of a folder, in the order in which a walk meets whole paths in their alphabetical order; throws as `inDirectory`. */
export function readEntries(workspace: Workspace, folder: Place): Entry[] {
  return inDirectory(workspace, folder, entriesAt);
}

/** The entries of the folder at this path, sorted. */
export function entriesAt(at: string): Entry[] {
  const found = readdirSync(at, { withFileTypes: true });
  const entries = found.some(({ name }) => name.includes("\uFFFD"))
    ? readdirSync(at, { withFileTypes: true, encoding: "buffer" }).map(entryOfBytes)
    : found.map((entry): Entry => ({ name: entry.name, shown: showName(entry.name), kind: kindOf(entry) }));
  if (!entries.some(({ kind }) => kind === "folder")) return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

// "a.ts" comes before "a/b.ts": a folder is sorted as if its slash belonged to its name.
const sortKey = (entry: Entry) => (entry.kind === "folder" ? `${entry.name}/` : entry.name);

function entryOfBytes(entry: Dirent<Buffer>): Entry {
  const bytes = entry.name;
  const name = bytes.toString("utf8");
  const shared = { name, kind: kindOf(entry) };
  return Buffer.from(name).equals(bytes)
    ? { ...shared, shown: showName(name) }
    : { ...shared, shown: showBytes(bytes), bytes };
}

function kindOf(entry: Dirent<string> | Dirent<Buffer>): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
