import type { Job } from "./code-job.ts";

/** Which part of the room goes to the beginning of what was printed; the end gets the rest. */
const headShare = 2 / 3;

/** Keeps the beginning and the end of what is printed, however much that is; `tell` is given the beginning at once. */
export function printedText({ maxText, maxPrinted }: Job, tell: (text: string) => void) {
  let head = "";
  let tail = "";
  let total = 0;
  let counted = 0;
  return {
    /** `left`: how many characters of it were left out before. */
    add(text: string, left: number): void {
      const first = text.slice(0, Math.max(0, maxText - total));
      head += first;
      tail += text.slice(first.length);
      if (tail.length > 2 * maxText) tail = tail.slice(-maxText);
      total += text.length;
      counted += text.length + left;
      if (first !== "") tell(first);
    },
    full: () => counted > maxPrinted,
    /** What was printed, cut in the middle to about `room` characters. */
    text(room: number): string {
      const kept = head + tail;
      if (total <= room) return kept;
      const first = Math.floor(room * headShare);
      const last = room - first;
      return `${kept.slice(0, first)}\n[... ${total - room} of ${total} characters left out ...]\n${kept.slice(-last)}`;
    },
  };
}
