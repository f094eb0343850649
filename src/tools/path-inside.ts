import { isAbsolute, relative, sep } from "node:path";

/** The path relative to the root with `/` between its parts, or undefined if it is not inside. */
export function pathInside(root: string, absolute: string): string | undefined {
  const path = relative(root, absolute);
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
