import type { Look } from "./looks.ts";
import type { Call, Story, Turn } from "./story.ts";

export const waitsOf = (turn: Turn) => turn.looks.filter(({ op }) => op === "wait");

/** The approver refuses the call; one that throws does too. */
export const denies = (letter: string | undefined) => letter === "no" || letter === "throws" || letter === "wordless";

/** A question to a person about one call: the waits for its answer, and whether its time was over. */
type Question = { readonly id: string | undefined; readonly waits: Look[]; waitedOut: boolean };

/** The questions of a turn, one after the other. */
export function questionsOf(s: Story, turn: Turn): readonly Question[] {
  const waits = waitsOf(turn);
  if (waits.length === 0) return [];
  const ids = s.log.slice(turn.from, turn.to).flatMap((entry) => (entry.type === "approve" ? [entry.callId] : []));
  const questions: Question[] = [];
  let answered = true;
  for (const wait of waits) {
    if (answered) questions.push({ id: ids[questions.length], waits: [], waitedOut: false });
    const question = questions.at(-1) as Question;
    question.waits.push(wait);
    question.waitedOut = wait.impatient;
    answered = wait.impatient || (question.id !== undefined && wait.answers.includes(question.id));
  }
  return questions;
}

/** The time in which the approval had to come was over. */
export const waitedOut = (s: Story, turn: Turn, call: Call) =>
  call.approval !== undefined && questionsOf(s, turn).some(({ id, waitedOut }) => waitedOut && id === call.id);
