/** Characters that some file systems do not count as part of a name. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** What a path has that more than lower case makes plain: few have any of it, and every name in a tree is looked at. */
const odd = /[^!-9;-~]|\.(?:\/|$)/;

/** A path as the most forgiving file system compares it: without regard to case, Unicode spelling, characters that are not seen, and spaces or dots at the end of a name. */
export const plainPath = (path: string): string =>
  odd.test(path) ? trimmed(path.normalize("NFKC").replace(ignorable, "").toLowerCase()) : path.toLowerCase();

/** "." and ".." stay what they are. */
const trimmed = (path: string): string =>
  path.replace(/(?<![. ])[. ]+(?=\/|$)/g, (end, at: number, all: string) =>
    at === 0 || all[at - 1] === "/" ? end : "",
  );

/**
 * All that a path may be to some file system, in lower case. To NTFS `.npmrc::$DATA` is a stream of `.npmrc`; elsewhere it
 * is a file of its own.
 */
export function spellings(path: string): readonly string[] {
  const lower = path.toLowerCase();
  if (!odd.test(path)) return [lower];
  const plain = plainPath(path);
  return [lower, plain, trimmed(plain.replace(/(?<=[^/:]):[^/]*/g, ""))];
}
