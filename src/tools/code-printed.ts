import type { Job } from "./code-job.ts";

/** Keeps the beginning and the end of what is printed, however much that is; `tell` is given the beginning at once. */
export function printedText({ keepHead, keepTail, maxPrinted }: Job, tell: (text: string) => void) {
  let head = "";
  let tail = "";
  let total = 0;
  return {
    /** `left` characters behind the text are not in it. */
    add(text: string, left: number): void {
      const room = keepHead - head.length;
      total += text.length + left;
      // The end begins where the beginning ends: once something is in it, nothing more is added before it.
      const first = tail === "" && room > 0 ? text.slice(0, room) : "";
      head += first;
      if (first !== "") tell(first);
      tail += text.slice(first.length);
      if (tail.length > 2 * keepTail) tail = tail.slice(-keepTail);
    },
    full: () => total > maxPrinted,
    text(): string {
      const end = tail.length > keepTail ? tail.slice(-keepTail) : tail;
      const missing = total - head.length - end.length;
      if (missing <= 0) return head + end;
      return `${head}\n[... ${missing} of ${total} characters left out ...]\n${end}`;
    },
  };
}
