import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ToolContext } from "../menu/context.ts";

/** Makes a workspace with these files beside a folder `outside`, for one test. */
export function makeWorkspace(files: { readonly [path: string]: string | Uint8Array } = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "rondo-tools-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "root");
  const outside = join(top, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "private.txt"), "private words\n");
  for (const folder of new Set(Object.keys(files).map(dirname))) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
  return { root, outside, at: (path: string) => join(root, path) };
}

/** The part of a tool's context that the reading tools use. */
export function contextOf(workspace: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { runtime: { workspace }, signal } as unknown as ToolContext;
}

/** The message of the error that this throws or rejects with. */
export async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It did not throw.");
}
