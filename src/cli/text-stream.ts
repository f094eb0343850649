import type { Output } from "./output.ts";
import { harmless } from "./terminal-text.ts";

/** The text of the root run's replies on its way to the screen. */
export type TextStream = {
  begin(): void;
  delta(delta: string): void;
  /** A reply is complete; shows its text if it did not stream. One that picked tools is not the answer. */
  end(text: string, picked: boolean): void;
  /** Ends a line of streamed text, so that something else can be shown. */
  breakLine(): void;
  /** The run is over: puts the answer on standard output, unless it streamed there. */
  answer(text: string): void;
};

/**
 * Streams text where somebody watches: to standard output if that is a terminal, else to standard error if that is one.
 * A standard output that is no terminal gets the answer alone, once, at the end; if nobody watches at all, text that
 * turned out not to be the answer is shown as progress.
 */
export function textStream(output: Output): TextStream {
  const streams = output.stdoutIsTerminal || output.stderrIsTerminal;
  const show = (text: string): void => {
    const clean = harmless(text);
    if (output.stdoutIsTerminal) output.stdout(clean);
    else output.stderr(output.paint("dim", clean));
  };
  let lineIsOpen = false;
  let streamed = false;
  let held = "";

  function breakLine(): void {
    if (lineIsOpen) show("\n");
    lineIsOpen = false;
  }

  function release(): void {
    if (held !== "") output.stderr(`${harmless(output.redact(held))}\n`);
    held = "";
  }

  function begin(): void {
    breakLine();
    release();
    streamed = false;
  }

  function delta(text: string): void {
    if (text === "" || !streams) return;
    show(text);
    streamed = true;
    lineIsOpen = !text.endsWith("\n");
  }

  return {
    begin,
    delta,
    end(text, picked) {
      if (!streamed) delta(text);
      if (!streams) held = text;
      if (picked) release();
    },
    breakLine,
    answer(text) {
      breakLine();
      if (!output.stdoutIsTerminal && text !== "") output.stdout(`${text}\n`);
    },
  };
}
