import { expect, test } from "vitest";
import { example, folderOf } from "./example.fixture.ts";

test("it quotes the documents of this project, with sources", async () => {
  const { code, stdout, stderr } = await example("research");
  expect(code).toBe(0);
  expect(stderr.match(/^\d\/0 grep /gm)).toHaveLength(3);
  expect(stdout).toMatch(/^limits, steering, outcomes\n- limits: .+\n- steering: .+\n- outcomes: .+\n\nSources: /);
  expect(stdout).toMatch(/Sources: (?:\w+\.md:\d+(?:, )?)+\n$/);
});

test("and those of another folder: answers in the order of the questions, each source once", async () => {
  const folder = folderOf({
    "birds.md": "# Birds\n\nA heron stands still.\nA swift sleeps in the air, unlike a heron.\n",
    "fish.txt": "A salmon comes home.\n",
  });
  const words = ["salmon", "heron", "tiger", "swift", "still"];
  const { code, stdout } = await example("research", [words.join(", "), folder]);
  expect([code, stdout]).toEqual([
    0,
    [
      words.join(", "),
      "- salmon: A salmon comes home.",
      "- heron: A heron stands still.",
      "- tiger: Nothing.",
      "- swift: A swift sleeps in the air, unlike a heron.",
      "- still: A heron stands still.",
      "",
      "Sources: birds.md:3, birds.md:4, fish.txt:1\n",
    ].join("\n"),
  ]);
});

test("a failure is told with its code", async () => {
  const { code, stdout } = await example("research", ["a b"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^undecided: /);
});
