import { textOf } from "../../src/message/message.ts";
import { denies, questionsOf } from "./questions.ts";
import { isDecision, type Story, type Turn } from "./story.ts";
import { wantedText } from "./wanted.ts";

/** The reply picks a value, or a function that nobody denies. What is said about approving it stands in the log. */
export function decides(s: Story, turn: Turn): boolean {
  const text = turn.reply ? textOf(turn.reply) : "";
  if (text !== "signed") return text === wantedText || text === "pick";
  const letter = approvalOf(s, turn)?.letter ?? "yes";
  return !denies(letter) && letter !== "spoils" && !pickWaitedOut(s, turn);
}

/** The reply picks a function. */
export const picks = (turn: Turn) => turn.letter === "pick" || turn.letter === "signed";

/** What was said about the function that this reply picked. */
export function approvalOf(s: Story, turn: Turn) {
  const asked = s.log.slice(turn.from, turn.to).findLast((entry) => entry.type === "approve" && isDecision(entry));
  return asked?.type === "approve" ? asked : undefined;
}

/** The time was over in which somebody had to say yes to the function that this reply picked. */
export const pickWaitedOut = (s: Story, turn: Turn) => questionsOf(s, turn).some(({ waitedOut }) => waitedOut);

/** The start of the function that this reply picked. */
export function pickedBy(s: Story, turn: Turn) {
  const began = s.log.slice(turn.from, turn.to).find((entry) => entry.type === "tool_start" && isDecision(entry));
  return began?.type === "tool_start" ? began : undefined;
}
