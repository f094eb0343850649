import type { Tool } from "../menu/tool.ts";
import { editFile } from "./edit-file.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { listDir } from "./list-dir.ts";
import { readFile } from "./read-file.ts";
import { readResult } from "./read-result.ts";
import { runCode } from "./run-code.ts";
import { writeFile } from "./write-file.ts";

export { editFile, glob, grep, listDir, readFile, readResult, runCode, writeFile };

/** The tools that come with Rondo; each loads its code when it is first called. */
export const builtInTools: readonly Tool[] = [readFile, listDir, glob, grep, writeFile, editFile, runCode, readResult];
