const words = (all: string): string => all.trim().split(/\s+/).join("|");

/** What editors, people and package managers put behind a name, or before its last ending, for a copy. */
const mark = new RegExp(
  `^(?:[._ (-]?(?:${words(`bak backup old orig original save saved copy kopie copie copia tmp temp new sw[a-p] rej
    rpmnew rpmsave rpmorig dpkg-(?:old|new|dist|tmp|bak|inst)`)})?\\d*\\)?|[~#]\\d*)$`,
);

/** How a file is called that is packed, encrypted or signed, or was kept from being run or hidden. */
const wrapping = new RegExp(`^\\.(?:${words("txt text gz tgz bz2 xz zst lz4 br zip 7z rar tar gpg pgp asc")})$`);

/** What stands before the name of a copy. */
const front = new RegExp(`^(?:(?:${words("copy kopie copie copia")}) (?:\\(\\d+\\) )?(?:of|von|de|di) )+|^\\.?#`);

/** One piece of a name with what is before it. Names come from strangers: this can be read in one way only. */
const piece = /[._ ~#(-]?(?:dpkg-)?[^._ ~#(-]+|[._ ~#(-]/g;

/**
 * The names of what a file may be a copy of, itself among them: marks of copies are taken off until none is left, in a time
 * that grows with the name. The path is in lower case; that of a folder ends with `/`.
 */
export function copiedNames(path: string): readonly string[] {
  const start = path.lastIndexOf("/") + 1;
  const [folder, whole] = [path.slice(0, start), path.slice(start)];
  const name = whole.replace(front, "");
  const pieces = name.match(piece) ?? [];
  let end = pieces.length;
  while (end > 1 && (mark.test(pieces[end - 1]!) || wrapping.test(pieces[end - 1]!))) end--;
  let inner = end - 1;
  while (inner > 1 && mark.test(pieces[inner - 1]!)) inner--;
  if (end === pieces.length && inner >= end - 1 && name === whole) return [path];
  const bare = pieces.slice(0, end).join("");
  const names = [path, folder + bare];
  if (inner > 0 && inner < end - 1) names.push(folder + pieces.slice(0, inner).join("") + pieces[end - 1]!);
  // Vim puts a dot in front as well.
  if (/^\.sw[a-p]$/.test(pieces.at(-1) ?? "")) names.push(folder + bare.replace(/^\./, ""));
  return names;
}
