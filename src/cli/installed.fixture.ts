import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Installs the package, as it is built, into a folder; gives the path of its command. */
export async function install(project: string): Promise<string> {
  const modules = join(project, "node_modules");
  const own = join(modules, "rondo");
  await mkdir(own, { recursive: true });
  const config = join(repository, "tsdown.config.ts");
  await build({ config, cwd: repository, outDir: join(own, "dist"), dts: false, logLevel: "silent" });
  await cp(join(repository, "package.json"), join(own, "package.json"));
  const names = ["cac", "@cfworker", "@standard-schema", "ignore", "picomatch", "quickjs-emscripten-core", "@jitl"];
  for (const name of names) await symlink(join(repository, "node_modules", name), join(modules, name), "dir");
  return join(own, "dist", "cli", "bin.js");
}
