import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The group of a process, and the one that its terminal belongs to at the moment; that is below 1 where it has no terminal. */
type Groups = { readonly own: number; readonly front: number };

/**
 * Whether this process runs in the background of its terminal, as behind `&` at a prompt: who reads from the terminal
 * there is stopped, without a word. False where it cannot be found out.
 */
export function inBackground(find: () => Groups | undefined = groups): boolean {
  const found = find();
  return found !== undefined && found.front > 0 && found.own !== found.front;
}

/** Node does not tell, but the system does: Linux in a file, others by `ps`. */
function groups(): Groups | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? groupsInStat() : groupsByPs();
}

/** {@link Groups} as Linux has them in a file; undefined where there is none. */
export function groupsInStat(): Groups | undefined {
  try {
    // The name of the program, in parentheses, may hold anything; behind it: state, parent, group, session, terminal, its group.
    const [, , own, , , front] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    return own === undefined || front === undefined ? undefined : { own, front };
  } catch {
    return undefined;
  }
}

/** {@link Groups} as `ps` prints them. */
export function groupsByPs(): Groups | undefined {
  const { stdout } = spawnSync("ps", ["-o", "pgid=,tpgid=", "-p", `${process.pid}`], {
    encoding: "utf8",
    timeout: 2_000,
  });
  const [, own, front] = /^\s*(\d+)\s+(-?\d+)\s*$/.exec(stdout ?? "") ?? [];
  return own === undefined ? undefined : { own: Number(own), front: Number(front) };
}
