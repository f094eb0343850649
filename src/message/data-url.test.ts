import { expect, test } from "vitest";
import { readDataUrl } from "./data-url.ts";

test.each([
  ["data:image/png;base64,aGk=", "image/png", "hi"],
  ["DATA:Image/PNG;base64,aGk", "image/png", "hi"],
  ["data:image/png;base64,aGk%3D", "image/png", "hi"],
  ["data:image/svg+xml;charset=utf-8,<svg>%C3%A4ä</svg>", "image/svg+xml", "<svg>ää</svg>"],
  ["data:,a%2Cb,c%", "", "a,b,c%"],
  ["data:;base64,aGk=", "", "hi"],
])("%s", (url, mediaType, text) => {
  const read = readDataUrl(url);
  expect(read?.mediaType).toBe(mediaType);
  expect(read?.bytes.toString("utf8")).toBe(text);
  expect(read?.base64).toBe(Buffer.from(text).toString("base64"));
});

test("escaped bytes need not be text", () => {
  expect(readDataUrl("data:image/png,%89PNG")?.bytes).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
});

test.each(["data:image/png;base64", "data:image/png;base64,***", "http://a.example/,"])("%s is broken", (url) => {
  expect(readDataUrl(url)).toBeUndefined();
});
