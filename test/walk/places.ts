/** Where something may arrive: around a call of the host, and inside of what the loop has set going. */
export type Place =
  | `before ${"look" | "wait" | "step"}`
  | "behind"
  | "start"
  | "delta"
  | "tool"
  | "approval"
  | "callback"
  | "still"
  | "settled";

/** The place before a call of the host; before a look into the inbox, where none is named. */
export const placeOf: { readonly [op: string]: Place } = {
  step: "before step",
  settle: "before step",
  wait: "before wait",
};
