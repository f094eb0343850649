import { unmarked } from "./typed-arguments.ts";
import { usageError } from "./usage-error.ts";

/** What `rondo models` was asked to do. */
export type ModelsSettings =
  | { readonly action: "list" }
  | {
      readonly action: "add";
      readonly from: string;
      readonly name?: string;
      readonly sha256?: string;
      readonly unchecked: boolean;
      readonly force: boolean;
    }
  | { readonly action: "remove"; readonly name: string };

/** The words behind `rondo models` and its options, as settings. */
export function modelsSettingsOf(
  words: readonly string[],
  parsed: { readonly [option: string]: unknown },
): ModelsSettings {
  const [action = "list", what, ...more] = words;
  if (action === "list") {
    if (what !== undefined)
      throw usageError('rondo models list takes nothing more; to add: "rondo models add <url or path>"');
    return { action };
  }
  if (action !== "add" && action !== "remove") {
    throw usageError(`rondo models: "${action.slice(0, 40)}" is not one of list, add, remove`);
  }
  if (what === undefined || what === "") {
    throw usageError(
      action === "add"
        ? "rondo models add: give a URL or a path"
        : "rondo models remove: give a name; see rondo models",
    );
  }
  if (more.length > 0) throw usageError(`rondo models ${action}: one at a time; "${more[0]}" is too much`);
  if (action === "remove") return { action, name: what };
  const name = single(parsed.name, "--name");
  const sha256 = single(parsed.sha256, "--sha256");
  const unchecked = parsed.checksum === false;
  if (unchecked && sha256 !== undefined) throw usageError("give --sha256 or --no-checksum, not both");
  return {
    action,
    from: what,
    ...(name !== undefined && { name }),
    ...(sha256 !== undefined && { sha256 }),
    unchecked,
    force: parsed.force === true,
  };
}

function single(parsed: unknown, option: string): string | undefined {
  if (Array.isArray(parsed)) throw usageError(`${option} was given ${parsed.length} times; once is enough`);
  return parsed === undefined ? undefined : unmarked(String(parsed));
}
