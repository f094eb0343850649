/**
 * The main job of `npm start`: the command at work, without a key and without the network. It searches a copy of this very
 * repository's sources, runs code and edits a scratch file, all in a temporary folder that is gone afterwards.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "./main.ts";

const request = [
  "Find the longest source file under src, read its first lines, list what it exports,",
  "run the code `[4, 8, 15, 16, 23, 42].reduce((a, b) => a + b)`,",
  'then replace "draft" with "fair copy" in notes.txt.',
].join(" ");

const folder = mkdtempSync(join(tmpdir(), "rondo-start-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync(join(import.meta.dirname, ".."), join(folder, "src"), { recursive: true });
writeFileSync(join(folder, "notes.txt"), "A draft of notes.\n");

// A key that happens to be there is not spent; there is nothing here that a write could harm.
const model = process.env.RONDO_MODEL ? [] : ["--model", "offline"];
await main(["run", request, "--cwd", folder, "--yes", ...model, ...process.argv.slice(2)]);
