import { redactor } from "../message/redact.ts";
import { parseArguments } from "./arguments.ts";
import { exitCodeOfError } from "./exit-code.ts";
import { errorLine } from "./failure.ts";

/** Runs the command and ends the process with its exit code; never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  // A reader that went away is no reason for a stack trace.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  let exitCode: number;
  try {
    exitCode = await dispatch(args);
  } catch (error) {
    exitCode = exitCodeOfError(error);
    process.stderr.write(`rondo: ${errorLine(error, redactor(process.env))}\n`);
  }
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // Whatever a tool left behind, or an input that nobody ends, must not keep the command alive.
  process.exit(exitCode);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => (stream.writable ? void stream.write("", () => resolve()) : resolve()));
}

async function dispatch(args: readonly string[]): Promise<number> {
  const invocation = parseArguments(args);
  switch (invocation.command) {
    case "help":
      invocation.print();
      return 0;
    case "version": {
      const { version } = await import("./version.ts");
      process.stdout.write(`rondo ${version}\n`);
      return 0;
    }
    case "run": {
      const { runCommand } = await import("./run-command.ts");
      return runCommand(invocation.settings);
    }
    case "models": {
      const { modelsCommand } = await import("./models-command.ts");
      return modelsCommand(invocation.settings);
    }
    case "tools": {
      const { toolsCommand } = await import("./tools-command.ts");
      return toolsCommand(invocation.settings);
    }
    case "trust": {
      const { trustCommand } = await import("./trust-command.ts");
      return trustCommand(invocation.settings);
    }
  }
}
