import fc from "fast-check";
import { expect, test } from "vitest";
import type { Step } from "./apply-edits.ts";
import { encodeLike } from "./line-ends.ts";
import { decodeText, encodeText, type FileText } from "./text-file.ts";

const decoded = (text: string) => decodeText(Buffer.from(text)) as FileText;

/** What a step makes of a file, all of whose line ends are kept in mind. */
const ends = ({ text, raw, form }: FileText, step: Step) =>
  encodeLike({ text, raw, form: { ...form, mixed: true } }, "", [step], '"f"').toString();

test("the mark and CRLF are taken off, and put on again", () => {
  const found = decoded("\uFEFFa\r\nb\r\n");
  expect(found).toMatchObject({ text: "a\nb\n", form: { bom: true, eol: "\r\n", mixed: false } });
  expect(encodeText("x\ny", found.form).toString()).toBe("\uFEFFx\r\ny");
});

test("what is no text says why", () => {
  expect(decodeText(Buffer.from([0x61, 0, 0x62]))).toBe("is a binary file (of unknown kind)");
  expect(decodeText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]))).toBe("is a binary file (a PNG image)");
  expect(decodeText(Buffer.from("caf\xe9", "latin1"))).toBe("is not UTF-8 text");
});

const lines = fc.array(
  fc.tuple(fc.constantFrom("", "a", "b", "c", "é\rx", "d e", "\u0001\ufdd0", "𐀀"), fc.constantFrom("\n", "\r\n")),
);

test("a file in one form comes back byte for byte", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.constantFrom("\n", "\r\n"), fc.boolean(), (parts, eol, bom) => {
      const text = (bom ? "\uFEFF" : "") + parts.map((part) => part.replace(/[\r\n\0\uFEFF]/g, "") + eol).join("");
      const bytes = Buffer.from(text.toWellFormed());
      const found = decodeText(bytes) as FileText;
      expect(encodeText(found.text, found.form).equals(bytes)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("in mixed line ends all but the replaced part stays byte for byte, and the text is what was wanted", () => {
  fc.assert(
    fc.property(lines, lines, lines, lines, fc.boolean(), (before, old, now, behind, whole) => {
      const join = (all: readonly (readonly [string, string])[]) => all.map(([line, end]) => line + end).join("");
      const [head, tail] = whole ? [join(before), join(behind)] : [`${join(before)}<`, `>${join(behind)}`];
      const file = decoded(head + join(old) + tail);
      const step = {
        found: [decoded(head).text.length],
        old_string: decoded(join(old)).text,
        new_string: decoded(join(now)).text,
      };
      const kept = ends(file, step);
      expect(decoded(kept).text).toBe(decoded(head + join(now) + tail).text);
      expect(kept.startsWith(head)).toBe(true);
      expect(kept.endsWith(tail)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("a new line ends as the line whose place it takes", () => {
  const file = decoded("a\r\nb\nc\r\n");
  const replace = (old_string: string, new_string: string, ...found: number[]) =>
    ends(file, { found, old_string, new_string });
  expect(replace("b\n", "B\nB2\n", 2)).toBe("a\r\nB\nB2\nc\r\n");
  expect(replace("c\n", "c\nd\n", 4)).toBe("a\r\nb\nc\r\nd\r\n");
  expect(replace("a\nb\nc", "A\nb\nC", 0)).toBe("A\r\nb\nC\r\n");
  expect(replace("c", "c1\nc2", 4)).toBe("a\r\nb\nc1\r\nc2\r\n");
  expect(replace("\n", "", 1, 3)).toBe("abc\r\n");
});
