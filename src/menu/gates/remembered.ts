import type { AvailabilityQuestion } from "../tool.ts";
import { availabilityGate, type Conditions } from "./availability.ts";

/** How long an answer of the availability gate holds, in milliseconds. */
export const heldMs = 5_000;

type Answer = { readonly at: number; readonly source: string | undefined; readonly workspace: string } & {
  readonly reason: string | undefined;
};

/** So many questions about one tool have their answers remembered: runs from several sources go on side by side. */
const mostAnswers = 16;

const answers = new WeakMap<Conditions, Answer[]>();

/** Gate 4 with its last answer for the same question, if that is not older than five seconds. */
export function rememberedAvailability(
  tool: { readonly conditions: Conditions | undefined },
  asked: AvailabilityQuestion,
): string | undefined {
  const { conditions } = tool;
  if (!conditions) return undefined;
  const now = Date.now();
  const { source, workspace } = asked;
  const all = answers.get(conditions) ?? [];
  const at = all.findIndex((one) => one.source === source && one.workspace === workspace);
  const known = all[at];
  if (known && now >= known.at && now - known.at < heldMs) return known.reason;
  const reason = availabilityGate(tool, asked);
  if (known) all.splice(at, 1);
  else if (all.length >= mostAnswers) all.shift();
  all.push({ at: now, source, workspace, reason });
  answers.set(conditions, all);
  return reason;
}

/** Gate 4 for a request from several sources: what one of them may not have, all may not. */
export function availabilityFrom(
  tool: { readonly conditions: Conditions | undefined },
  sources: readonly string[],
  workspace: string,
): string | undefined {
  if (!tool.conditions) return undefined;
  if (sources.length === 0) return rememberedAvailability(tool, { workspace });
  for (const source of sources) {
    const reason = rememberedAvailability(tool, { source, workspace });
    if (reason !== undefined) return reason;
  }
  return undefined;
}
