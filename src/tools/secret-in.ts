import { isSecret } from "./secrets.ts";
import { asSettings } from "./settings-place.ts";
import type { Workspace } from "./workspace.ts";

/**
 * True for what may hold keys or passwords by its name, also by the one that it has as a part of what is around the
 * workspace. The path is relative to the root with `/` between its parts; a folder's path ends with `/`.
 */
export const isSecretIn = ({ around, settings }: Pick<Workspace, "around" | "settings">, path: string): boolean =>
  isSecret(around + path) || asSettings(settings, path).some(isSecret);
