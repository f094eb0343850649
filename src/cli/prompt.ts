import { fstatSync } from "node:fs";
import { usageError } from "./usage-error.ts";

/** More than any model reads; a guard against endless input. */
const longest = 20_000_000;

/** Standard input, as far as a prompt is read from it. */
export type Input = {
  readonly isTerminal: boolean;
  /** Something was piped or redirected into the command on purpose: a pipe or a file, not the pipe of a parent process that never writes. */
  readonly isGiven: boolean;
  read(): AsyncIterable<Buffer | string>;
};

/** Standard input of this process. */
export function standardInput(): Input {
  const isTerminal = process.stdin.isTTY === true;
  return { isTerminal, isGiven: !isTerminal && isPipeOrFile(), read: () => process.stdin };
}

function isPipeOrFile(): boolean {
  try {
    const kind = fstatSync(0);
    return kind.isFIFO() || kind.isFile();
  } catch {
    return false;
  }
}

/**
 * The prompt: the words of the command line; without words all of standard input; with words, what was piped or
 * redirected follows behind a blank line. A word `-` asks for standard input whatever it is.
 */
export async function readPrompt(words: readonly string[], input: Input): Promise<string> {
  const asked = words.includes("-");
  const typed = words
    .filter((word) => word !== "-")
    .join(" ")
    .trim();
  const wanted = asked || input.isGiven || (typed === "" && !input.isTerminal);
  const piped = wanted ? (await readAll(input)).trim() : "";
  const prompt = [typed, piped].filter((part) => part !== "").join("\n\n");
  if (prompt === "") throw usageError('no prompt; write rondo run "…", or pipe one into the command');
  return prompt;
}

async function readAll(input: Input): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input.read()) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > longest) throw usageError("standard input is longer than 20 million characters");
  }
  return text + decoder.decode();
}
