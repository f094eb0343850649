import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import type { Ask } from "./approve.ts";
import { inBackground } from "./foreground.ts";
import type { Output } from "./output.ts";

/** A terminal to read from. */
type Terminal = Readable & { isTTY?: boolean };

/**
 * Asks at the terminal, when there is one to read from and to show the question on. Where standard input is something
 * else, or has been read to its end, it is the one that the command was started at. A command in the background of its
 * terminal does not ask: it would be stopped when it reads.
 */
export function terminalAsk(
  output: Output,
  input: Terminal = process.stdin,
  open: () => Terminal | undefined = openTerminal,
  background: () => boolean = inBackground,
): Ask | undefined {
  if (!output.stderrIsTerminal) return undefined;
  const ask = askOf(output, input, open);
  return ask && (async (question, signal, exact) => (background() ? behind : ask(question, signal, exact)));
}

const behind = {
  notAsked:
    "the command runs in the background, where nobody can be asked (fg brings it to the front, --yes approves every call)",
};

function askOf(output: Output, input: Terminal, open: () => Terminal | undefined): Ask | undefined {
  const show = (question: string, exact = false) =>
    output.stderr(exact ? output.redactValues(question) : output.redact(question));
  if (input.isTTY === true && !input.readableEnded)
    return (question, signal, exact) => askAt(input, () => show(question, exact), signal);
  const first = open();
  if (first === undefined) return undefined;
  first.destroy();
  // Held open for a question only: it would keep the process alive.
  return async (question, signal, exact) => {
    const terminal = open();
    if (terminal === undefined) return undefined;
    terminal.on("error", () => {});
    try {
      return await askAt(terminal, () => show(question, exact), signal);
    } finally {
      terminal.destroy();
    }
  };
}

/** How long what was typed before is looked for, in milliseconds: it lies ready, and comes at once. */
const drainMs = 50;

/** Throws away what was typed before the question was shown: it answers something else. */
function drained(input: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const drop = () => {};
    input.on("data", drop);
    input.resume();
    setTimeout(() => {
      input.off("data", drop);
      input.pause();
      resolve();
    }, drainMs);
  });
}

async function askAt(input: Terminal, show: () => void, signal: AbortSignal): Promise<string | undefined> {
  await drained(input);
  if (signal.aborted || input.readableEnded || input.destroyed) return undefined;
  return new Promise((resolve) => {
    show();
    // Not in raw mode, so that Ctrl-C stays a signal.
    const lines = createInterface({ input, terminal: false });
    const done = (answer: string | undefined) => {
      signal.removeEventListener("abort", giveUp);
      // First: closing tells "close", which would give up.
      resolve(answer);
      lines.close();
    };
    const giveUp = () => done(undefined);
    signal.addEventListener("abort", giveUp);
    lines.once("line", done);
    // Those of the input; the terminal may be taken away while it is read.
    lines.on("error", giveUp);
    lines.once("close", giveUp);
  });
}

/** The terminal that this process was started at, if there is one; Windows has no such file. */
function openTerminal(): Terminal | undefined {
  if (process.platform === "win32") return undefined;
  try {
    return new ReadStream(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
}
