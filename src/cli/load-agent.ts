import { pathToFileURL } from "node:url";
import { failedExitCode } from "./exit-code.ts";
import { fileError, loadFailure } from "./load-failure.ts";
import { type ModuleWatch, watchModules } from "./module-watch.ts";
import { type Offers, offersOf } from "./offers.ts";
import { placeText } from "./places.ts";
import { version } from "./version.ts";

/** Loads the file of an agent and makes what it offers. `tell` gets what its author should hear. */
export async function loadAgent(file: string, tell: (line: string) => void): Promise<Offers> {
  quietLoader();
  // A schema library alone may fill a stack of the usual ten frames.
  Error.stackTraceLimit = 50;
  const watch = watchModules();
  const exported = await imported(file, watch);
  if (watch.otherVersion !== undefined) {
    tell(
      `! this is rondo ${version}; the project of the agent has ${watch.otherVersion}: npx rondo there runs that one`,
    );
  }
  return offersOf(exported, file, watch);
}

async function imported(file: string, watch: ModuleWatch): Promise<{ readonly [name: string]: unknown }> {
  const { promise: idle, reject } = Promise.withResolvers<never>();
  const onIdle = () =>
    reject(fileError({ file }, "it awaits something that never comes, so it never finishes loading"));
  const onExit = () => {
    process.stderr.write(`rondo: ${placeText({ file })} ended the process while it was loaded\n`);
    process.exitCode = failedExitCode;
  };
  // Node would end here, without a word.
  process.once("beforeExit", onIdle);
  process.once("exit", onExit);
  try {
    return await Promise.race([load(file, watch), idle]);
  } finally {
    process.off("beforeExit", onIdle);
    process.off("exit", onExit);
  }
}

async function load(file: string, watch: ModuleWatch): Promise<{ readonly [name: string]: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw loadFailure(error, file, watch);
  }
}

/** Keeps back what Node says of a module without a declared type: it works, or its error says more. */
function quietLoader(): void {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    const { code } = warning as NodeJS.ErrnoException;
    if (code === "MODULE_TYPELESS_PACKAGE_JSON" || warning.message.startsWith("Failed to load the ES module")) return;
    for (const listener of listeners) listener(warning);
  });
}
