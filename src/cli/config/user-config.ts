import type { Presets } from "../../menu/presets.ts";
import { userFile } from "../../tools/config-files.ts";
import { type Check, checkParsed, isRecord, listOf, object, oneOf, recordOf, text } from "./check.ts";
import { parseJson } from "./parse-json.ts";
import { presets } from "./presets.ts";
import { readBytes, textOf } from "./read-text.ts";
import { rule } from "./rule.ts";

/** What the user said once about a folder. */
export type Project = {
  /** Hash of what is trusted: see `hashOfProject`. */
  readonly trusted?: string;
  /** Rules of calls that were approved for always. */
  readonly allow?: readonly string[];
};

/** The modes of approval. */
export type Mode = "ask" | "accept-edits" | "read-only" | "all";

/** The user's own configuration. */
export type UserConfig = {
  readonly model?: string;
  readonly toolset?: string;
  readonly presets?: Presets;
  readonly disabledTools?: readonly string[];
  readonly approvals?: {
    readonly mode?: Mode;
    readonly deny?: readonly string[];
    readonly ask?: readonly string[];
    readonly allow?: readonly string[];
  };
  readonly modules?: readonly string[];
  readonly mcpServers?: { readonly [name: string]: unknown };
  /** By the real path of a folder. */
  readonly projects?: { readonly [folder: string]: Project };
};

const server: Check = (value, at, report) => {
  if (!isRecord(value)) report(at, "must be an object that says how the server is reached");
};

const toolName: Check = (value, at, report) => {
  // As a name it would stand for nothing, and nobody would hear of it.
  if (typeof value === "string" && /^[^(]+\(.*\)$/s.test(value))
    report(at, 'is a rule; it belongs into "approvals.deny"');
  else text("the name of a tool")(value, at, report);
};

/** What both files may say in the same words. */
export const sharedFields = {
  $schema: text("the address of a schema"),
  model: text("the name of a model"),
  toolset: text("the name of a preset"),
  presets,
  disabledTools: listOf(toolName),
  modules: listOf(text("the path of a module")),
  mcpServers: recordOf(server),
} as const;

const config = object({
  ...sharedFields,
  approvals: object({
    mode: oneOf("ask", "accept-edits", "read-only", "all"),
    deny: listOf(rule),
    ask: listOf(rule),
    allow: listOf(rule),
  }),
  projects: recordOf(object({ trusted: text("a hash"), allow: listOf(rule) })),
});

/** The user's configuration, empty if there is none. Usage errors for one that is not right. */
export function readUserConfig(path: string = userFile()): UserConfig {
  const bytes = readBytes(path);
  if (bytes === undefined) return {};
  const parsed = parseJson(textOf(bytes, path), path);
  checkParsed(parsed, config);
  return parsed.value as UserConfig;
}
