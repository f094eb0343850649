import { expect, test } from "vitest";
import { imageTypeOf, typeOfName } from "./media-type.ts";

test.each([
  ["\x89PNG\r\n\x1a\n....", "image/png"],
  ["\xff\xd8\xff\xe0....", "image/jpeg"],
  ["GIF87a....", "image/gif"],
  ["GIF89a....", "image/gif"],
  ["RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"],
  ["RIFF\x01\x02\x03\x04WAVEfmt ", undefined],
  ["\x89PNG\n\x1a\n", undefined],
  ["%PDF-1.7", undefined],
  ["", undefined],
])("bytes %j are %s", (head, type) => {
  expect(imageTypeOf(Buffer.from(head, "latin1"))).toBe(type);
});

test.each([
  ["a.PDF", "application/pdf"],
  ["dir.png/b.txt", "text/plain"],
  ["photo.JPG", "image/jpeg"],
  ["a.png/b", undefined],
  ["a.unknown", undefined],
  ["png", undefined],
])("the name %s stands for %s", (name, type) => {
  expect(typeOfName(name)).toBe(type);
});
