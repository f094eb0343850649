import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIndex, rank } from "./bm25.ts";

const tools = [
  "read_file: Reads a text file, or a part of it.",
  "list_dir: Lists the entries of a folder.",
  "get_weather: Current weather of a city.",
  "send_email: Sends an email to a person.",
];

describe("rank", () => {
  test.each([
    ["weather", 2],
    ["what is the weather like in the city", 2],
    ["reading files", 0],
    ["list a folder", 1],
    ["emails", 3],
  ])("%j finds document %i first", (query, index) => {
    expect(rank(query, tools)[0]?.index).toBe(index);
  });

  test("documents without any word of the query are left out", () => {
    expect(rank("volcano", tools)).toEqual([]);
    expect(rank("", tools)).toEqual([]);
    expect(rank("weather", [])).toEqual([]);
    expect(rank("weather", tools)).toHaveLength(1);
  });

  test("a rare word counts more than a common one", () => {
    expect(rank("a weather", tools)[0]?.index).toBe(2);
  });

  test("a heavier field wins", () => {
    const documents = [
      [{ text: "notes" }, { text: "search", weight: 1 }],
      [{ text: "search", weight: 3 }, { text: "notes" }],
    ];
    expect(rank("search", documents).map((hit) => hit.index)).toEqual([1, 0]);
  });

  test("equal documents come in order of the set", () => {
    expect(rank("same", ["same", "same", "same"]).map((hit) => hit.index)).toEqual([0, 1, 2]);
  });

  test("limit keeps the best", () => {
    expect(rank("a", tools, 2)).toHaveLength(2);
    expect(rank("a", tools, 0)).toEqual([]);
  });

  test("coverage is the share of the query that a document holds", () => {
    expect(rank("weather city", tools)[0]?.coverage).toBe(1);
    const partly = rank("weather volcano", tools)[0]?.coverage ?? 0;
    expect(partly).toBeGreaterThan(0);
    expect(partly).toBeLessThan(0.6);
  });

  test("weighted terms", () => {
    const index = createIndex(["alpha", "beta"]);
    const hits = index.search([{ token: "alpha", weight: 0.2 }, { token: "beta" }, { token: "alpha", weight: 0 }]);
    expect(hits.map((hit) => hit.index)).toEqual([1, 0]);
  });

  test("words that are keys of every object are words like others", () => {
    expect(rank("constructor __proto__", ["constructor", "proto"]).map((hit) => hit.index)).toEqual([0, 1]);
  });
});

test("any query over any documents: the same answer twice, ordered, covered between 0 and 1", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string(), { maxLength: 8 }), (query, documents) => {
      const hits = createIndex(documents).search(query);
      expect(hits).toEqual(rank(query, documents));
      for (const [position, hit] of hits.entries()) {
        expect(hit.score).toBeGreaterThan(0);
        expect(hit.coverage).toBeGreaterThan(0);
        expect(hit.coverage).toBeLessThanOrEqual(1);
        const next = hits[position + 1];
        if (next) expect(next.score).toBeLessThanOrEqual(hit.score);
      }
    }),
    { numRuns: 500 },
  );
});
