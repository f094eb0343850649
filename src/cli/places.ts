import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { shownPath } from "./agent-file.ts";

/** Where something is: a file by its absolute path, and the line, from 1, if it is known. */
export type Place = { readonly file: string; readonly line?: number | undefined };

/** `agent.ts:12`. */
export function placeText({ file, line }: Place): string {
  return line === undefined ? shownPath(file) : `${shownPath(file)}:${line}`;
}

/** A path or a `file:` address, as a path; undefined for what is no file. */
export function pathOf(address: string): string | undefined {
  if (!address.startsWith("file:")) return /^(\/|[A-Za-z]:[\\/])/.test(address) ? address : undefined;
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

/** Where Node says that a file cannot be read: it puts place and source line before the stack of such an error. */
export function placeOfSyntax(stack: string): Place | undefined {
  const [, address = "", line] = /^((?:file:|\/|[A-Za-z]:[\\/])[^\n]*):(\d+)\n/.exec(stack) ?? [];
  const file = pathOf(address);
  return file === undefined ? undefined : { file, line: Number(line) };
}

/** The innermost frame of a stack that is in one of these files. */
export function placeInStack(stack: string, isTheirs: (file: string) => boolean): Place | undefined {
  for (const frame of stack.matchAll(/^\s+at (?:.*\()?((?:file:|\/|[A-Za-z]:[\\/])[^\n]*?):(\d+):\d+\)?$/gm)) {
    const file = pathOf(frame[1] ?? "");
    if (file !== undefined && isTheirs(file)) return { file, line: Number(frame[2]) };
  }
  return undefined;
}

/** Where a file names a module that it imports. */
export function placeOfImport(file: string, specifier: string): Place {
  const quoted = [`"${specifier}"`, `'${specifier}'`, `\`${specifier}\``];
  return { file, line: lineWhere(file, (line) => quoted.some((text) => line.includes(text))) };
}

/** Where a file declares a name: an export, a class, or a field behind the declaration of its class. */
export function placeOfName(file: string, name: string, inClass?: string): Place {
  if (name === "default") return { file, line: lineWhere(file, (line) => /^\s*export default\b/.test(line)) };
  if (!/^[\w$]+$/.test(name)) return { file };
  const word = name.replaceAll("$", "\\$");
  const declared = new RegExp(`\\b(?:const|let|var|function\\*?|class)\\s+${word}(?![\\w$])`);
  if (inClass === undefined) return { file, line: lineWhere(file, (line) => declared.test(line)) };
  const from = placeOfName(file, inClass).line;
  if (from === undefined) return { file };
  const field = new RegExp(`^\\s*(?:(?:public|override|readonly)\\s+)*${word}\\s*[=:]`);
  return { file, line: lineWhere(file, (line, number) => number >= from && field.test(line)) ?? from };
}

function lineWhere(file: string, matches: (line: string, number: number) => boolean): number | undefined {
  let lines: readonly string[];
  try {
    lines = readFileSync(file, "utf8").split("\n");
  } catch {
    return undefined;
  }
  const index = lines.findIndex((line, i) => matches(line, i + 1));
  return index === -1 ? undefined : index + 1;
}

/** The file that a relative import means, as it is written. */
export function importedPath(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith("file:")) return pathOf(specifier);
  return /^\.{0,2}\//.test(specifier) ? pathOf(pathToFileURL(resolve(dirname(importer), specifier)).href) : undefined;
}
