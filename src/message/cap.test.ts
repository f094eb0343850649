import fc from "fast-check";
import { expect, test } from "vitest";
import { capContent } from "./cap.ts";
import type { ToolResultContent } from "./message.ts";
import { isWellFormed } from "./well-formed.ts";

const text = (value: string): ToolResultContent => ({ type: "text", text: value });
const image = (chars: number): ToolResultContent => ({
  type: "image",
  data: "x".repeat(chars),
  mediaType: "image/png",
});
const shown = (parts: readonly ToolResultContent[]): string =>
  parts
    .map((part) => (part.type === "text" ? part.text : part.type === "json" ? JSON.stringify(part.value) : ""))
    .join("");

test("nothing is cut at the limit: the very same array", () => {
  const content = [text("x".repeat(60)), { type: "json", value: "y".repeat(38) } as const, image(500)];
  const capped = capContent(content, 100);
  expect(capped.content).toBe(content);
  expect("cut" in capped).toBe(false);
  expect(capContent(content, Number.POSITIVE_INFINITY).content).toBe(content);
  expect(capContent(content, 99).content).not.toBe(content);
});

test("the head gets 70 %, the tail 30 %, and the marker says how much is missing of what", () => {
  const { content, cut } = capContent([text("a".repeat(5000) + "z".repeat(5000))], 1000);
  const marker = /^(a+)\n\[\.\.\. (\d+) of 10000 characters left out \.\.\.\]\n(z+)$/;
  const [, head = "", missing, tail = ""] = marker.exec(shown(content)) ?? [];
  expect(head.length / (head.length + tail.length)).toBeCloseTo(0.7, 2);
  expect(Number(missing)).toBe(10_000 - head.length - tail.length);
  expect(cut).toEqual({ shownChars: head.length + tail.length, totalChars: 10_000 });
  expect(content.length).toBe(1);
});

test("several parts: those at both ends stay whole, images stay in their place", () => {
  const first = { type: "json", value: { a: 1 } } as const;
  const last = text("end");
  const picture = image(10);
  const { content } = capContent([first, text("x".repeat(900)), picture, text("y".repeat(900)), last], 300);
  expect(content[0]).toBe(first);
  expect(content.at(-1)).toBe(last);
  expect(content.filter((part) => part === picture).length).toBe(1);
  expect(shown(content)).toMatch(/^\{"a":1\}x+\n\[\.\.\. \d+ of 1810 characters left out \.\.\.\]\ny+end$/);
});

test("a json part over the limit becomes text and is cut", () => {
  const { content } = capContent([{ type: "json", value: { list: "x".repeat(500) } }], 200);
  expect(content[0]?.type).toBe("text");
  expect(shown(content)).toMatch(/^\{"list":"x+\n.*\nx+"\}$/);
});

test("a limit without room leaves the marker alone", () => {
  for (const maxChars of [0, 1, 10]) {
    expect(capContent([text("x".repeat(100))], maxChars)).toEqual({
      content: [text("\n[... 100 of 100 characters left out ...]\n")],
      cut: { shownChars: 0, totalChars: 100 },
    });
  }
});

test("images are bounded in number and size, and said to be left out", () => {
  const many = Array.from({ length: 22 }, () => image(1));
  const capped = capContent(many, 1000);
  expect(capped.content.slice(0, 20)).toEqual(many.slice(0, 20));
  expect(capped.content[20]).toEqual(text("[image left out: image/png, 1 characters of base64]"));
  expect(capped.cut?.omittedImages).toBe(2);
  const large = capContent([image(15_000_000), image(6_000_000), image(5)], 1000);
  expect(large.content.map((part) => part.type)).toEqual(["image", "text", "image"]);
});

test("any content: within the limit, no pair split, head and tail are those of the whole", () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "😀"), maxLength: 300 }).map(text),
    fc.jsonValue().map((value) => ({ type: "json", value }) as ToolResultContent),
    fc.constant(image(3)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 60, max: 400 }), (content, maxChars) => {
      const whole = shown(content);
      const capped = capContent(content, maxChars);
      const left = shown(capped.content);
      expect(left.length).toBeLessThanOrEqual(maxChars);
      expect(isWellFormed(left)).toBe(isWellFormed(whole));
      if (whole.length <= maxChars) expect(capped.content).toBe(content);
      else {
        const [head = "", tail = ""] = left.split(/\n\[\.\.\. \d+ of \d+ characters left out \.\.\.\]\n/);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(capped.cut).toEqual({ shownChars: head.length + tail.length, totalChars: whole.length });
      }
      expect(capContent(capped.content, maxChars).content).toBe(capped.content);
    }),
    { numRuns: 1000 },
  );
}, 60_000);
