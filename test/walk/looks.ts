import type { Callback } from "./letters.ts";
import type { Entry, Op } from "./log.ts";

const never = Number.POSITIVE_INFINITY;

/** A look into the inbox, or a question to one of the callbacks. Positions (`…At`) are indexes in the log; `Infinity`: it did not happen. */
export type Look = {
  readonly op: Op | Callback;
  readonly kinds: readonly string[];
  readonly enterAt: number;
  readonly doneAt: number;
  readonly taken: readonly { readonly text: string; readonly kind: string }[];
  readonly control: boolean;
  readonly closed: boolean;
  readonly late: boolean;
  /** For one that waits: when that would end by itself, the calls that it gave answers about, and whether its time was over. */
  readonly until: number | undefined;
  readonly answers: readonly string[];
  readonly impatient: boolean;
};

const nothing = { taken: [], control: false, closed: false, late: false, answers: [] } as const;

/** The looks in a log; `done`: where each call of the host was done. */
export function looksOf(log: readonly Entry[], done: readonly number[]): Look[] {
  const looks: Look[] = [];
  let step = { at: 0, no: 0 };
  for (const [index, entry] of log.entries()) {
    if (entry.type === "callback") looks.push(askOf(log, index, step.at, done[step.no] ?? never));
    if (entry.type !== "enter") continue;
    step = { at: index, no: entry.no };
    if (!["drain", "takeOrClose", "close", "wait"].includes(entry.op)) continue;
    const doneAt = done[entry.no] ?? never;
    const end = log[doneAt];
    const { taken, control, closed, late, answers } = end?.type === "done" ? end : nothing;
    const { op, kinds = [], until } = entry;
    const impatient = log[index + 1]?.type === "patience";
    looks.push({ op, kinds, enterAt: index, doneAt, taken, control, closed, late, answers, until, impatient });
  }
  return looks;
}

/** A callback is asked in a step of its own. */
function askOf(log: readonly Entry[], index: number, enterAt: number, doneAt: number): Look {
  const { which, text } = log[index] as Extract<Entry, { type: "callback" }>;
  const gave = log.slice(index, doneAt).some((entry) => entry.type === "callback_end" && entry.text === text);
  const end = log[doneAt];
  return {
    op: which,
    kinds: [],
    enterAt,
    doneAt,
    ...nothing,
    until: undefined,
    impatient: false,
    taken: gave ? [{ text, kind: which === "steering" ? "now" : "at_end" }] : [],
    late: end?.type === "done" && end.late,
  };
}
