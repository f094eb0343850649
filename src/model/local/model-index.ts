import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RondoError } from "../../error.ts";

/** A model that is known by a name. */
export type IndexedModel = {
  readonly name: string;
  /** Absolute path of a file that stays where it is, or the name of a file in the folder. */
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256?: string;
  /** Such as `Q4_K_M`. */
  readonly quantisation?: string;
  /** Where it came from, without user, password and query. */
  readonly source?: string;
};

const fileName = "index.json";

/** The models of this folder, by name. A folder that is not there has none. */
export async function readIndex(folder: string): Promise<readonly IndexedModel[]> {
  const path = join(folder, fileName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const models = modelsIn(text);
  if (models === undefined) {
    throw new RondoError(
      "invalid_option",
      `${path} is no list of models: mend it, or remove it and add the models again.`,
    );
  }
  return models.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Replaces the list as a whole, so that nobody reads half of one. */
export async function writeIndex(folder: string, models: readonly IndexedModel[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, fileName);
  const fresh = `${path}.${process.pid}`;
  try {
    await writeFile(fresh, `${JSON.stringify({ version: 1, models }, undefined, 2)}\n`);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

function modelsIn(text: string): IndexedModel[] | undefined {
  try {
    const { models } = JSON.parse(text);
    return Array.isArray(models) && models.every(isModel) ? models : undefined;
  } catch {
    return undefined;
  }
}

function isModel(value: unknown): value is IndexedModel {
  if (typeof value !== "object" || value === null) return false;
  const { name, file, size } = value as Partial<IndexedModel>;
  return typeof name === "string" && typeof file === "string" && typeof size === "number";
}
