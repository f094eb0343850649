import { dirname } from "node:path";
import { userFile, userFolder } from "./config-files.ts";
import { followed } from "./deepest-folder.ts";
import { pathInside } from "./path-inside.ts";
import { plainPath } from "./plain-path.ts";

/** Settings of the user in a workspace: paths that begin with `at` are what a path with `is` in its place would be in a home folder. */
export type SettingsPlace = { readonly at: string; readonly is: string };

/**
 * Where in this workspace the settings of the user are, or where in them it is, if their folder is not called `.config`
 * there: under `$XDG_CONFIG_HOME`, or where a link stands for the folder or for the command's own file.
 */
export function settingsPlaces(root: string): readonly SettingsPlace[] {
  const folder = dirname(userFolder());
  const places: SettingsPlace[] = [];
  for (const one of new Set([folder, followed(folder)])) {
    const at = pathInside(root, one);
    const within = pathInside(one, root);
    if (at !== undefined) places.push({ at: at === "" ? "" : `${plainPath(at)}/`, is: ".config/" });
    else if (within !== undefined) places.push({ at: "", is: `.config/${within}/` });
  }
  const file = pathInside(root, followed(userFile()));
  if (file !== undefined) places.push({ at: plainPath(file), is: ".config/rondo/config.json" });
  return places.filter(({ at, is }) => at !== is);
}

/** What a path would be called among the settings in a home folder; none where it is not among them. */
export function asSettings(places: readonly SettingsPlace[], path: string): readonly string[] {
  if (places.length === 0) return [];
  const plain = plainPath(path);
  return places.flatMap(({ at, is }) => (plain.startsWith(at) ? [is + plain.slice(at.length)] : []));
}
