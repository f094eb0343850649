import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { encodeLike } from "./line-ends.ts";
import { decodeText, encodeText, type FileText } from "./text-file.ts";

const decoded = (text: string) => decodeText(Buffer.from(text)) as FileText;

/** What edits make of a file, all of whose line ends are kept in mind. */
const edited = (file: FileText, ...edits: readonly Edit[]) => {
  const { text, steps } = applyEdits(file.text, edits, '"f"');
  return encodeLike({ ...file, form: { ...file.form, mixed: true } }, text, steps, '"f"').toString();
};

/** What a step makes of it that begins at this place. */
const ends = (file: FileText, at: number, old_string: string, new_string: string) => {
  const text = file.text.slice(0, at) + new_string + file.text.slice(at + old_string.length);
  const step = { text: file.text, found: [at], old_string, new_string };
  return encodeLike({ ...file, form: { ...file.form, mixed: true } }, text, [step], '"f"').toString();
};

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
      const kept = ends(file, decoded(head).text.length, decoded(join(old)).text, decoded(join(now)).text);
      expect(decoded(kept).text).toBe(decoded(head + join(now) + tail).text);
      expect(kept.startsWith(head)).toBe(true);
      expect(kept.endsWith(tail)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("a new line ends as the line whose place it takes", () => {
  const file = decoded("a\r\nb\nc\r\n");
  const replace = (old_string: string, new_string: string) =>
    edited(file, { old_string, new_string, replace_all: true });
  expect(replace("b\n", "B\nB2\n")).toBe("a\r\nB\nB2\nc\r\n");
  expect(replace("c\n", "c\nd\n")).toBe("a\r\nb\nc\r\nd\r\n");
  expect(replace("a\nb\nc", "A\nb\nC")).toBe("A\r\nb\nC\r\n");
  expect(replace("c", "c1\nc2")).toBe("a\r\nb\nc1\r\nc2\r\n");
  expect(replace("\n", "")).toBe("abc");
});

test("each edit takes up the line ends that those before it left", () => {
  const file = decoded("a\r\nb\nc\r\nb\nd\n");
  const kept = edited(
    file,
    { old_string: "b\n", new_string: "", replace_all: true },
    { old_string: "c\n", new_string: "c\nnew\n" },
    { old_string: "d\n", new_string: "1\n2\nd\n" },
    { old_string: "new\n1\n", new_string: "1\n" },
  );
  expect(kept).toBe("a\r\nc\r\n1\n2\nd\n");
});

test("no character of a text is special", () => {
  const all = Array.from({ length: 32 }, (_, n) =>
    n === 0 || n === 10 || n === 13 ? "" : String.fromCharCode(n),
  ).join("");
  const rare = `${all}${Array.from({ length: 32 }, (_, n) => String.fromCharCode(0xfdd0 + n)).join("")}`;
  expect(edited(decoded(`x${rare}\r\nb\n`), { old_string: "b", new_string: "B" })).toBe(`x${rare}\r\nB\n`);
});
