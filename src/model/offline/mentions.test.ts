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
  ["1,200.5 euros and -3 or two", ["number 1200.5", "number -3", "number 2"]],
  ["order A-1001 and #42", ["id A-1001", "id #42"]],
  ["where is readFile()", ["identifier readFile"]],
  ["100 USD", ["number 100", "acronym USD"]],
  ["this and/or that", []],
  ["", []],
])("%j", (text, expected) => {
  expect(mentionsOf(text).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
});
