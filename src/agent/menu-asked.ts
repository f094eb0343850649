import type { MenuRequest } from "../menu/menu.ts";
import type { Presets } from "../menu/presets.ts";
import type { Model } from "../model/model.ts";
import { isRecord } from "./check-options.ts";
import { menuOptions } from "./inherit.ts";
import type { ExecOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";
import type { Inherited } from "./scope.ts";
import type { Home } from "./start.ts";

const noPresets: Presets = {};
const nothing: readonly never[] = [];

/** Share of a context window that declarations may take, and the tokens that they may where the window is not known. */
const deferShare = 0.1;
const deferTokens = 10_000;

/** What a run asks of the menu, and the runtime in whose workspace its tools work. `given`: its own options; `options`: those over the runtime's. */
export function menuAsked(
  home: Home,
  given: ExecOptions,
  options: Pick<ExecOptions, "deferAbove" | "toolChoice">,
  around: Inherited | undefined,
  outer: Inherited | undefined,
  model: Pick<Model, "contextTokens">,
): MenuRequest & { readonly confinement: Runtime } {
  const { confinement, ...own } = menuOptions(home, given, around, outer);
  return {
    ...own,
    confinement,
    registry: home.registry,
    presets: home.options.presets ?? noPresets,
    workspace: confinement.workspace,
    deferAbove:
      options.deferAbove ?? (model.contextTokens === undefined ? deferTokens : model.contextTokens * deferShare),
    forced: forcedBy(options.toolChoice),
  };
}

/** The names that a choice forces, whatever else it is: it is checked against the menu. */
function forcedBy(choice: ExecOptions["toolChoice"]): readonly string[] {
  if (Array.isArray(choice)) return choice;
  return isRecord(choice) && typeof choice.name === "string" ? [choice.name] : nothing;
}
