import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";
import { parametersOf } from "./parameters.ts";
import { readingOf } from "./reading.ts";

const edit = {
  type: "object",
  properties: { old_string: { type: "string" }, new_string: { type: "string" } },
  required: ["old_string", "new_string"],
} as const;
const parameters = parametersOf({
  type: "object",
  properties: { edits: { type: "array", items: edit } },
  required: ["edits"],
});

function taken(text: string) {
  const reading = readingOf({ text });
  const { values, guessed } = fieldsOf(parameters, reading, reading.mentions, { vocabulary: new Set() });
  return { values: [...values.values()], guessed };
}

test("plain words make no further objects of a list", () => {
  const { values } = taken('Before you replace "alpha" with "gamma" in a.txt, ask me');
  expect(values).toEqual([[{ old_string: "alpha", new_string: "gamma" }]]);
});

test("a guess inside of a list is a guess", () => {
  expect(taken('Before "alpha" is gone, ask somebody').guessed).toEqual(["edits"]);
});
