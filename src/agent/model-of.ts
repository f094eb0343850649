import type { Model } from "../model/model.ts";
import { resolveModel } from "../model/resolve.ts";

/** Something to tell the reader of a run, though it ends nothing. */
export type Warning = { readonly code: string; readonly message: string };

/**
 * The model of a run: the one given by its call, else that of a run of the same runtime around it, else the runtime's
 * own, else that of whatever run is around, else `RONDO_MODEL`, else the offline stand-in, which is said.
 */
export function modelOf(
  given: Model | string | undefined,
  outer: Model | undefined,
  byName: Map<string, Model>,
  warnings: Warning[],
): Model {
  if (typeof given === "object") return given;
  if (given === undefined && outer) return outer;
  const name = given ?? (process.env.RONDO_MODEL || undefined);
  if (name !== undefined) return named(name, byName);
  const message =
    "No model is configured: the built-in offline stand-in answers, which is not a language model. Set RONDO_MODEL, or give createRuntime({ model }).";
  warnings.push({ code: "offline_model", message });
  return named("offline", byName);
}

/** Each runtime keeps the models that it has found by name. */
function named(name: string, byName: Map<string, Model>): Model {
  let model = byName.get(name);
  if (!model) {
    model = resolveModel(name);
    byName.set(name, model);
  }
  return model;
}
