import { stat } from "node:fs/promises";
import { usageError } from "./usage-error.ts";

/** Makes sure that `--cwd` names a folder. */
export async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw usageError(`--cwd: there is no folder ${folder}`);
  if (!found.isDirectory()) throw usageError(`--cwd: ${folder} is not a folder`);
}
