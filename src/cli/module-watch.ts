import { readFileSync } from "node:fs";
import { findPackageJSON, registerHooks } from "node:module";
import { pathOf } from "./places.ts";
import { version } from "./version.ts";

/** An import that could not be found. */
export type FailedImport = { readonly specifier: string; readonly importer: string | undefined };

/** What is known of the modules that are loaded. */
export type ModuleWatch = {
  /** Files in the order in which they were read. */
  readonly files: readonly string[];
  /** The import that an error is about. */
  failedImport(error: unknown): FailedImport | undefined;
  /** The version of another copy of this package that a file would have got, if that is not this version. */
  readonly otherVersion: string | undefined;
};

/** Where the entries of the package are while the command runs from its sources. */
const sources: { readonly [specifier: string]: string } = {
  rondo: "../index.ts",
  "rondo/core": "../core.ts",
  "rondo/tools": "../tools/index.ts",
  "rondo/testing": "../testing/index.ts",
};

/**
 * From here on `rondo` and what is below it mean the copy of the package that this command is, whoever imports it:
 * agents of another copy would know nothing of the run around them, of its limits, denials and signal.
 */
export function watchModules(): ModuleWatch {
  const files: string[] = [];
  const failed = new WeakMap<object, FailedImport>();
  let otherVersion: string | undefined;
  const source = (specifier: string): string | undefined =>
    import.meta.url.endsWith(".ts") && Object.hasOwn(sources, specifier) ? sources[specifier] : undefined;

  registerHooks({
    resolve(specifier, context, next) {
      // Read first: what is handed on is written into the context.
      const importer = context.parentURL;
      try {
        if (!/^rondo(\/|$)/.test(specifier)) return next(specifier, context);
        otherVersion ??= versionFor(importer);
        return next(source(specifier) ?? specifier, { ...context, parentURL: import.meta.url });
      } catch (error) {
        const file = importer === undefined ? undefined : pathOf(importer);
        if (typeof error === "object" && error !== null) failed.set(error, { specifier, importer: file });
        throw error;
      }
    },
    load(url, context, next) {
      const file = pathOf(url);
      if (file !== undefined) files.push(file);
      return next(url, context);
    },
  });
  return {
    files,
    failedImport: (error) => (typeof error === "object" && error !== null ? failed.get(error) : undefined),
    get otherVersion() {
      return otherVersion;
    },
  };
}

/** The version of the package that a module would find by itself, if that is another one. */
function versionFor(importer: string | undefined): string | undefined {
  try {
    const manifest = importer === undefined ? undefined : findPackageJSON("rondo", importer);
    const found: unknown = manifest === undefined ? undefined : JSON.parse(readFileSync(manifest, "utf8")).version;
    return typeof found === "string" && found !== version ? found : undefined;
  } catch {
    return undefined;
  }
}
