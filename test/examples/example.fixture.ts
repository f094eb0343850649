import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type CommandOptions, type Finished, rondo } from "../../src/cli/command.fixture.ts";

export const examples = join(import.meta.dirname, "../../examples");

/** Runs an example as a user would, with no key and no model but those of `env`. */
export const example = (name: string, args: readonly string[] = [], options: CommandOptions = {}): Promise<Finished> =>
  rondo(args, { ...options, bin: join(examples, `${name}.ts`) });

/** A folder for the time of the test. */
export function folderOf(files: { readonly [name: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "rondo-example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
