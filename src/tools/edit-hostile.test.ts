import { expect, test, vi } from "vitest";
import { type EditFileArguments, editsOf, planEdit } from "./edit-file.body.ts";
import { mostSimilar } from "./similar-lines.ts";

const worked = vi.hoisted(() => ({ pairs: 0, compared: 0 }));
vi.mock("./line-pairs.ts", async (original) => {
  const own = await original<typeof import("./line-pairs.ts")>();
  return {
    pairsOf: (line: string) => {
      worked.pairs += line.length;
      return own.pairsOf(line);
    },
    dice: (a: Uint16Array, b: Uint16Array) => {
      worked.compared += a.length + b.length;
      return own.dice(a, b);
    },
  };
});

/** What the tool answers for a file with this content. */
function answer(content: string, args: Omit<EditFileArguments, "path">): string {
  const before = {
    known: "unknown",
    gap: undefined,
    redacted: false,
    names: 1,
    shown: '"a.txt"',
    path: "a.txt",
    real: "/a.txt",
  } as const;
  try {
    return planEdit(editsOf({ path: "a.txt", ...args }), { ...before, bytes: Buffer.from(content) }).answer;
  } catch (error) {
    return (error as Error).message;
  }
}
const whole = (piece: string) => piece.repeat(Math.floor(9_000_000 / piece.length));

// What is asked for here took from seconds to hours where work was done anew for each place.
test.each([
  ["many equal lines", whole("x\n"), `${"x \n".repeat(6_600)}y`, "Nothing there is like it"],
  ["one line of one character", whole("x"), `${"x".repeat(19_000)}y`, "Nothing there is like it"],
  ["accents", whole("\u0300\u0316"), "nothing", "Nothing there is like it"],
  ["characters that stand for many", whole("\ufdfa"), "nothing", "Nothing there is like it"],
  ["line numbers", whole("1 \n"), "1: 1 \n".repeat(3_000), "old_string has line numbers"],
  ["a great text that overlaps itself", whole("0"), "0".repeat(4_000_000), "more than 10 times"],
])("what is not there, or not once: %s", (_, content, old_string, says) => {
  expect(answer(content, { old_string, new_string: "new" })).toContain(says);
});

test("what is like it is looked for with so much work and no more", () => {
  const line = (i: number) =>
    Array.from({ length: 60 }, (_, j) => `${(i * 7 + j) % 10}${String.fromCharCode(97 + ((i + j * j) % 26))}`);
  const lines = Array.from({ length: 15_000 }, (_, i) => line(i).join(""));
  const wanted = Array.from({ length: 5_000 }, (_, i) => `${line(i + 1).join("")}!`);
  Object.assign(worked, { pairs: 0, compared: 0 });
  expect(mostSimilar(lines, wanted)).toBeDefined();
  const all = [...lines, ...wanted].reduce((sum, one) => sum + one.length, 0);
  expect(worked.pairs).toBeLessThanOrEqual(all);
  expect(worked.compared).toBeLessThan(12_000_000);
});

test.each([
  ["LF", (_: number) => "\n"],
  ["both kinds of line ends", (i: number) => (i % 2 === 0 ? "\n" : "\r\n")],
  ["both kinds, but hardly any", (i: number) => (i === 0 ? "\n" : i === 1 ? "\r\n" : "")],
])("20,000 places of a file of 9 MB with %s are replaced", (_, end) => {
  const content = Array.from({ length: 20_000 }, (_, i) => `${"x".repeat(440)}needle${end(i)}`).join("");
  const found = answer(content, { old_string: "needle", new_string: "thread", replace_all: true });
  expect(found).toMatch(/^Edited "a\.txt" \(20,000 replacements, /);
});

test("a file of millions of lines is edited, and what is changed is shown", () => {
  const end = { old_string: "end", new_string: "END" };
  expect(answer(`${whole("\n")}end`, end)).toContain("(1 replacement, +1 -1 lines)");
  const both = { old_string: "x", new_string: "y", replace_all: true };
  const far = answer(`x\n${whole("ab\n")}x\n`, both);
  expect(far).toContain("(2 replacements, +3,000,002 -3,000,002 lines)");
  expect(far).toMatch(/more lines of the diff$/);
});

test("line ends that cannot be kept apart in a short time are refused", () => {
  const content = `\r\n${whole("a\n".repeat(250))}`;
  const edit = { old_string: "a\n".repeat(250), new_string: "b\n".repeat(250), replace_all: true };
  expect(answer(content, edit)).toMatch(
    /^Some lines of "a\.txt" end with LF and some with CRLF, .* Nothing was changed\.$/,
  );
});

test("many texts that nearly fit everywhere are refused", () => {
  const edits = [1, 2, 3].map((n) => ({ old_string: "0".repeat(1_000_000), new_string: `${n}`, replace_all: true }));
  expect(answer(whole("0"), { edits })).toMatch(/^edits\[[12]\]: /);
});
