import { expect, onTestFinished, test } from "vitest";
import { chatServer } from "../../src/cli/chat-server.fixture.ts";
import { example, folderOf } from "./example.fixture.ts";

test("it sums and counts over the data that comes with it", async () => {
  const { code, stdout, stderr } = await example("csv");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain('{"city":"Oslo","count":3,"sum":485.5},{"city":"Bergen","count":2,"sum":460.5}');
  expect(stdout).toContain('[{"by":"train","count":3},{"by":"plane","count":5}]');
});

test("another question and another folder", async () => {
  const folder = folderOf({
    "birds.csv": "\uFEFFkind,seen\r\nheron,2\r\n\r\nswift,0.1\r\nheron,0.2",
    "notes.txt": "a,b\n1,2\n",
  });
  const { stdout } = await example("csv", ["Query birds with group=kind sum=seen", folder]);
  expect(stdout).toContain('[{"kind":"heron","count":2,"sum":2.2},{"kind":"swift","count":1,"sum":0.1}]');
});

/** What the query tool answers to these calls of a model, over the wire. */
async function answers(files: { readonly [name: string]: string }, queries: readonly object[]) {
  const server = await chatServer((round) => {
    const query = queries[round - 1];
    return query ? { calls: [{ name: "query", arguments: query }] } : { text: "That is it." };
  });
  onTestFinished(() => server.close());
  const env = { RONDO_MODEL: server.model };
  const { stdout, stderr } = await example("csv", ["How many?", folderOf(files)], { env });
  expect([stdout, stderr]).toEqual(["That is it.\n", ""]);
  const { messages } = server.received.at(-1)!.body;
  return messages.flatMap(({ role, content }) => (role === "tool" ? [String(content)] : []));
}

test("quotes, line ends in fields, filters, and mistakes that say what to do", async () => {
  const text =
    'name,"size, cm",note\n"Heron, grey",98,"says ""kraak"""\nSwift,17,"two\nlines"\nWren,,\nOwl,about 40,\n';
  const [quoted, above, contains, rows, column, sum, table] = await answers(
    { "birds.csv": text, "empty.csv": "a,b\n" },
    [
      { table: "birds", where: [{ column: "name", test: "is", value: "Heron, grey" }] },
      { table: "birds", where: [{ column: "size, cm", test: "below", value: "50" }] },
      {
        table: "birds",
        where: [{ column: "note", test: "contains", value: "TWO\nlin" }],
        group: "name",
        sum: "size, cm",
      },
      { table: "empty" },
      { table: "birds", group: "toString" },
      { table: "birds", sum: "size, cm" },
      { table: "fish" },
    ],
  );
  expect(JSON.parse(quoted!)).toEqual([{ name: "Heron, grey", "size, cm": "98", note: 'says "kraak"' }]);
  expect(JSON.parse(above!)).toEqual([{ name: "Swift", "size, cm": "17", note: "two\nlines" }]);
  expect(JSON.parse(contains!)).toEqual([{ name: "Swift", count: 1, sum: 17 }]);
  expect(rows).toBe("[]");
  expect(column).toContain("birds has no column toString, only name, size, cm, note.");
  expect(sum).toContain('"about 40" in size, cm is no number.');
  expect(table).toMatch(/table.*birds/s);
});
