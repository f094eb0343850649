import { expect, test } from "vitest";
import { isError, thrownMessage, thrownText } from "./thrown-text.ts";

test.each<[string, unknown, string]>([
  ["an error", new Error("boom"), "boom"],
  ["an error of a class", new TypeError("x is no function"), "TypeError: x is no function"],
  ["text", "just text", "just text"],
  ["a number", 42, "42"],
  ["an object with a message", { message: "boom" }, "boom"],
  ["a wrapped message", { error: { message: "boom" } }, "boom"],
  ["a wrapped text", { error: "boom" }, "boom"],
  ["an object without a message", { status: 403 }, '{"status":403}'],
  ["a cause", new Error("fetch failed", { cause: new Error("refused") }), "fetch failed\nCause: refused"],
  ["a cause that the message tells", new Error("failed: refused", { cause: new Error("refused") }), "failed: refused"],
  ["several errors", new AggregateError([new Error("a"), "b"], "both failed"), "both failed\n- a\n- b"],
  ["several errors without a message", new AggregateError([new Error("a"), new Error("")]), "- a\n- no message"],
  ["a lone surrogate", new Error("a\ud83d"), "a\ufffd"],
])("tells %s", (_, thrown, expected) => {
  expect(thrownText(thrown)).toBe(expected);
});

test.each<[string, unknown]>([
  ["an empty message", new Error("")],
  ["blank text", " \n"],
  ["undefined", undefined],
  ["null", null],
  ["an empty object", {}],
  ["a function", () => 1],
])("says nothing for %s", (_, thrown) => {
  expect(thrownText(thrown)).toBe("");
});

test("a getter that throws does not hide the rest", () => {
  const hostile = Object.defineProperty(new Error("boom"), "cause", {
    get() {
      throw new Error("hidden");
    },
  });
  expect(thrownText(hostile)).toBe("boom");
});

test("causes in a circle end, and of many errors some are told", () => {
  const circle = new Error("round");
  circle.cause = circle;
  expect(thrownText(circle)).toBe("round");
  const many = new AggregateError(Array.from({ length: 50 }, (_, n) => new Error(`e${n}`)));
  expect(thrownText(many).split("\n").at(-1)).toBe("- 40 more");
});

test("no stack gets into the text", () => {
  expect(thrownText(new Error("boom"))).not.toContain("thrown-text");
});

test.each<[string, unknown, string]>([
  ["an error of a class, with a cause", new TypeError("boom", { cause: "why" }), "boom"],
  ["text", "just text", "just text"],
  ["an object", { code: 7 }, '{"code":7}'],
  ["an error that says nothing", new Error(""), "an error without a message"],
  ["an object that says nothing", Object.create(null), "a value of type object"],
  ["no text", "", "a value of type string"],
  ["null", null, "null"],
  ["nothing", undefined, "undefined"],
])("as a part of a sentence it is never empty: %s", (_name, thrown, text) => {
  expect(thrownMessage(thrown)).toBe(text);
});

test("what a revoked proxy was is not known, and no error", () => {
  const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
  revoke();
  expect(isError(proxy)).toBe(false);
  expect(thrownMessage(proxy)).toBe("a value of type object");
});
