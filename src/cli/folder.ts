import { stat } from "node:fs/promises";
import { usageError } from "./usage-error.ts";

/** Makes sure that `--cwd`, or what else it was given with, names a folder. */
export async function checkFolder(folder: string, option = "--cwd"): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw usageError(`${option}: there is no folder ${folder}`);
  if (!found.isDirectory()) throw usageError(`${option}: ${folder} is not a folder`);
}
