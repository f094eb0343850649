import { existsSync } from "node:fs";
import { dirname, extname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { RondoError } from "../error.ts";
import { isError, thrownMessage } from "../message/thrown-text.ts";
import { inNodeModules, shownPath } from "./agent-file.ts";
import { findSyntaxError } from "./find-syntax-error.ts";
import type { ModuleWatch } from "./module-watch.ts";
import { importedPath, type Place, placeInStack, placeOfImport, placeOfSyntax, placeText } from "./places.ts";

/** A mistake in the agent's file: one line that begins with its place. */
export function fileError(place: Place, problem: string, cause?: unknown): RondoError {
  return new RondoError("error", `${placeText(place)}: ${problem}`, { cause });
}

/** Once built, all files of the package lie in one folder. */
const ownFolder = dirname(fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? ".." : ".", import.meta.url)));

/** True for files that a person can do something about: no packages, and nothing of this command. */
export function isTheirs(file: string): boolean {
  return !inNodeModules(file) && !file.startsWith(`${ownFolder}${sep}`);
}

/** Why a file did not load, with the place of the mistake and what to do about it. */
export function loadFailure(error: unknown, file: string, watch: ModuleWatch): RondoError {
  if (!isError(error)) {
    const what = typeof error === "string" ? JSON.stringify(error) : thrownMessage(error);
    return fileError({ file }, `threw ${what}`, error);
  }
  const found = watch.failedImport(error);
  if (found !== undefined) return importFailure(error, found.specifier, found.importer ?? file);
  const stack = error.stack ?? "";
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    const inside = watch.files.at(-1) ?? file;
    return fileError({ file }, `it imports ${inside}: Node runs no TypeScript under node_modules`, error);
  }
  if (error instanceof SyntaxError && placeInStack(stack, isTheirs) === undefined) {
    const files = [...watch.files].reverse().filter(isTheirs);
    const place = placeOfSyntax(stack) ?? findSyntaxError(files) ?? { file: files[0] ?? file };
    return fileError(place, `${error.message}${syntaxHint(error.message, code, place.file)}`, error);
  }
  const name = error.name === "Error" || RondoError.isInstance(error) ? "" : error.name;
  const problem = [name, error.message].filter((part) => part !== "").join(": ") || "threw an Error";
  return fileError(placeInStack(stack, isTheirs) ?? { file }, problem, error);
}

function syntaxHint(message: string, code: string | undefined, file: string): string {
  if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return "; Node only strips types: no enum, no namespace with code, no parameter properties (tsc: erasableSyntaxOnly)";
  }
  if (message.startsWith("Cannot use import statement") || message.startsWith("Unexpected token 'export'")) {
    const module = extname(file) === ".ts" ? ".mts" : ".mjs";
    return `; its package.json says that it is no ES module: write "type": "module" there, or name the file ${module}`;
  }
  if (message.includes("does not provide an export named") && /\.m?ts$/.test(file)) {
    return "; if that is a type, write import type { … }";
  }
  return "";
}

function importFailure(error: Error, specifier: string, importer: string): RondoError {
  const place = placeOfImport(importer, specifier);
  const path = importedPath(importer, specifier);
  const { code } = error as NodeJS.ErrnoException;
  if (path !== undefined) {
    const problem = existsSync(path) ? `"${specifier}" cannot be imported` : `there is no file ${shownPath(path)}`;
    return fileError(place, `${problem}${nearFile(path, specifier)}`, error);
  }
  if (code !== "ERR_MODULE_NOT_FOUND") return fileError(place, error.message.replace(/ imported from .*/s, ""), error);
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [specifier];
  return fileError(place, `the package ${name} is not installed here; npm install ${name}`, error);
}

/** The file that was meant, where only its ending is missing or wrong. */
function nearFile(path: string, specifier: string): string {
  const ending = /\.[mc]?[jt]sx?$/;
  const [bare, written] = [path, specifier].map((text) => text.replace(ending, "")) as [string, string];
  for (const end of [".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.js"]) {
    if (existsSync(`${bare}${end}`)) return `; did you mean "${written}${end}"? (Node wants it with its ending)`;
  }
  return "";
}
