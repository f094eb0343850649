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

/** `GIT~1`: how NTFS and FAT also call `.git`. A longer name is cut, and cannot be told. */
const shortName = /(?<=^|\/)([^./~]{1,6})~\d(?=\.[^./]{1,3}(?:\/|$)|\/|$)/g;

/**
 * All that a path may be to some file system, in lower case. To NTFS `.npmrc::$DATA` is a stream of `.npmrc`; elsewhere it
 * is a file of its own.
 */
export function spellings(path: string): readonly string[] {
  const lower = path.toLowerCase();
  const all = [lower];
  if (odd.test(path)) {
    const plain = plainPath(path);
    all.push(plain, trimmed(plain.replace(/(?<=[^/:]):[^/]*/g, "")));
  }
  return path.includes("~") ? [...new Set([...all, ...all.map((one) => one.replace(shortName, ".$1"))])] : all;
}
