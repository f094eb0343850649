import type { AvailabilityQuestion } from "../tool.ts";
import { availabilityGate, type Conditions } from "./availability.ts";

/** How long an answer of the availability gate holds, in milliseconds. */
export const heldMs = 5_000;

type Answer = { readonly at: number; readonly source: string | undefined; readonly workspace: string } & {
  readonly reason: string | undefined;
};

const answers = new WeakMap<Conditions, Answer>();

/** Gate 4 with its last answer for the same question, if that is not older than five seconds. */
export function rememberedAvailability(
  tool: { readonly conditions: Conditions | undefined },
  asked: AvailabilityQuestion,
): string | undefined {
  const { conditions } = tool;
  if (!conditions) return undefined;
  const now = Date.now();
  const known = answers.get(conditions);
  const { source, workspace } = asked;
  if (known && known.source === source && known.workspace === workspace && now >= known.at && now - known.at < heldMs)
    return known.reason;
  const reason = availabilityGate(tool, asked);
  answers.set(conditions, { at: now, source, workspace, reason });
  return reason;
}
