import type { Tool } from "../menu/tool.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";
import { runCode } from "./run-code.ts";

export { glob, grep, listDir, readFile, runCode };

/** The tools that come with Rondo; each loads its code when it is first called. */
export const builtInTools: readonly Tool[] = [readFile, listDir, glob, grep, runCode];
