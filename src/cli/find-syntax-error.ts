import { spawnSync } from "node:child_process";
import { type Place, placeOfSyntax } from "./places.ts";

/** Compiles a file as Node would, without running it. */
const script = `
const { readFileSync } = require("node:fs");
const { stripTypeScriptTypes } = require("node:module");
const { SourceTextModule } = require("node:vm");
const file = process.argv[1];
const source = readFileSync(file, "utf8");
new SourceTextModule(/ts$/.test(file) ? stripTypeScriptTypes(source) : source, { identifier: file });
`;

/**
 * Where the first of these files that is no JavaScript goes wrong. Node tells the place of such an error to nobody but
 * its own last words: so another Node is made to say them.
 */
export function findSyntaxError(files: readonly string[]): Place | undefined {
  for (const file of files) {
    const args = ["--no-warnings", "--experimental-vm-modules", "--max-old-space-size=500", "-e", script, "--", file];
    const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: {}, timeout: 10_000 });
    const place = placeOfSyntax(stderr ?? "");
    if (place?.file === file) return place;
  }
  return undefined;
}
