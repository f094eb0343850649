import { stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { RondoError } from "../../error.ts";
import { nearestNames } from "../../ranker/nearest.ts";
import type { Environment } from "../providers.ts";
import { readIndex } from "./model-index.ts";
import { modelsFolder } from "./models-folder.ts";

/** Whether this names a file rather than a model of the list. */
export const isPath = (nameOrPath: string): boolean => /[/\\]|\.gguf$/i.test(nameOrPath);

/**
 * The file of a model: the path itself, else what the list says of the name. Rejects with a RondoError `unknown_model`
 * if there is none.
 */
export async function fileOf(nameOrPath: string, env: Environment): Promise<string> {
  if (isPath(nameOrPath)) {
    const path = resolve(nameOrPath.replace(/^~(?=[/\\])/, env.HOME ?? "~"));
    if (!(await isFile(path))) throw unknown(`There is no file ${path}.`);
    return path;
  }
  const folder = modelsFolder(env);
  const models = await readIndex(folder);
  const found = models.find(({ name }) => name === nameOrPath);
  if (found === undefined) {
    const [near] = nearestNames(
      nameOrPath,
      models.map(({ name }) => name),
      1,
    );
    const hint =
      near === undefined
        ? `add it with "rondo models add", or give the path of a GGUF file`
        : `did you mean "${near}"?`;
    throw unknown(`There is no local model ${JSON.stringify(nameOrPath)}; ${hint}`);
  }
  const path = isAbsolute(found.file) ? found.file : join(folder, found.file);
  if (!(await isFile(path))) throw unknown(`The file of local model ${JSON.stringify(nameOrPath)} is gone: ${path}`);
  return path;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const unknown = (message: string): RondoError => new RondoError("unknown_model", message);
