import { expect, test } from "vitest";
import { builtInTools } from "../../tools/index.ts";
import { converse, declared } from "./offline.fixture.ts";

const tools = declared(builtInTools);
const written = async (request: string) =>
  (await converse(request, () => "some TODO\n", { tools })).calls.filter((call) => /^(?:write|edit)_file /u.test(call));

test.each([
  "Read notes.txt, then add 'x' to the end of notes.txt",
  "Read notes.txt, then put 'x' at the top of notes.txt",
  "Read notes.txt, then write 'x' at the end of notes.txt",
  "Read notes.txt, then write 'x' below the first line of notes.txt",
  "Read notes.txt, then write an additional line 'x' to notes.txt",
  "Read notes.txt, then write the line 'x' to notes.txt",
  "Read notes.txt, then save 'x' as the last line of notes.txt",
  "Read notes.txt, then write 'x' behind TODO in notes.txt",
  "Read notes.txt, then write 'x' after 'TODO' in notes.txt",
  "Read notes.txt, then write 'x' also to notes.txt",
  "Read notes.txt, then write 'x' to notes.txt as well",
  "Read notes.txt, then store 'x' in the second line of notes.txt",
  "Read notes.txt, then put the text 'x' on line 3 of notes.txt",
  "Read notes.txt, then write 'x' to notes.txt but keep the rest",
  "Read notes.txt, then write 'x' over TODO in notes.txt",
  "Read notes.txt, then write 'x' in place of TODO in notes.txt",
  "Read notes.txt, then write 'x' where TODO is in notes.txt",
  "Read notes.txt, then write 'x' around TODO in notes.txt",
  "Read notes.txt, then write the header 'x' in notes.txt",
  "Read notes.txt, then save a comment 'x' in notes.txt",
  "Read notes.txt, then write 'x' twice to notes.txt",
  "Read notes.txt, then write 'x' 3 times to notes.txt",
  "Read notes.txt, then write 'x' in all caps to notes.txt",
])("to put something into a file is not to write it anew: %s", async (request) => {
  expect(await written(request)).toEqual([]);
});

test.each([
  'Read notes.txt, then write "x" to "a b.txt" and "y" to notes.txt',
  'Write "notes.txt" to x.txt and "b" to y.txt',
  'Write "new.txt" to x.txt and "b" to y.txt',
])("of two texts for two files none is written: %s", async (request) => {
  expect(await written(request)).toEqual([]);
});

test.each([
  "Write 'x' to notes.txt",
  "Put 'at the end of line 3' into notes.txt",
  "Also write 'x' to notes.txt",
  "Save 'x' in the file notes.txt",
  "Write 'x' to docs/notes.txt",
  "Write 'x' to end.txt",
  "Write 'x' to File.txt",
  "Create a new file called notes.txt with the content 'x', please",
  "Use write_file to put 'x' in notes.txt",
])("a plain demand to write a file is done: %s", async (request) => {
  expect(await written(request)).toHaveLength(1);
});
