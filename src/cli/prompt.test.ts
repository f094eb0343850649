import { expect, test } from "vitest";
import { type Input, readPrompt } from "./prompt.ts";

function input(kind: "terminal" | "file" | "parent", ...chunks: (string | Buffer)[]): Input & { reads: number } {
  const self = {
    isTerminal: kind === "terminal",
    isGiven: kind === "file",
    reads: 0,
    async *read() {
      self.reads++;
      yield* chunks;
    },
  };
  return self;
}

test("the words, joined", async () => {
  expect(await readPrompt(["find", "it "], input("terminal"))).toBe("find it");
});

test("standard input without words", async () => {
  expect(await readPrompt([], input("file", "find ", "it\n"))).toBe("find it");
  expect(await readPrompt([], input("parent", "find it"))).toBe("find it");
});

test("words, then what was piped", async () => {
  expect(await readPrompt(["what", "is this?"], input("file", "a log\n"))).toBe("what is this?\n\na log");
});

test("the pipe of a parent process is not waited for when there are words", async () => {
  const silent = input("parent", "ignored");
  expect(await readPrompt(["hi"], silent)).toBe("hi");
  expect(silent.reads).toBe(0);
});

test("a dash asks for standard input", async () => {
  expect(await readPrompt(["-", "sum", "up"], input("parent", "text"))).toBe("sum up\n\ntext");
  expect(await readPrompt(["-"], input("terminal", "typed"))).toBe("typed");
});

test("characters that are split between chunks stay whole", async () => {
  const bytes = Buffer.from("größe 🎵");
  expect(await readPrompt([], input("file", ...Array.from(bytes, (byte) => Buffer.of(byte))))).toBe("größe 🎵");
});

test.each([
  [[], input("terminal")],
  [[], input("file", " \n")],
  [["  "], input("file")],
  [["-"], input("file", "")],
])("no prompt at all is a usage error (%j)", async (words, from) => {
  await expect(readPrompt(words, from)).rejects.toThrow(/^no prompt; write rondo run/);
});

test("endless input is given up", async () => {
  const endless: Input = {
    isTerminal: false,
    isGiven: true,
    async *read() {
      for (;;) yield "y\n".repeat(1_000_000);
    },
  };
  await expect(readPrompt([], endless)).rejects.toThrow(/longer than 20 million/);
});
