import { execFile, spawn } from "node:child_process";
import { type BigIntStats, fchmodSync, fstatSync, ftruncateSync, statfsSync } from "node:fs";
import { promisify } from "node:util";
import { fdFolder } from "./open.ts";

/**
 * File systems all of whose access lists and attributes `cp` knows: those of Linux itself. What lies on a server or is
 * Windows' (NFS, SMB, FUSE, 9p, NTFS, FAT) may have others that it does not even see.
 */
const known = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/** Long enough for a machine under load. What it has to do takes milliseconds. */
const timeout = 5_000;

/**
 * Whether another file may take the place of this one without anything being lost: on Linux, where it has one name only,
 * is our own, and {@link takeOver} can find out all that belongs to it. (But for flags of `chattr`, and `trusted.*`
 * attributes, which only an administrator sees.)
 */
export async function isReplaceable(fd: number, { nlink, uid }: BigIntStats): Promise<boolean> {
  if (fdFolder === undefined || nlink !== 1n || uid !== BigInt(process.geteuid?.() ?? -1)) return false;
  try {
    if (!known.has(statfsSync(`${fdFolder}/${fd}`).type)) return false;
  } catch {
    return false;
  }
  return hasCp();
}

/**
 * Gives an empty file of ours what another one has besides its content: group, mode bits, access list, attributes, label;
 * not the times, and not what lends the owner's rights (setuid and setgid bits, capabilities). Node can neither read nor
 * set the most of it, so coreutils' `cp` does it, on the two open files; says whether all of it was done. The file must
 * be where nobody else can open it: on the way it may for a moment be open to more people.
 */
export async function takeOver(from: number, to: number): Promise<boolean> {
  // Not "all", by which attributes that cannot be copied are no failure. The label is one of the attributes.
  const args = ["--attributes-only", "--preserve=mode,ownership,xattr", "/proc/self/fd/3", "/proc/self/fd/4"];
  if (!(await succeeds(args, [from, to]))) return false;
  const [old, own] = [fstatSync(from), fstatSync(to)];
  if (own.uid !== old.uid || own.gid !== old.gid || own.mode !== old.mode) return false;
  dropLentRights(to);
  // As any write does, this takes capabilities away; of an empty content there is none.
  ftruncateSync(to, 0);
  return true;
}

/** Takes the bits that lend the owner's rights away, as a write does; but not one of the administrator. */
export function dropLentRights(fd: number): void {
  const { mode } = fstatSync(fd);
  if ((mode & 0o6000) === 0) return;
  try {
    fchmodSync(fd, mode & 0o1777);
  } catch {
    // Only its owner may: for everybody else the system does it.
  }
}

/** No relative part of PATH leads into the workspace, and no key in the environment is passed on. */
const surroundings = () => ({ cwd: "/", env: { PATH: process.env.PATH, LC_ALL: "C" }, timeout });

/** The PATH by which coreutils' was found. */
let found: { readonly path: string | undefined } | undefined;

/** Whether `cp` is that of GNU coreutils: others take the same options, and leave access lists behind without a word. */
async function hasCp(): Promise<boolean> {
  const path = process.env.PATH;
  if (found !== undefined && found.path === path) return true;
  try {
    const { stdout } = await promisify(execFile)("cp", ["--version"], surroundings());
    if (!/^cp \(GNU coreutils\)/.test(stdout)) return false;
  } catch {
    return false;
  }
  found = { path };
  return true;
}

function succeeds(args: readonly string[], files: readonly number[]): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const stdio = ["ignore", "ignore", "ignore", ...files] as const;
      const child = spawn("cp", args, { ...surroundings(), killSignal: "SIGKILL", stdio: [...stdio] });
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(code === 0));
    } catch {
      // Node itself may be forbidden to start programs.
      resolve(false);
    }
  });
}
