import { plainPath, spellings } from "./plain-path.ts";
import { type UnsafeKind, unsafeKinds } from "./unsafe-kinds.ts";

/**
 * The kind of file that this is, if it is one that others execute or trust. The path is relative with `/` between its
 * parts. Compared as the most forgiving file system does.
 */
export function unsafeKind(path: string): UnsafeKind | undefined {
  const spelt = spellings(`/${path}`);
  return unsafeKinds.find(({ pattern }) => spelt.some((one) => pattern.test(one)));
}

/** What git reads in a repository that has no `.git` folder around it. */
const gitNames = /^(?:config(?:\.worktree)?|commondir|hooks|info|modules|objects|refs|worktrees)$/;

/**
 * Folders on the way to this file that would be read as a git repository if they have a file `HEAD`: those in which the
 * path goes on with a name that git knows. Relative as the path is, `""` for the root.
 */
export function gitFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.flatMap((name, at) => (gitNames.test(plainPath(name)) ? [parts.slice(0, at).join("/")] : []));
}
