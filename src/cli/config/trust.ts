import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { providers } from "../../model/providers.ts";
import { usageError } from "../usage-error.ts";
import type { Project } from "./project-config.ts";
import { readBytes } from "./read-text.ts";
import type { UserConfig } from "./user-config.ts";

/** What a project's file says that counts only once the user trusts it. */
export type Inert = {
  /** Files of tool modules: paths as they are written, and real ones, which lie in the project. */
  readonly modules: readonly ProjectModule[];
  /** A model that prompts would go to, which the user has not chosen. */
  readonly model?: string;
  /** Names and commands of servers; this version starts none. */
  readonly servers: readonly string[];
  /** SHA-256 of the file and of its modules, and of the model, if that is asked about. */
  readonly hash: string;
};

export type ProjectModule = { readonly written: string; readonly path: string; readonly hash: string };

/** The largest module, in bytes. */
const largest = 16 * 1024 * 1024;

/** What of a project's file waits for trust; undefined: nothing does. */
export function inertOf({ folder, path, bytes, config }: Project, user: UserConfig): Inert | undefined {
  const modules = (config.modules ?? []).map((written) => moduleOf(folder, path, written));
  const model = config.model !== undefined && sendsElsewhere(config.model, user.model) ? config.model : undefined;
  const servers = Object.entries(config.mcpServers ?? {}).map(([name, server]) => `${name} ${JSON.stringify(server)}`);
  if (modules.length === 0 && model === undefined && servers.length === 0) return undefined;
  // Each with its name in front: the same files under other names are something else.
  const parts = modules.map((one) => `\n${JSON.stringify(one.written)} ${one.hash}`);
  // Who was asked about modules alone has not said yes to a model that would go elsewhere only since then.
  if (model !== undefined) parts.push(`\nmodel ${JSON.stringify(model)}`);
  const hash = sha256(Buffer.concat([Buffer.from(`${sha256(bytes)}${parts.join("")}`)]));
  return { modules, servers, hash, ...(model !== undefined && { model }) };
}

export const isTrusted = ({ folder }: Project, { hash }: Inert, { projects = {} }: UserConfig): boolean =>
  Object.hasOwn(projects, folder) && projects[folder]?.trusted === hash;

/** Whether something that is waiting would change a run. Servers would not, for none is started yet, nor a model beside one that was `chosen`. */
export const isWaiting = ({ modules, model }: Inert, chosen: boolean): boolean =>
  modules.length > 0 || (model !== undefined && !chosen);

function moduleOf(folder: string, file: string, written: string): ProjectModule {
  let path = resolve(folder, written);
  if (!isAbsolute(written)) {
    try {
      path = realpathSync.native(path);
    } catch {
      // Not there: trusted as such, and told of when it is to be loaded.
    }
  }
  const inside = relative(folder, path);
  if (isAbsolute(written) || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw usageError(
      `${file}: modules: ${JSON.stringify(written)} leads out of the project's folder; only your own file may name modules elsewhere`,
    );
  return { written, path, hash: hashOf(path) };
}

/** The hash of a module as it is now. */
export function hashOf(path: string): string {
  const bytes = readBytes(path, largest);
  return bytes === undefined ? "missing" : sha256(bytes);
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Models of a server on this machine that hands on what it is sent: `ollama/gpt-oss:120b-cloud`. */
const isCloud = (model: string): boolean => /^ollama\/.*(?<![a-z])cloud(?![a-z])/i.test(model);

/**
 * Whether prompts would go where the user has not sent them. A name of a provider is fine, for it needs a key of the
 * user's, unless the user has chosen another one; an address, a file and an ARN are not.
 */
export function sendsElsewhere(model: string, own: string | undefined): boolean {
  if (model === "offline" || model === own) return false;
  const [, provider, rest = ""] = /^([a-z-]+)\/([\w.:@+-]+(?:\/[\w.:@+-]+)*)$/i.exec(model) ?? [];
  if (provider === undefined || rest.split("/").includes("..") || /^arn:/i.test(rest)) return true;
  if (provider === "local") return /[/\\]|\.gguf$/i.test(rest);
  if (!Object.hasOwn(providers, provider)) return true;
  if (isCloud(model) && !isCloud(own ?? "")) return true;
  return own !== undefined && !own.startsWith(`${provider}/`);
}
