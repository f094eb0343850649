import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { type Entry, readEntries } from "./entries.ts";
import { type IgnoreRules, ignoredAmong, withRulesOf } from "./ignore-rules.ts";
import { isSecret } from "./secrets.ts";
import { locate, type Place, type Workspace } from "./workspace.ts";

/** What a walk meets. `path` is relative to the root, `shown` the same as a visible line; the `place` of a link is the file it leads to. */
export type Met = {
  readonly kind: "file" | "link" | "folder" | "secret" | "unreadable";
  readonly path: string;
  readonly shown: string;
  readonly place: Place;
};

/** A folder that is still to be read, with what holds in it. */
type Folder = { readonly place: Place; readonly shown: string; readonly above: IgnoreRules };

const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * Walks a folder, in the alphabetical order of whole paths. Left out: what `.gitignore` files inside the workspace
 * ignore, `.git` and `node_modules`, but for folders with a name in `enter`. A folder to start at was named on purpose, so rules that
 * ignore it hold no longer in it. Symbolic links to folders are not followed. Synchronous: pause between what it yields.
 */
export function* walk(workspace: Workspace, start: Place, enter: ReadonlySet<string>): Generator<Met> {
  const stack: Iterator<Met | Folder>[] = [[startOf(workspace, start)].values()];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next();
    if (next.done) stack.pop();
    else if ("kind" in next.value) yield next.value;
    else {
      const { place, shown } = next.value;
      yield { kind: "folder", path: place.path, shown, place };
      const inner = readFolder(workspace, next.value, enter);
      if (inner === undefined) yield { kind: "unreadable", path: place.path, shown, place };
      else stack.push(inner);
    }
  }
}

function startOf(workspace: Workspace, start: Place): Folder {
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

function readFolder(
  workspace: Workspace,
  folder: Folder,
  enter: ReadonlySet<string>,
): Iterator<Met | Folder> | undefined {
  let entries: Entry[];
  try {
    entries = readEntries(workspace, folder.place);
  } catch {
    return undefined;
  }
  const own = entries.some((entry) => entry.name === ".gitignore" && entry.kind === "file");
  const rules = own ? withRulesOf(workspace, folder.above, folder.place) : folder.above;
  return visit(workspace, folder, entries, rules, enter);
}

function* visit(
  workspace: Workspace,
  folder: Folder,
  entries: Entry[],
  rules: IgnoreRules,
  enter: ReadonlySet<string>,
): Generator<Met | Folder> {
  const prefix = folder.place.path === "" ? "" : `${folder.place.path}/`;
  const inside = folder.place.real.endsWith(sep) ? folder.place.real : folder.place.real + sep;
  const ignored = ignoredAmong(
    rules,
    entries.map(({ name, kind }) => prefix + (kind === "folder" ? `${name}/` : name)),
  );
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "other") continue;
    const path = prefix + entry.name;
    const shown = folder.shown === "" ? entry.shown : `${folder.shown}/${entry.shown}`;
    const place = { given: path, named: path, path, real: `${inside}${entry.name}` };
    if (entry.kind === "folder") {
      const named = enter.has(entry.name);
      if (!named && skipped.has(entry.name)) continue;
      if (!ignored[index] || named) yield { place, shown, above: ignored[index] ? undefined : rules };
    } else if (!ignored[index]) {
      const met = entry.kind === "link" ? followLink(workspace, place, shown) : file(workspace, place, shown);
      if (met !== undefined) yield met;
    }
  }
}

function file(workspace: Workspace, place: Place, shown: string): Met {
  return { kind: !workspace.allowSecrets && isSecret(place.path) ? "secret" : "file", path: place.path, shown, place };
}

/** A link counts where it leads to a regular file inside; a link to a folder would make the walk meet things twice. */
function followLink(workspace: Workspace, link: Place, shown: string): Met | undefined {
  try {
    const target = locate(workspace, link.real);
    if (!lstatSync(target.real).isFile()) return undefined;
    const secret = !workspace.allowSecrets && (isSecret(target.path) || isSecret(link.path));
    return { kind: secret ? "secret" : "link", path: link.path, shown, place: target };
  } catch {
    return undefined;
  }
}
