import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { type Named, shownOf } from "./entries.ts";
import { type IgnoreRules, ignoredAmong, mayIgnore, withRulesOf } from "./ignore-rules.ts";
import { isSecretIn } from "./secret-in.ts";
import { isSecretFolder, openAgain, openWalked, type WalkedFolder } from "./walk-folder.ts";
import { locate, type Place, type Workspace } from "./workspace.ts";

/**
 * What a walk meets: files that stand side by side in a folder, which is open until the walk goes on; a link to a file;
 * something that is not read. `path` is relative to the root, `shown` the same as a visible line.
 */
export type Met =
  | { readonly kind: "files"; readonly folder: WalkedFolder; readonly files: readonly Named[] }
  | { readonly kind: "link"; readonly path: string; readonly shown: string; readonly target: Place }
  | { readonly kind: "secret"; readonly path: string; readonly shown: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly shown: string; readonly cause: unknown };

/** A folder that is still to be read, with what holds in it. */
type Waiting = { readonly place: Place; readonly shown: string; readonly above: IgnoreRules };

/** A folder that is being walked: `next` is the index of the entry to go on with. */
type Visit = {
  folder: WalkedFolder;
  /** Whether the folder is open. */
  open: boolean;
  readonly rules: IgnoreRules;
  readonly ignored: readonly boolean[];
  next: number;
};

const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Folders that are kept open, one in the other; deeper ones only while something in them is met. */
const deepestOpen = 64;

/**
 * Walks a folder, in the alphabetical order of whole paths. Left out: what `.gitignore` files inside the workspace
 * ignore, `.git` and `node_modules`, but for folders with a name in `enter`. A folder to start at was named on purpose, so rules that
 * ignore it hold no longer in it. Symbolic links to folders are not followed. Synchronous: pause between what it yields.
 */
export function* walk(workspace: Workspace, start: Place, enter: ReadonlySet<string>): Generator<Met> {
  const stack: Visit[] = [];
  try {
    const first = enterFolder(workspace, stack, startOf(workspace, start));
    if (first !== undefined) yield first;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const failed = comeBack(workspace, top);
      const met = failed ?? goOn(workspace, top, enter);
      if (failed !== undefined || met === undefined) leave(stack.pop()!);
      const seen = met === undefined || "kind" in met ? met : enterFolder(workspace, stack, met);
      if (seen !== undefined) yield seen;
    }
  } finally {
    for (const visit of stack) leave(visit);
  }
}

function leave(visit: Visit): void {
  if (visit.open) visit.folder.release();
  visit.open = false;
}

/** Opens a folder again that was closed while another one in it was walked, or says why not. */
function comeBack(workspace: Workspace, visit: Visit): Met | undefined {
  if (visit.open) return undefined;
  try {
    visit.folder = openAgain(workspace, visit.folder);
    visit.open = true;
    return undefined;
  } catch (cause) {
    const { place, shown } = visit.folder;
    return { kind: "unreadable", path: place.path, shown, cause };
  }
}

function startOf(workspace: Workspace, start: Place): Waiting {
  let above: IgnoreRules;
  if (start.path !== "") {
    const parts = start.path.split("/");
    for (let depth = 0; depth < parts.length; depth++) {
      above = withRulesOf(workspace, above, placeAt(workspace, parts.slice(0, depth).join("/")));
      if (ignoredAmong(above, [`${parts.slice(0, depth + 1).join("/")}/`])[0]) above = undefined;
    }
  }
  return { place: start, shown: start.path, above };
}

const placeAt = (workspace: Workspace, path: string): Place => ({
  given: path,
  named: path,
  path,
  real: path === "" ? workspace.root : join(workspace.root, path),
});

/** Puts a folder on top of the stack, or says why not. */
function enterFolder(workspace: Workspace, stack: Visit[], { place, shown, above }: Waiting): Met | undefined {
  if (isSecretFolder(workspace, place.path)) return { kind: "secret", path: place.path, shown };
  let folder: WalkedFolder;
  try {
    folder = openWalked(workspace, stack.at(-1)?.folder, place, shown);
  } catch (cause) {
    return { kind: "unreadable", path: place.path, shown, cause };
  }
  if (stack.length > deepestOpen) leave(stack.at(-1)!);
  try {
    stack.push({ folder, open: true, ...rulesIn(workspace, folder, above), next: 0 });
  } catch (error) {
    folder.release();
    throw error;
  }
  return undefined;
}

function rulesIn(workspace: Workspace, { place, entries }: WalkedFolder, above: IgnoreRules) {
  const own = entries.some(({ name, kind }) => name === ".gitignore" && kind === "file");
  const rules = own ? withRulesOf(workspace, above, place) : above;
  const prefix = prefixOf(place);
  if (!mayIgnore(rules, prefix, entries)) return { rules, ignored: [] };
  const paths = entries.map(({ name, kind }) => prefix + (kind === "folder" ? `${name}/` : name));
  return { rules, ignored: ignoredAmong(rules, paths) };
}

const prefixOf = (folder: Place): string => (folder.path === "" ? "" : `${folder.path}/`);

/** What comes next in a folder: something to tell, or a folder to enter; undefined at the end. */
function goOn(workspace: Workspace, visit: Visit, enter: ReadonlySet<string>): Met | Waiting | undefined {
  const { folder, rules, ignored } = visit;
  const files: Named[] = [];
  for (const { entries } = folder; visit.next < entries.length; visit.next++) {
    const entry = entries[visit.next]!;
    const left = ignored[visit.next] === true;
    if (entry.kind === "file") {
      if (left) continue;
      if (workspace.allowSecrets || !isSecretIn(workspace, prefixOf(folder.place) + entry.name)) {
        files.push(entry);
        continue;
      }
    }
    const met = entry.kind === "other" ? undefined : meet(workspace, folder, entry, left, rules, enter);
    if (met === undefined) continue;
    // It comes behind the files that were found on the way to it.
    if (files.length > 0) break;
    visit.next++;
    return met;
  }
  return files.length === 0 ? undefined : { kind: "files", folder, files };
}

function meet(
  workspace: Workspace,
  folder: WalkedFolder,
  entry: Named,
  ignored: boolean,
  rules: IgnoreRules,
  enter: ReadonlySet<string>,
): Met | Waiting | undefined {
  const path = prefixOf(folder.place) + entry.name;
  const shown = prefixed(folder, shownOf(entry));
  if (entry.kind === "file") return { kind: "secret", path, shown };
  const inside = folder.place.real.endsWith(sep) ? folder.place.real : folder.place.real + sep;
  const place = { given: path, named: path, path, real: inside + entry.name };
  if (entry.kind === "link") return ignored ? undefined : followLink(workspace, place, shown);
  const named = enter.has(entry.name);
  if (!named && (ignored || skipped.has(entry.name))) return undefined;
  return { place, shown, above: ignored ? undefined : rules };
}

/** The visible path of what has this visible name in a folder. */
export const prefixed = (folder: WalkedFolder, shown: string): string =>
  folder.shown === "" ? shown : `${folder.shown}/${shown}`;

/** A link counts where it leads to a regular file inside; a link to a folder would make the walk meet things twice. */
function followLink(workspace: Workspace, link: Place, shown: string): Met | undefined {
  try {
    const target = locate(workspace, link.real);
    if (!lstatSync(target.real).isFile()) return undefined;
    const secret = !workspace.allowSecrets && [target.path, link.path].some((path) => isSecretIn(workspace, path));
    return secret ? { kind: "secret", path: link.path, shown } : { kind: "link", path: link.path, shown, target };
  } catch {
    return undefined;
  }
}
