import { realpathSync } from "node:fs";
import { userFolder } from "./config-files.ts";
import { pathInside } from "./path-inside.ts";
import { isSecret } from "./secrets.ts";
import type { Workspace } from "./workspace.ts";

/** Where the folder of the user's configuration stands to a workspace: `inside` it at this path, or `around` it. */
export type Settings = { readonly inside: string } | { readonly around: string };

const called = ".config/rondo/";

/** Undefined where they have nothing to do with each other, as nearly always. `root`: a real path. */
export function settingsIn(root: string): Settings | undefined {
  let folder: string;
  try {
    folder = realpathSync.native(userFolder());
  } catch {
    return undefined;
  }
  const inside = pathInside(root, folder);
  if (inside !== undefined) return { inside: inside === "" ? "" : `${inside}/` };
  const below = pathInside(folder, root);
  return below === undefined ? undefined : { around: `${called}${below}/` };
}

/**
 * Whether readers leave a path of the workspace alone, by its name; a folder's ends with `/`. Wherever the folder of the
 * user's configuration is (`$XDG_CONFIG_HOME`, or behind a link), what is in it counts as in the usual place.
 */
export function isHiddenIn({ around, settings }: Pick<Workspace, "around" | "settings">, path: string): boolean {
  if (isSecret(around + path)) return true;
  if (settings === undefined) return false;
  if ("around" in settings) return isSecret(settings.around + path);
  return path.startsWith(settings.inside) && isSecret(called + path.slice(settings.inside.length));
}
