import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { RondoError } from "../../error.ts";
import { nearestNames } from "../../ranker/nearest.ts";
import { download, forget } from "./download.ts";
import { isGguf, quantisationOf } from "./gguf.ts";
import { shownUrl } from "./http-get.ts";
import { type IndexedModel, readIndex, writeIndex } from "./model-index.ts";

/** What is to be added. */
export type Addition = {
  /** An http or https URL, or a path. */
  readonly from: string;
  /** Default: the last part of the address. */
  readonly name?: string;
  /** In hexadecimal digits. */
  readonly sha256?: string;
  /** Take what comes from a URL without knowing its checksum. */
  readonly unchecked: boolean;
  /** Replace a model of this name. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number, total: number | undefined) => void;
};

/** A model of the list, and whether its file is there. */
export type ListedModel = IndexedModel & { readonly path: string; readonly there: boolean };

/** The models of this folder, by name. */
export async function listModels(folder: string): Promise<readonly ListedModel[]> {
  const models = await readIndex(folder);
  return Promise.all(
    models.map(async (model) => {
      const path = pathOf(folder, model);
      return { ...model, path, there: (await sizeOf(path)) !== undefined };
    }),
  );
}

/**
 * Adds a model: a URL is downloaded into the folder, a file stays where it is and is only named. Rejects with a
 * RondoError that says what is wrong.
 */
export async function addModel(folder: string, wanted: Addition): Promise<IndexedModel> {
  const url = urlOf(wanted.from);
  const name = nameOf(wanted, url);
  const sha256 = checksumOf(wanted.sha256);
  if (url !== undefined && sha256 === undefined && !wanted.unchecked) {
    throw mistake(
      "a download needs its checksum: --sha256 and the digits that its publisher gives, or --no-checksum to trust the server",
    );
  }
  const old = (await readIndex(folder)).find((model) => model.name === name);
  if (old !== undefined && !wanted.force) {
    throw mistake(`there is a model ${JSON.stringify(name)} already; give another --name, or --force to replace it`);
  }
  const model =
    url === undefined ? await named(wanted, name, sha256) : await downloaded(folder, wanted, name, sha256, url);
  // Read again: a download takes its time, and another may have ended meanwhile.
  const others = (await readIndex(folder)).filter((other) => other.name !== name);
  await writeIndex(folder, [...others, model]);
  if (old !== undefined && old.file !== model.file && !isAbsolute(old.file))
    await rm(join(folder, old.file), { force: true });
  return model;
}

/** Removes a model from the list, and its file if that was downloaded. Resolves to what was removed. */
export async function removeModel(folder: string, name: string): Promise<{ readonly file: boolean }> {
  const models = await readIndex(folder);
  const found = models.find((model) => model.name === name);
  const half = join(folder, partOf(name));
  if (found === undefined) {
    if (isName(name) && (await sizeOf(half)) !== undefined) {
      await forget(half);
      return { file: true };
    }
    const [near] = nearestNames(
      name,
      models.map((model) => model.name),
      1,
    );
    const hint = near === undefined ? "see rondo models" : `did you mean ${JSON.stringify(near)}?`;
    throw new RondoError("unknown_model", `there is no model ${JSON.stringify(name)}; ${hint}`);
  }
  await writeIndex(
    folder,
    models.filter((model) => model !== found),
  );
  if (isAbsolute(found.file)) return { file: false };
  await rm(join(folder, found.file), { force: true });
  await forget(half);
  return { file: true };
}

async function downloaded(
  folder: string,
  { signal, onProgress }: Addition,
  name: string,
  sha256: string | undefined,
  url: URL,
): Promise<IndexedModel> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw new RondoError("error", `the folder ${folder} cannot be made: ${(error as NodeJS.ErrnoException).code}`);
  });
  const part = join(folder, partOf(name));
  const whole = await download({ url, part, signal, onProgress, ...(sha256 !== undefined && { sha256 }) });
  const file = `${name}.gguf`;
  await rename(part, join(folder, file));
  await forget(part);
  return entry(name, file, join(folder, file), whole.size, whole.sha256, shownUrl(url));
}

async function named({ from }: Addition, name: string, sha256: string | undefined): Promise<IndexedModel> {
  const path = resolve(from);
  const size = await sizeOf(path);
  if (size === undefined) throw mistake(`there is no file ${path}`);
  if (!(await isGguf(path))) throw mistake(`${path} is no GGUF file`);
  if (sha256 !== undefined) {
    const hash = createHash("sha256");
    for await (const block of createReadStream(path)) hash.update(block);
    const actual = hash.digest("hex");
    if (actual !== sha256)
      throw new RondoError("error", `${path} is another file than expected: SHA-256 is ${actual}, not ${sha256}`);
  }
  return entry(name, path, path, size, sha256, undefined);
}

async function entry(
  name: string,
  file: string,
  path: string,
  size: number,
  sha256: string | undefined,
  source: string | undefined,
): Promise<IndexedModel> {
  const quantisation = await quantisationOf(path);
  return {
    name,
    file,
    size,
    ...(sha256 !== undefined && { sha256 }),
    ...(quantisation !== undefined && { quantisation }),
    ...(source !== undefined && { source }),
  };
}

const pathOf = (folder: string, { file }: IndexedModel): string => (isAbsolute(file) ? file : join(folder, file));
const partOf = (name: string): string => `${name}.gguf.part`;

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );

function urlOf(from: string): URL | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(from)) return undefined;
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) throw mistake("only http and https addresses can be downloaded");
  return url;
}

function nameOf({ from, name }: Addition, url: URL | undefined): string {
  const last = (url?.pathname ?? from).split(/[/\\]/).findLast((part) => part !== "") ?? "";
  const chosen = name ?? last.replace(/\.gguf$/i, "");
  if (isName(chosen)) return chosen;
  const problem =
    name === undefined
      ? "the address gives no name that can be used; give one with --name:"
      : `--name: ${JSON.stringify(name)} cannot be a name:`;
  throw mistake(
    `${problem} letters, digits, ".", "_" and "-", a letter or digit first, 100 at most, without .gguf at the end`,
  );
}

const isName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,99}$/i.test(name) && !/\.(gguf|part|json)$/i.test(name);

function checksumOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const digits = given
    .trim()
    .replace(/^sha256:/i, "")
    .toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) throw mistake("--sha256 takes the 64 hexadecimal digits of a SHA-256 checksum");
  return digits;
}

const mistake = (message: string): RondoError => new RondoError("invalid_option", message);
