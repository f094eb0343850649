/** What a module loads as soon as it is imported: the graph of its static imports that are no mere types. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** An import of a package, and the files on the way to it from the entry. */
export type PackageImport = { readonly name: string; readonly way: readonly string[] };

/**
 * The packages that an entry loads, those of Node left out, each with the first way found to it. Only `import type` and
 * `export type` are erased; `import { type A }` still loads its module. Throws for a relative import of no file.
 */
export function packagesLoadedBy(entry: string): readonly PackageImport[] {
  const found = new Map<string, PackageImport>();
  const seen = new Set<string>();
  const visit = (file: string, before: readonly string[]): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const way = [...before, file];
    if (!existsSync(file)) throw new Error(`${way.join(" -> ")}: there is no such file`);
    if (!file.endsWith(".ts")) return;
    for (const target of importsOf(file)) {
      if (target.startsWith("node:")) continue;
      if (target.startsWith(".")) visit(normalize(join(dirname(file), target)), way);
      else if (!found.has(packageOf(target))) found.set(packageOf(target), { name: packageOf(target), way });
    }
  };
  visit(normalize(entry), []);
  return [...found.values()];
}

/** The package of an import such as `@scope/name/sub`. */
function packageOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function importsOf(file: string): readonly string[] {
  const { statements } = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) {
      if (statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    } else if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return [];
    const { moduleSpecifier } = statement;
    return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
  });
}
