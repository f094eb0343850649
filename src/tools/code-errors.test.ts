import { expect, test } from "vitest";
import { hinted } from "./code-errors.ts";

const job = (code: string) => ({ code, timeMs: 1, memoryBytes: 1, maxText: 1, maxPrinted: 1 });
const told = "SyntaxError: something";
const hint = `${told}\n[Modules cannot be used here: write a script without import and export.]`;

test.each(["import a from 'b'", "const a = 1;\n\t export { a }", "\n\n\n  import 'b'"])(
  "modules are named: %j",
  (code) => {
    expect(hinted(told, job(code))).toBe(hint);
  },
);

test("other code is not, however many blank lines it has", () => {
  // Looked at from each blank line to the last one, this would take minutes.
  expect(hinted(told, job(`${"\n".repeat(999_000)}important = exports = ;`))).toBe(told);
});
