import fc from "fast-check";
import { expect, test } from "vitest";
import { readBase64 } from "./base64.ts";

test("whatever was encoded is read, and comes back as the very same text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(readBase64(text)).toEqual({ bytes: Buffer.from(bytes), base64: text });
    }),
    { numRuns: 500 },
  );
});

test("no padding, the alphabet of URLs and line breaks are taken", () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 1]);
  for (const text of ["+//+AQ==", "+//+AQ", "-__-AQ", "+//+\r\nAQ==\n"]) {
    expect(readBase64(text)).toEqual({ bytes, base64: "+//+AQ==" });
  }
});

test.each(["a", "abcde", "ab*d", "data:image/png;base64,AAAA", "ab=d", "AAAA===", "ä"])("%j is no base64", (text) => {
  expect(readBase64(text)).toBeUndefined();
});

test("a long text takes one pass", () => {
  expect(readBase64("A".repeat(40_000_000))?.bytes.length).toBe(30_000_000);
});
