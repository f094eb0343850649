import { currentScope, type RunScope } from "../agent/scope.ts";

/** A call by its path, and the paths of the runs that it is inside of, the innermost first. */
export type CallAt = { readonly path: string; readonly runs: readonly string[] };

/** The call that the code which asks is the body of; undefined outside of any run. */
export function callAround(): CallAt | undefined {
  const scope = currentScope();
  return scope?.run && callIn(scope.run, scope.call.path);
}

/** The call with this path in this run. */
export function callIn(run: RunScope, path: string): CallAt {
  const runs: string[] = [];
  for (let at: RunScope | undefined = run; at; at = at.inherited.outer) runs.push(at.inherited.emitter.path);
  return { path, runs };
}

/**
 * Whether the call with the path `earlier` is in the same reply of a model as this one, or inside of such a call: what came
 * of it is then nothing that the model knew when it wrote this one. A call and what is inside of it share no reply: there
 * code hands on what it was given.
 */
export function inOneReply(earlier: string, { path, runs }: CallAt): boolean {
  if (isIn(earlier, path) || isIn(path, earlier)) return false;
  // The innermost run around both is the one whose model made both calls, or what is around them.
  const around = runs.find((run) => isIn(earlier, run));
  if (around === undefined) return false;
  return roundOf(earlier, around) === roundOf(path, around);
}

const isIn = (path: string, around: string) => around === "" || path === around || path.startsWith(`${around}/`);

/** Behind the path of a run comes the number of its round. */
const roundOf = (path: string, run: string) => path.slice(run === "" ? 0 : run.length + 1).split("/", 1)[0];
