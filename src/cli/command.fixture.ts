import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file of the command. */
export const bin = fileURLToPath(new URL("./bin.ts", import.meta.url));

/** In place of the configuration of whoever runs the tests: a folder that is not there. */
const noConfig = join(tmpdir(), "rondo-tests-have-no-config");

export type Finished = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type CommandOptions = {
  /** Beside `PATH`; nothing else is inherited, above all no key. */
  readonly env?: { readonly [name: string]: string };
  /** Written to standard input, which is then closed; `null` leaves it open. Default: empty. */
  readonly input?: string | null;
  readonly cwd?: string;
  /** The file of the command. Default: its source. */
  readonly bin?: string;
  /** Called with everything that standard error has said so far, whenever it grows. */
  readonly onStderr?: (soFar: string, child: ChildProcess) => void;
  readonly onStdout?: (soFar: string, child: ChildProcess) => void;
  /** A file that standard output goes to. */
  readonly stdout?: string;
  readonly onStart?: (child: ChildProcess) => void;
};

/** Runs the real command and waits for its end. */
export function rondo(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const out = options.stdout === undefined ? "pipe" : openSync(options.stdout, "w");
  const child = spawn(process.execPath, [options.bin ?? bin, ...args], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: noConfig, ...options.env },
    cwd: options.cwd,
    stdio: ["pipe", out, "pipe"],
  });
  if (typeof out === "number") closeSync(out);
  options.onStart?.(child);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    options.onStdout?.(stdout, child);
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    options.onStderr?.(stderr, child);
  });
  child.stdin?.on("error", () => {});
  if (options.input !== null) child.stdin?.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A module that Node loads before the command, as an option for its environment. */
export function preloaded(code: string): { readonly NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
