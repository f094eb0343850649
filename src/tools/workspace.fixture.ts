import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { createRuntime } from "../agent/create-runtime.ts";
import type { RuntimeOptions } from "../agent/options.ts";
import type { ToolContext } from "../menu/context.ts";
import { tool } from "../menu/tool.ts";
import { scripted } from "../testing/index.ts";

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

/** The part of a tool's context that the tools for files use. */
export function contextOf(
  workspace: string,
  signal: AbortSignal = new AbortController().signal,
  allowed: Pick<RuntimeOptions, "allowSecrets" | "allowUnsafePaths"> = {},
): ToolContext {
  return { runtime: { workspace, ...allowed }, signal } as unknown as ToolContext;
}

/** Does this inside of a tool of a run, so that what the run has seen is remembered. */
export async function inRun<T>(workspace: string, body: (ctx: ToolContext) => Promise<T>): Promise<T> {
  let done: Promise<T> | undefined;
  const probe = tool({
    name: "probe",
    async execute(_, ctx) {
      done = body(ctx);
      await done;
    },
  });
  const runtime = createRuntime({ workspace, model: scripted([{ calls: [{ name: "probe", arguments: {} }] }, "ok"]) });
  await runtime.exec("go", { tools: [probe] });
  return done!;
}

/** All that is in a folder and below it, so that nothing left behind is missed. */
export const allIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(relative(folder, entry.parentPath), entry.name))
    .sort();

/** The message of the error that this throws or rejects with. */
export async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It did not throw.");
}
