import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { RondoError } from "../../error.ts";

/** How long somebody else's lock is waited for, in milliseconds: it is held for a few of them. */
const patience = 10_000;

/** Does this while no other process that asks for the same lock does it. One that a process left behind which is gone is taken away. */
export async function withLock<T>(path: string, work: () => T): Promise<T> {
  const token = `${process.pid} ${hostname()} ${randomBytes(9).toString("hex")}`;
  const until = performance.now() + patience;
  while (!take(path, token)) {
    if (isLeft(path)) clear(path);
    else if (performance.now() > until)
      throw new RondoError("error", `another process holds ${path}; if none does, remove that file`);
    else await sleep(5 + Math.random() * 20);
  }
  try {
    return work();
  } finally {
    if (holderOf(path) === token) rmSync(path, { force: true });
  }
}

/** Appears with its content at once: a file that is made and then written would be empty for a moment. */
function take(path: string, token: string): boolean {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(own, token, { flag: "wx", mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Whether the process that holds it is gone; on another machine nobody can tell. */
function isLeft(path: string): boolean {
  const holder = holderOf(path);
  return holder !== undefined && isGone(holder);
}

function isGone(holder: string): boolean {
  const [pid, host] = holder.split(" ");
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Takes a lock away that was left behind. If it is another one by now, it is put back. */
function clear(path: string): void {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  try {
    if (!isGone(holderOf(aside) ?? "")) linkSync(aside, path);
  } catch {
    // Somebody has taken the lock in the meantime: two hold it, once in a very long while.
  } finally {
    rmSync(aside, { force: true });
  }
}
