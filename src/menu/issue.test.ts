import { describe, expect, it } from "vitest";
import { pathText } from "./issue.ts";

describe("pathText", () => {
  it.each([
    [[], ""],
    [["city"], "city"],
    [["items", 2, "name"], "items[2].name"],
    [[0, "a"], "[0].a"],
    [["a b", "c"], '["a b"].c'],
    [["a", ""], 'a[""]'],
    [["a", "__proto__"], "a.__proto__"],
    [["a", Symbol("s")], "a.Symbol(s)"],
  ] as [PropertyKey[], string][])("writes %j", (segments, text) => {
    expect(pathText(segments)).toBe(text);
  });
});
