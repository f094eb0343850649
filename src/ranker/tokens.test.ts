import { describe, expect, test } from "vitest";
import { stem } from "./stem.ts";
import { tokens, words } from "./tokens.ts";

describe("words", () => {
  test.each([
    ["readFile", ["read", "file"]],
    ["read_file", ["read", "file"]],
    ["read-file", ["read", "file"]],
    ["parseHTTPResponse", ["parse", "http", "response"]],
    ["base64Encode", ["base64", "encode"]],
    ["What's the city's weather?", ["what", "the", "city", "weather"]],
    ["don't", ["don't"]],
    ["Größe der Datei", ["größe", "der", "datei"]],
    ["Погода в Москве", ["погода", "в", "москве"]],
    ["東京 天気", ["東京", "天気"]],
    ["cafe\u0301", ["café"]],
    ["", []],
    ["… — !", []],
  ])("%j", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe("stem", () => {
  test.each([
    ["files", "file"],
    ["queries", "query"],
    ["matches", "match"],
    ["boxes", "box"],
    ["classes", "class"],
    ["searching", "search"],
    ["running", "run"],
    ["calling", "call"],
    ["listed", "list"],
    ["planned", "plan"],
    ["created", "create"],
    ["writing", "write"],
    ["copied", "copy"],
  ])("%s meets %s", (word, other) => {
    expect(stem(word)).toBe(stem(other));
  });

  test.each(["string", "thing", "status", "this", "speed", "red", "größen", "class"])("%s stays", (word) => {
    expect(stem(word)).toBe(word);
  });
});

test("tokens are stemmed words", () => {
  expect(tokens("Lists the matchingFiles")).toEqual(["list", "the", "match", "fil"]);
});
