import { expect, test } from "vitest";
import { showSize, showSizes } from "./show-size.ts";

test("a size is short", () => {
  expect([0, 1, 1023, 1024, 1536, 10 * 1024 * 1024].map(showSize)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1.0 KB",
    "1.5 KB",
    "10.0 MB",
  ]);
});

test("two that look alike are told to the byte", () => {
  const limit = 10 * 1024 * 1024;
  expect(showSizes(limit + 1, limit)).toEqual(["10,485,761 bytes", "10,485,760 bytes"]);
  expect(showSizes(11_000_000, limit)).toEqual(["10.5 MB", "10.0 MB"]);
});
