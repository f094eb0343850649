import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { userFile } from "../../tools/config-files.ts";
import { usageError } from "../usage-error.ts";
import { isRecord } from "./check.ts";
import { parseJson } from "./parse-json.ts";
import { readBytes, textOf } from "./read-text.ts";
import { type Project, readUserConfig } from "./user-config.ts";
import { withLock } from "./with-lock.ts";

/**
 * Changes what the user's file says of a folder, and nothing else in it: keys that this version does not know stay too.
 * Read, changed and put back whole while no other process does the same. A file that is not right is left alone.
 */
export async function changeProject(
  folder: string,
  change: (project: Project) => Project,
  path: string = userFile(),
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = targetOf(path);
  await withLock(`${target}.lock`, () => {
    readUserConfig(path);
    const bytes = readBytes(path);
    const value = bytes === undefined ? {} : parseJson(textOf(bytes, path), path).value;
    const config = isRecord(value) ? value : {};
    const projects = isRecord(config.projects) ? config.projects : {};
    const before = Object.hasOwn(projects, folder) ? projects[folder] : undefined;
    const project = change(isRecord(before) ? (before as Project) : {});
    replace(target, `${JSON.stringify({ ...config, projects: { ...projects, [folder]: project } }, undefined, 2)}\n`);
  });
}

/** Adds a rule to those that always hold in this folder. */
export const addRule = (folder: string, rule: string, path?: string): Promise<void> =>
  changeProject(folder, (project) => ({ ...project, allow: [...new Set([...(project.allow ?? []), rule])] }), path);

/**
 * The file itself where its name is a link, as people have it who keep their settings in a repository: a new file in the
 * place of the link would part the two. It must be the user's own, and a file.
 */
function targetOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isSymbolicLink()) return path;
  const real = realpathSync.native(path);
  const stats = lstatSync(real);
  const uid = process.getuid?.();
  if (!stats.isFile() || (uid !== undefined && stats.uid !== uid))
    throw usageError(`${path} is a link to ${real}, which is no file of yours; nothing was written`);
  return real;
}

/** All of it or nothing: written beside its place, then put there. For nobody else to read. */
function replace(path: string, text: string): void {
  const fresh = join(dirname(path), `.config-${randomBytes(9).toString("hex")}.tmp`);
  const fd = openSync(fresh, "wx", 0o600);
  try {
    try {
      for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(fd, bytes));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
