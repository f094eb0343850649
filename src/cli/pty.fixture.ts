import { type ChildProcess, spawn, spawnSync } from "node:child_process";

const inTerminal = (command: string) => ["-qec", command, "/dev/null"];

/** Whether a command can be run in a terminal of its own here: with the `script` that comes with Linux. */
export const hasPty =
  process.platform === "linux" && spawnSync("script", inTerminal("test -t 0"), { stdio: "pipe" }).status === 0;

/** Runs a line of shell in a terminal of its own and gives all that it showed. */
export function runInPty(
  command: string,
  cwd: string,
  onText: (soFar: string, child: ChildProcess) => void,
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const env = { PATH: process.env.PATH, SHELL: "/bin/sh", TERM: "dumb" };
  const child = spawn("script", inTerminal(command), { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    shown += chunk;
    onText(shown, child);
  });
  child.stdin.on("error", () => {});
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, shown }));
  });
}
