import { isError, thrownMessage } from "../message/thrown-text.ts";
import { failedExitCode } from "./exit-code.ts";
import { isTheirs } from "./load-failure.ts";
import type { Output } from "./output.ts";
import { placeInStack, placeText } from "./places.ts";
import { oneLine } from "./terminal-text.ts";

/** How long a run may take over its end behind an error that nobody caught. */
const lastWordsMs = 10_000;

/** What becomes of errors that nobody catches, because a tool's own timer, event or promise brought them. */
export type StrayErrors = {
  /** Something was thrown: the command has failed, whatever the run says. */
  readonly thrown: boolean;
  /** What is to end when something is thrown; until this is said the process ends at once. */
  ends(abort: (why: string) => void): void;
};

/**
 * Tells of such errors in a line each, without secrets: Node would print the stack and all that stands in it. A rejected
 * promise changes nothing else. Behind a thrown error nobody knows what was left half done, so the run ends, but with its
 * last line.
 */
export function tellStrayErrors(output: Output): StrayErrors {
  let thrown = false;
  let end = (_why: string): void => process.exit(failedExitCode);
  const tell = (what: string, error: unknown) => {
    const place = isError(error) ? placeInStack(error.stack ?? "", isTheirs) : undefined;
    const where = place === undefined ? "" : ` (${placeText(place)})`;
    output.stderr(`rondo: ${oneLine(output.redact(`${what}${where}: ${thrownMessage(error)}`), 1000)}\n`);
  };
  process.on("unhandledRejection", (reason) => tell("a promise was rejected and not awaited", reason));
  process.on("uncaughtException", (error) => {
    tell("an error was thrown where nothing could catch it", error);
    if (thrown) process.exit(failedExitCode);
    thrown = true;
    setTimeout(() => process.exit(failedExitCode), lastWordsMs).unref();
    end("an error was thrown where nothing could catch it");
  });
  return {
    get thrown() {
      return thrown;
    },
    ends(abort) {
      end = abort;
    },
  };
}
