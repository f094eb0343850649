import { expect, test } from "vitest";
import { nearNames } from "./near-names.ts";

test.each<[string, string[], string[]]>([
  ["indx.ts", ["index.ts", "inbox.ts", "zebra.ts"], ["index.ts", "inbox.ts"]],
  ["README", ["readme.md", "src"], ["readme.md"]],
  ["src", ["SRC", "src2", "lib"], ["SRC", "src2"]],
  ["a.ts", ["b.ts", "c.ts", "d.ts", "e.ts"], ["b.ts", "c.ts", "d.ts"]],
  ["nothing", ["completely", "different"], []],
])("%s is like %j", (meant, names, expected) => {
  expect(nearNames(meant, names)).toEqual(expected);
});
