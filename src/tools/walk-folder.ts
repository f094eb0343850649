import { closeSync, constants, openSync } from "node:fs";
import { type Named, namedAt } from "./entries.ts";
import { fdFolder, inDirectory } from "./open.ts";
import { isSecretIn } from "./secret-in.ts";
import { type Place, reasonOf, type Workspace } from "./workspace.ts";

/** A folder that a walk has opened and found to be inside of the workspace. */
export type WalkedFolder = {
  readonly place: Place;
  /** Its path as a visible line. */
  readonly shown: string;
  readonly entries: readonly Named[];
  /**
   * What the path of a thing in it begins with. While the folder is open such a path leads nowhere else, whoever moves
   * the folder or puts a link in its place; undefined where there are no such paths.
   */
  readonly at: string | undefined;
  /** Keeps it open until `release` was called once more. */
  hold(): void;
  release(): void;
};

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_DIRECTORY;

/**
 * Opens a folder, held once. In an open `parent` it is opened as what has the last part of its path there, which is inside
 * as the parent is; without one it is looked where it is. Throws errors for the model, raw ones below a parent.
 */
export function openWalked(
  workspace: Workspace,
  parent: WalkedFolder | undefined,
  place: Place,
  shown: string,
): WalkedFolder {
  if (fdFolder === undefined)
    return { place, shown, entries: inDirectory(workspace, place, namedAt), at: undefined, hold() {}, release() {} };
  const fd =
    parent?.at === undefined
      ? openByPath(workspace, place)
      : openSync(parent.at + place.path.slice(place.path.lastIndexOf("/") + 1), flags);
  try {
    return held(fd, { place, shown, entries: namedAt(`${fdFolder}/${fd}`) });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a folder that was released once more, with the entries that it had; throws as {@link openWalked}. */
export const openAgain = (workspace: Workspace, { place, shown, entries, at, ...rest }: WalkedFolder): WalkedFolder =>
  at === undefined
    ? { place, shown, entries, at, ...rest }
    : held(openByPath(workspace, place), { place, shown, entries });

const openByPath = (workspace: Workspace, place: Place): number =>
  inDirectory(workspace, place, (at) => openSync(`${at}/.`, flags));

function held(fd: number, known: Pick<WalkedFolder, "place" | "shown" | "entries">): WalkedFolder {
  let holds = 1;
  return {
    ...known,
    at: `${fdFolder}/${fd}/`,
    hold() {
      holds++;
    },
    release() {
      if (--holds === 0) closeSync(fd);
    },
  };
}

/** True for a folder all of whose files are secrets, which is not opened. */
export const isSecretFolder = (workspace: Workspace, path: string): boolean =>
  !workspace.allowSecrets && isSecretIn(workspace, `${path}/`);

/** Why a folder could not be read, in words. */
export function whyUnread(cause: unknown): string {
  if (!(cause instanceof Error) || "code" in cause) return reasonOf(cause);
  return /: ([^:]+)\.$/.exec(cause.message)?.[1] ?? cause.message;
}
