import fc from "fast-check";
import { expect, test } from "vitest";
import { lineWindow } from "./line-window.ts";

type Limits = Parameters<typeof lineWindow>[0];
const wide: Limits = { from: 1, lines: 1_000, chars: 1_000_000, lineBytes: 10_000 };

function windowOf(content: string | Buffer, limits: Partial<Limits> = {}, chunk = 7) {
  const bytes = Buffer.from(content);
  const window = lineWindow({ ...wide, ...limits });
  const memory = Buffer.alloc(chunk);
  for (let at = 0; at < bytes.length; at += chunk)
    window.push(memory.subarray(0, bytes.copy(memory, 0, at, at + chunk)));
  return window.result();
}

test("in whatever chunks a file comes, its lines are the same", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n", "\n", "\r\n", "\r", " ") });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      (content, chunk, from, count) => {
        const all = content.replaceAll("\r\n", "\n").split("\n");
        if (all.at(-1) === "") all.pop();
        const result = windowOf(content, { from, lines: count }, chunk);
        // A "\r" that ends the file without a line break is not part of one.
        expect(result.lines).toEqual(all.slice(from - 1, from - 1 + count));
        expect(result.seen).toBe(all.length);
        expect(result.full).toBe(all.length > from - 1 + count);
        expect(result.notUtf8).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a long line is cut between characters and says how long it is", () => {
  expect(windowOf("ééé\nb", { lineBytes: 3 }).lines).toEqual(["é … [line cut: it has 6 bytes]", "b"]);
  expect(windowOf("a😀b\r\n", { lineBytes: 4 }).lines).toEqual(["a … [line cut: it has 7 bytes]"]);
  expect(windowOf("abcd\r\nb", { lineBytes: 4 })).toMatchObject({ lines: ["abcd", "b"], cut: [] });
  expect(windowOf("abcde\nb\nabcde", { lineBytes: 4 }).cut).toEqual([1, 3]);
});

test("the characters of all lines are bounded, but one line is always shown", () => {
  expect(windowOf("aaaa\nbbbb\ncc", { chars: 10 })).toMatchObject({
    lines: ["aaaa", "bbbb"],
    last: 2,
    seen: 3,
    full: true,
  });
  expect(windowOf("aaaa\nb", { chars: 2 })).toMatchObject({ lines: ["aaaa"], last: 1, full: true });
});

test("CRLF, a byte order mark and bytes that are not UTF-8 are noticed", () => {
  expect(windowOf("\uFEFFa\r\nb\r\n")).toMatchObject({ lines: ["a", "b"], ends: "CRLF", endsWithNewline: true });
  expect(windowOf("a\nb")).toMatchObject({ ends: "LF", endsWithNewline: false });
  expect(windowOf("a\r")).toMatchObject({ ends: undefined, endsWithNewline: false });
  expect(windowOf("a\nb\r\n", { from: 2, lines: 1 })).toMatchObject({ lines: ["b"], ends: "mixed" });
  expect(windowOf(Buffer.from([0x61, 0xe9, 0x0a]))).toMatchObject({ lines: ["a\uFFFD"], notUtf8: true });
  expect(windowOf("a\uFFFDb")).toMatchObject({ notUtf8: false });
});
