import { explainMenu, type ToolExplanation } from "../menu/explain.ts";
import { checkOptions } from "./check-options.ts";
import { outerOf } from "./inherit.ts";
import { menuAsked } from "./menu-asked.ts";
import { modelOf } from "./model-of.ts";
import type { ExecOptions } from "./options.ts";
import type { Scope } from "./scope.ts";
import { type Home, merged } from "./start.ts";

/** The options of a run that its menu depends on. */
export type ExplainOptions = Pick<
  ExecOptions,
  "tools" | "toolset" | "toolsSource" | "toolsAllow" | "toolsDeny" | "toolChoice" | "deferAbove" | "model"
>;

const explainable: Readonly<Record<keyof ExplainOptions, true>> = {
  tools: true,
  toolset: true,
  toolsSource: true,
  toolsAllow: true,
  toolsDeny: true,
  toolChoice: true,
  deferAbove: true,
  model: true,
};

/** Whether a menu depends on the option of this name. */
export const isExplainable = (name: string): boolean => Object.hasOwn(explainable, name);

/** What a run of this home, begun here with these options, would make of each tool. */
export function explained(home: Home, given: ExplainOptions, around: Scope | undefined): readonly ToolExplanation[] {
  checkOptions(given, explainable);
  const options = merged(home.options, given);
  const outer = outerOf(around, []);
  const sameRuntime = outer?.registry === home.registry ? outer?.model : undefined;
  const model = modelOf(given.model ?? sameRuntime ?? options.model, outer?.model, home.models, []);
  return explainMenu(menuAsked(home, given, options, around?.run?.inherited, outer, model));
}
