import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { Presets } from "../../menu/presets.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import { userFile } from "../../tools/config-files.ts";
import type { Ask } from "../approve.ts";
import { askTrust, notTrusted, onOneLine } from "./ask-trust.ts";
import type { ModuleFile } from "./load-modules.ts";
import { type Project, type ProjectConfig, readProjectConfig } from "./project-config.ts";
import { rulesWithin } from "./rules-within.ts";
import { type Inert, inertOf, isTrusted, isWaiting } from "./trust.ts";
import { type Mode, readUserConfig, type UserConfig } from "./user-config.ts";
import { changeProject } from "./write-user.ts";

/** What the files say together, for runs in one folder. */
export type Config = {
  /** Real path of the folder. */
  readonly folder: string;
  readonly model?: { readonly name: string; readonly why: string };
  readonly toolset?: string;
  readonly presets: Presets;
  readonly disabledTools: readonly string[];
  readonly approvals: {
    readonly mode?: Mode;
    readonly deny: readonly string[];
    readonly ask: readonly string[];
    readonly allow: readonly string[];
  };
  readonly modules: readonly ModuleFile[];
};

/** What reading the files takes. `modelChosen`: another model than theirs will be used. `ask`: a person, if there is one. */
export type Reading = {
  readonly files: Files;
  readonly modelChosen: boolean;
  readonly ask: Ask | undefined;
  readonly tell: (line: string) => void;
};

/** Both files, as they are for runs in a folder. */
export type Files = { readonly folder: string; readonly user: UserConfig; readonly project: Project | undefined };

/** Reads both files. Usage errors for those that are not right: before anything is run. */
export function readFiles(folder: string): Files {
  const real = realpathSync.native(folder);
  return { folder: real, user: readUserConfig(), project: readProjectConfig(real) };
}

/**
 * What both files come to. Where the project's asks for what needs trust, a person is asked, if there is one; else `tell`
 * says that it is left out.
 */
export async function loadConfig(reading: Reading): Promise<Config> {
  const { tell, files } = reading;
  const { folder: real, user, project } = files;
  const inert = project && inertOf(project, user);
  const trusted = project !== undefined && inert !== undefined && (await trusts(project, inert, user, reading));
  for (const path of [user.mcpServers && userFile(), project?.config.mcpServers && project.path])
    if (path !== undefined) tell(`rondo: ${onOneLine(path)}: mcpServers: this version starts no servers`);
  const config = together(real, user, project, { inert, trusted });
  const unused = project?.config.toolset;
  if (unused !== undefined && config.toolset !== unused)
    tell(`rondo: ${onOneLine(project?.path ?? "")}: toolset is not used: your own file says ${config.toolset}`);
  return config;
}

async function trusts(
  project: Project,
  inert: Inert,
  user: UserConfig,
  { ask, tell, modelChosen }: Reading,
): Promise<boolean> {
  if (isTrusted(project, inert, user)) return true;
  if (!isWaiting(inert, modelChosen)) return false;
  if (ask !== undefined && (await askTrust(project, inert, ask))) {
    await changeProject(project.folder, (before) => ({ ...before, trusted: inert.hash })).catch((error: unknown) =>
      tell(`rondo: that it is trusted cannot be kept: ${thrownMessage(error)}`),
    );
    return true;
  }
  tell(notTrusted(project, inert));
  return false;
}

/** What the files come to. Of what is inert nothing counts unless it is trusted. */
export function together(
  folder: string,
  user: UserConfig,
  project: Pick<Project, "folder" | "path" | "config"> | undefined,
  { inert, trusted }: { readonly inert: Inert | undefined; readonly trusted: boolean },
): Config {
  const its: ProjectConfig = project?.config ?? {};
  const counts = its.model !== undefined && (trusted || inert?.model === undefined);
  const model = counts ? its.model : user.model;
  const toolset = toolsetOf(user.toolset, its.toolset);
  const ours = Object.hasOwn(user.projects ?? {}, folder) ? user.projects?.[folder] : undefined;
  const { mode, deny = [], ask = [], allow = [] } = user.approvals ?? {};
  return {
    folder,
    ...(model !== undefined && { model: { name: model, why: counts ? (project?.path ?? "") : userFile() } }),
    ...(toolset !== undefined && { toolset }),
    // The user's own win: a project's preset must not be what a name of the user's stands for.
    presets: { ...its.presets, ...user.presets },
    disabledTools: [...new Set([...(user.disabledTools ?? []), ...(its.disabledTools ?? [])])],
    approvals: {
      ...(mode !== undefined && { mode }),
      deny: [...deny, ...rulesWithin(its.approvals?.deny ?? [], project?.folder ?? folder, folder)],
      ask,
      allow: [...allow, ...(ours?.allow ?? [])],
    },
    modules: [...(user.modules ?? []).map(ownModule), ...(trusted ? (inert?.modules ?? []) : [])],
  };
}

/** A project may only take tools away: beside one that the user chose, its own counts only where it is `none`. */
const toolsetOf = (user: string | undefined, its: string | undefined): string | undefined =>
  its === "none" ? its : (user ?? its);

const ownModule = (written: string): ModuleFile => ({
  path: resolve(dirname(userFile()), written.replace(/^~(?=[/\\])/, process.env.HOME || homedir())),
});
