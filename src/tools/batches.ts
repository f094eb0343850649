import { closeSync } from "node:fs";
import { join } from "node:path";
import { type Named, shownOf } from "./entries.ts";
import type { GlobFilter } from "./glob-filter.ts";
import type { Searched } from "./matcher.ts";
import { fdFolder, openRegular } from "./open.ts";
import type { Slices } from "./slices.ts";
import { type Met, prefixed } from "./walk.ts";
import type { WalkedFolder } from "./walk-folder.ts";
import type { Place, Workspace } from "./workspace.ts";

/** What was not searched, and how many files were. */
export type Tally = { files: number; binary: number; secret: number; unreadable: number; readonly large: string[] };

/** Files that are searched at once. `shown` is the path of the one with this index as a visible line; `release` closes what is open for them. */
export type Batch = {
  readonly files: Searched;
  readonly count: number;
  shown(index: number): string;
  release(): void;
};

type Candidate = { readonly folder: WalkedFolder; readonly file: Named };

type Batching = {
  readonly workspace: Workspace;
  /** Where the walk began: it is an error if nothing can be read at all. */
  readonly start: Place;
  readonly slice: Slices;
  readonly filter: GlobFilter | undefined;
  readonly tally: Tally;
};

/** Folders of a batch, which are open until it is released. */
const mostFolders = 32;

/**
 * The files that a walk meets and that fit the filter, in batches; what is not to be read is counted. `below` gives the
 * path for the filter.
 */
export async function* batchesOf(
  walked: Iterable<Met>,
  below: (path: string) => string,
  { workspace, start, slice, filter, tally }: Batching,
): AsyncGenerator<Batch> {
  const mostFiles = filter === undefined ? 128 : 512;
  let candidates: Candidate[] = [];
  let folders = new Set<WalkedFolder>();
  function take(): Batch {
    const fits = filter?.(candidates.map(({ folder, file }) => below(pathOf(folder, file))));
    const fit = fits === undefined ? candidates : candidates.filter((_, index) => fits[index]);
    const batch = batchOf(workspace, folders, fit);
    candidates = [];
    folders = new Set();
    return batch;
  }
  try {
    for (const met of walked) {
      if (slice.due()) await slice.next();
      if (met.kind === "secret") tally.secret++;
      else if (met.kind === "unreadable") {
        if (met.path === start.path) throw met.cause;
        tally.unreadable++;
      } else if (met.kind === "files") {
        for (const file of met.files) {
          if (!folders.has(met.folder)) met.folder.hold();
          folders.add(met.folder);
          candidates.push({ folder: met.folder, file });
          if (candidates.length >= mostFiles) yield take();
        }
        if (folders.size >= mostFolders) yield take();
      }
    }
    if (candidates.length > 0) yield take();
  } finally {
    for (const folder of folders) folder.release();
  }
}

function batchOf(workspace: Workspace, folders: ReadonlySet<WalkedFolder>, candidates: readonly Candidate[]): Batch {
  const files =
    fdFolder === undefined
      ? candidates.map(({ folder, file }) => openAt(workspace, folder, file))
      : candidates.map(({ folder, file }) => folder.at + file.name).join("\0");
  return {
    files,
    count: candidates.length,
    shown(index) {
      const { folder, file } = candidates[index]!;
      return prefixed(folder, shownOf(file));
    },
    release() {
      for (const folder of folders) folder.release();
      if (typeof files !== "string") for (const fd of files) if (fd !== noFile) closeSync(fd);
    },
  };
}

/** A descriptor that there is not: the file is found to be unreadable as others are. */
const noFile = -1;

/** Without paths that lead nowhere else, a file is opened here and then looked where it is. */
function openAt(workspace: Workspace, folder: WalkedFolder, file: Named): number {
  const path = pathOf(folder, file);
  try {
    return openRegular(workspace, { given: path, named: path, path, real: join(folder.place.real, file.name) }).fd;
  } catch {
    return noFile;
  }
}

const pathOf = ({ place }: WalkedFolder, { name }: Named): string =>
  place.path === "" ? name : `${place.path}/${name}`;
