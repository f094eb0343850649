import { realpathSync, type Stats, statSync } from "node:fs";
import { extname, isAbsolute, relative, resolve, sep } from "node:path";
import { thrownMessage } from "../message/thrown-text.ts";
import { usageError } from "./usage-error.ts";

const extensions = [".ts", ".mts", ".js", ".mjs"];

/** The absolute path of the file that `--agent` names; usage errors for what cannot be one. */
export function agentFile(given: string): string {
  const path = resolve(given);
  const found = statOf(path);
  if (found === undefined) throw usageError(`--agent: there is no file ${path}`);
  if (found.isDirectory()) throw usageError(`--agent: ${path} is a folder; name the file in it, such as agent.ts`);
  if (!extensions.includes(extname(path))) {
    throw usageError(`--agent: ${path} is none of ${extensions.join(", ")}`);
  }
  // As Node sees it: a linked package is no part of node_modules.
  const real = realpathSync(path);
  if (/\.m?ts$/.test(real) && inNodeModules(real)) {
    throw usageError(
      `--agent: Node runs no TypeScript under node_modules (${path}); copy the file out of there, or name its JavaScript`,
    );
  }
  return real;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw usageError(`--agent: ${path} cannot be read: ${thrownMessage(error)}`);
  }
}

export function inNodeModules(path: string): boolean {
  return path.split(sep).includes("node_modules");
}

/** A path as a person reads it: from the current folder if it is in there. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}
