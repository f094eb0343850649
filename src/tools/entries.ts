import { type Dirent, readdirSync } from "node:fs";
import { showBytes, showName } from "./show-name.ts";

/** What a folder holds under one name. `bytes` is there when the name is not UTF-8. */
export type Named = {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes?: Buffer;
};

/** What a folder holds under one name; `shown` is the name as a visible line. */
export type Entry = Named & { readonly shown: string };

/** The entries of the folder at this path, in the order in which a walk meets whole paths in their alphabetical order. */
export function entriesAt(at: string): Entry[] {
  return namedAt(at).map((entry) => ({ ...entry, shown: shownOf(entry) }));
}

/** {@link entriesAt} without how they are shown, which of most names in a large tree nobody asks. */
export function namedAt(at: string): Named[] {
  const found = readdirSync(at, { withFileTypes: true });
  const entries = found.some(({ name }) => name.includes("\uFFFD"))
    ? readdirSync(at, { withFileTypes: true, encoding: "buffer" }).map(namedByBytes)
    : found.map((entry): Named => ({ name: entry.name, kind: kindOf(entry) }));
  if (!entries.some(({ kind }) => kind === "folder")) return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** The name as one visible line. */
export const shownOf = ({ name, bytes }: Named): string => (bytes === undefined ? showName(name) : showBytes(bytes));

// "a.ts" comes before "a/b.ts": a folder is sorted as if its slash belonged to its name.
const sortKey = (entry: Named) => (entry.kind === "folder" ? `${entry.name}/` : entry.name);

function namedByBytes(entry: Dirent<Buffer>): Named {
  const bytes = entry.name;
  const name = bytes.toString("utf8");
  const kind = kindOf(entry);
  return Buffer.from(name).equals(bytes) ? { name, kind } : { name, kind, bytes };
}

function kindOf(entry: Dirent<string> | Dirent<Buffer>): Named["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
