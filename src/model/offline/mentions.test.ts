import { expect, test } from "vitest";
import { mentionsOf } from "./mentions.ts";

test.each([
  ['grep "a b" in src/a.ts', ["quoted a b", "path src/a.ts"]],
  ["read README and .gitignore", ["path README.md", "path .gitignore"]],
  ["list src/loop/", ["path src/loop/"]],
  ["list the docs folder", ["folder docs"]],
  ["look under lib", ["folder lib"]],
  ["weather in berlin", []],
  ["weather in New York, NY", ["name New York, NY"]],
  ["src/**/*.test.ts", ["glob src/**/*.test.ts"]],
  ["Which files match *.{ts,tsx}?", ["glob *.{ts,tsx}"]],
  ["all TypeScript files", ["filetype *.ts"]],
  ["files ending in .md", ["filetype *.md"]],
  ["search /fo+o/i here", ["regex fo+o"]],
  ["mail bob@example.org", ["email bob@example.org"]],
  ["see https://example.org/a?b=1.", ["url https://example.org/a?b=1"]],
  ["on 2026-03-01 at 14:30", ["date 2026-03-01", "time 14:30"]],
  ["1,200.5 euros and -3 or two", ["number 1200.5", "acronym EUR", "number -3", "number 2"]],
  [
    "5 million, 1.5e3, 2 x 10^-3 and twenty thousand",
    ["number 5000000", "number 1500", "number 0.002", "number 20000"],
  ],
  ["on March 5th, 2026 or 6 April 2026", ["date 2026-03-05", "date 2026-04-06"]],
  ["2026/3/5, 12/31/2026, 31.12.2026", ["date 2026-03-05", "date 2026-12-31", "date 2026-12-31"]],
  ["sort [3, 1, 2] and ['a, b', 'c']", ["list [3, 1, 2]", "list ['a, b', 'c']"]],
  ["between (40.7, -74.0) and (north)", ["list (40.7, -74.0)"]],
  ["run `[1, 2].map(f)`", ["quoted [1, 2].map(f)"]],
  ["say 'It's always fresh'", ["quoted It's always fresh"]],
  ["by Leonardo DiCaprio. Could it", ["name Leonardo DiCaprio"]],
  ["order A-1001 and #42", ["id A-1001", "id #42"]],
  ["where is readFile()", ["identifier readFile"]],
  ["call 555-1234 or +49 151 2345678", ["id 555-1234", "id +49 151 2345678"]],
  ["lines 5-10 of 2020-2021", ["number 5", "number 10", "number 2020", "number 2021"]],
  ["100 USD", ["number 100", "acronym USD"]],
  ["this and/or that", []],
  ["read Überblick.md and docs/日本語.txt", ["path Überblick.md", "path docs/日本語.txt"]],
  ["read src/[id].ts, app/(shop)/page.tsx", ["path src/[id].ts", "path app/(shop)/page.tsx"]],
  ["read notes-2026-03-01.md or 2026-03-01.md", ["path notes-2026-03-01.md", "path 2026-03-01.md"]],
  ["read log/2026-03-01.txt", ["path log/2026-03-01.txt"]],
  ["read ./a.ts, then ../b/ and ~/c", ["path ./a.ts", "path ../b/", "path ~/c"]],
  ["read a.txt.", ["path a.txt"]],
  ["", []],
])("%j", (text, expected) => {
  expect(mentionsOf(text).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
});

test.each([
  "b.txt~",
  "b.txt#",
  "b.txt.bak",
  "#b.txt",
  "$HOME/b.txt",
  "%TEMP%/b.txt",
  "docs\\b.txt",
  "C:\\b.txt",
  "C:/b.txt",
  "file(1).txt",
  "src/{a,b}.ts",
  "src/$name.ts",
])("a part of a name is no file: %s", (name) => {
  expect(mentionsOf(`read ${name}`).filter(({ kind }) => kind === "path" || kind === "folder")).toEqual([]);
});
