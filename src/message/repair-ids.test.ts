import { expect, test } from "vitest";
import { idSource } from "./repair-ids.ts";

test("the first call keeps its id, later ones and empty ones get a new one", () => {
  const ids = idSource(["a", "", "a", "", "a"]);
  expect(["a", "", "a", "", "a"].map((id) => ids.take(id))).toEqual(["a", "call_1", "a_2", "call_2", "a_3"]);
});

test("a new id is none that stands in the history", () => {
  const ids = idSource(["a", "a", "a_2", "", "call_1"]);
  expect(["a", "a", "a_2", "", "call_1"].map((id) => ids.take(id))).toEqual(["a", "a_3", "a_2", "call_2", "call_1"]);
});

test("a new id whose text is used again later is still unique", () => {
  const ids = idSource(["a", "a", "a", "a_2", "a_2"]);
  const given = ["a", "a", "a", "a_2", "a_2"].map((id) => ids.take(id));
  expect(new Set(given).size).toBe(5);
});
