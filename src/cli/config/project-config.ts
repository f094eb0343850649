import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Presets } from "../../menu/presets.ts";
import { projectFileName, projectFolders, userFile } from "../../tools/config-files.ts";
import { type Check, checkParsed, listOf, object } from "./check.ts";
import { parseJson } from "./parse-json.ts";
import { readBytes, textOf } from "./read-text.ts";
import { rule } from "./rule.ts";
import { sharedFields } from "./user-config.ts";

/** The configuration of a project: data of whoever wrote the repository. */
export type ProjectConfig = {
  readonly model?: string;
  readonly toolset?: string;
  readonly presets?: Presets;
  readonly disabledTools?: readonly string[];
  readonly approvals?: { readonly deny?: readonly string[] };
  readonly modules?: readonly string[];
  readonly mcpServers?: { readonly [name: string]: unknown };
};

/** A project's configuration, and where it was found. */
export type Project = {
  /** Real path of the folder that it is for. */
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly config: ProjectConfig;
};

/** The check; errors about what belongs to the user name the file where that goes. */
function checkOf(own: string): Check {
  const belongs = (why: string) => `is not for a project to say (${why}); it belongs into your own file, ${own}`;
  return object(
    {
      ...sharedFields,
      approvals: object(
        { deny: listOf(rule) },
        {
          allow: belongs("it would let calls run that you would be asked about"),
          ask: belongs("your own rules say what is asked; a project can only deny"),
          mode: belongs("it would change what you are asked about"),
        },
      ),
    },
    { projects: belongs("it says which folders are trusted") },
  );
}

/**
 * The configuration for runs in this folder: the nearest `rondo.config.json`, in the folder or, within a checkout, in one
 * around it. Usage errors for one that is not right or that says more than a project may.
 */
export function readProjectConfig(folder: string, own: string = userFile()): Project | undefined {
  for (const candidate of projectFolders(realpathSync.native(folder))) {
    const path = join(candidate, projectFileName);
    const bytes = readBytes(path);
    if (bytes === undefined) continue;
    const parsed = parseJson(textOf(bytes, path), path);
    checkParsed(parsed, checkOf(own));
    return { folder: candidate, path, bytes, config: parsed.value as ProjectConfig };
  }
  return undefined;
}
