/**
 * Answers questions over a folder of CSV files, with a query tool of its own. Without RONDO_MODEL the built-in stand-in only
 * matches words: say what the tool takes, as in group=COLUMN sum=COLUMN.
 *
 *     node examples/csv.ts "Query sales with group=product sum=amount" [folder]
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { exec, tool } from "rondo";
import { z } from "zod";

type Row = Record<string, string>;
type Table = { columns: readonly string[]; rows: readonly Row[] };

/** Fields in quotes may hold commas, line ends and doubled quotes. */
function parse(text: string): Table {
  const lines: string[][] = [[]];
  const fields = text.replace(/^\uFEFF/, "").matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|$)/g);
  for (const [, quoted, bare = "", end] of fields) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end !== ",") lines.push([]);
  }
  const [columns = [], ...body] = lines.filter((line) => line.length > 1 || line[0]);
  return { columns, rows: body.map((line) => Object.fromEntries(columns.map((name, at) => [name, line[at] ?? ""]))) };
}

function sumOf(column: string, rows: readonly Row[]): number {
  const wrong = rows.find((row) => Number.isNaN(Number(row[column])));
  if (wrong) throw new Error(`"${wrong[column]}" in ${column} is no number.`);
  return Number(rows.reduce((total, row) => total + Number(row[column]), 0).toFixed(6));
}

const tests = {
  is: (a: string, b: string) => a === b,
  contains: (a: string, b: string) => a.toLowerCase().includes(b.toLowerCase()),
  above: (a: string, b: string) => a !== "" && Number(a) > Number(b),
  below: (a: string, b: string) => a !== "" && Number(a) < Number(b),
};

process.on("uncaughtException", ({ message }) => {
  console.error(message); // a folder that is not there, say: one line is enough
  process.exit(2);
});
const question = process.argv[2] ?? "Query sales with group=city sum=amount, then query routes with group=by.";
const folder = process.argv[3] ?? join(import.meta.dirname, "data");
const tables = new Map<string, Table>();
for (const file of (await readdir(folder)).filter((name) => name.endsWith(".csv"))) {
  tables.set(file.slice(0, -4), parse(await readFile(join(folder, file), "utf8")));
}
const about = [...tables].map(([name, { columns }]) => `${name} (${columns.join(", ")})`).join("; ");

const query = tool({
  name: "query",
  description: `Query a table: filter its rows, group them, sum a column. The tables and their columns: ${about}.`,
  input: z.object({
    table: z.enum([...tables.keys()]),
    where: z
      .array(z.object({ column: z.string(), test: z.literal(["is", "contains", "above", "below"]), value: z.string() }))
      .optional(),
    group: z.string().optional().describe("Column: one line for each of its values, with the number of rows."),
    sum: z.string().optional().describe("Column of numbers to add up."),
  }),
  readOnly: true,
  execute({ table, where = [], group, sum }) {
    const { columns, rows } = tables.get(table)!;
    const named = [...where.map(({ column }) => column), group, sum];
    const unknown = named.find((name) => name !== undefined && !columns.includes(name));
    if (unknown !== undefined) throw new Error(`${table} has no column ${unknown}, only ${columns.join(", ")}.`);
    const found = rows.filter((row) => where.every(({ column, test, value }) => tests[test](row[column]!, value)));
    if (group === undefined && sum === undefined) return found.slice(0, 100);
    return [...Map.groupBy(found, (row) => (group === undefined ? "all" : row[group]!))].map(([value, members]) => ({
      [group ?? "rows"]: value,
      count: members.length,
      ...(sum !== undefined && { sum: sumOf(sum, members) }),
    }));
  },
});

console.log(await exec(question, { tools: [query] }));
