import type { Letter, ToolLetter } from "./letters.ts";

export const messages = ["now", "after_round", "at_end"] as const;
export const all = [...messages, "abort"] as const;
export const tools: readonly ToolLetter[] = ["ok", "throws", "slow"];

/** The alphabet that the loop is proved with, and the same for tools that may run together. */
export const replies: readonly Letter[] = [
  "text",
  "empty",
  "one",
  "two",
  "cut",
  "cutText",
  "refused",
  "paused",
  "error",
];
export const looks: readonly Letter[] = [
  "text",
  "empty",
  "look",
  "twoLooks",
  "cut",
  "cutText",
  "refused",
  "paused",
  "error",
];
