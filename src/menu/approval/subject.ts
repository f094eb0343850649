import { canonicalJson, type Json } from "../../message/json.ts";
import { askedFor } from "../asks.ts";
import type { MenuTool } from "../entry.ts";
import { isRecord } from "../schema-types.ts";
import { type CommandPattern, commandPattern, fitsCommand, mayFitCommand } from "./commands.ts";
import { type Form, fitsPath, formsOf, isOutside, type PathPattern, pathPattern } from "./paths.ts";
import { fitsText, literally, type Pieces, piecesOf } from "./pattern.ts";
import { ruleText } from "./rule.ts";
import { type Address, addressOf, fitsUrl, type UrlPattern, urlPattern } from "./urls.ts";

/** What a call is about, as far as rules go. `undefined` in place of forms, an address or text: it cannot be told. */
export type Subject =
  | { readonly kind: "path"; readonly forms: readonly Form[] | undefined }
  | { readonly kind: "url"; readonly address: Address | undefined }
  | { readonly kind: "command" | "code" | "json"; readonly text: string | undefined };

/**
 * All that a call says of what it is about; `own` is the one that a rule for it speaks of, `exact` the one that a yes for
 * just this call speaks of: where a command runs, or what is sent to an address, may stand beside it. `here`: the call
 * is in the folder that the rule is for.
 */
export type Subjects = {
  readonly all: readonly Subject[];
  readonly own: Subject;
  readonly here: boolean;
  readonly readOnly: boolean;
  readonly exact: () => Subject;
  readonly json: () => Subject;
};

const isRunCode = askedFor(["run_code"]);

/**
 * What a call in `workspace` is about. More than one thing, or none that is known: all its arguments. `root`: the folder
 * that paths in rules are relative to.
 */
export function subjectsOf(tool: MenuTool, args: unknown, workspace: string, root = workspace): Subjects {
  const fields = isRecord(args) ? args : {};
  const all: Subject[] = [];
  for (const name of ["file_path", "path"]) {
    const path = fields[name];
    // A list of them, say: there is one, and which it is cannot be told.
    if (isGiven(path))
      all.push({ kind: "path", forms: typeof path === "string" ? formsOf(path, workspace, root) : undefined });
  }
  const { url, command, code } = fields;
  if (isGiven(url)) all.push({ kind: "url", address: typeof url === "string" ? addressOf(url) : undefined });
  const line =
    Array.isArray(command) && command.every((word) => typeof word === "string") ? command.join(" ") : command;
  if (isGiven(line)) all.push({ kind: "command", text: typeof line === "string" ? line : undefined });
  // Joined it may be that of another command, so it is not what just this call is about.
  const isWhole = line === command;
  if (typeof code === "string" && isRunCode(tool.name)) all.push({ kind: "code", text: code });
  if (all.length === 0 && takesPath(tool)) all.push({ kind: "path", forms: formsOf(".", workspace, root) });
  let whole: Subject | undefined;
  const json = (): Subject => {
    whole ??= { kind: "json", text: textOf(args) };
    return whole;
  };
  const [first] = all;
  const own = all.length === 1 && first && isWhole && isTold(first) ? first : json();
  const exact = () => (own.kind === "path" || isAlone(tool, fields, own) ? own : json());
  return { all, own, here: workspace === root, readOnly: tool.readOnly, exact, json };
}

/** Whether nothing is said beside the one thing that changes what is done: how long it may take, and a word to the reader. */
function isAlone({ timeoutMs }: MenuTool, fields: { readonly [name: string]: unknown }, { kind }: Subject): boolean {
  const told = Object.keys(fields).filter((name) => {
    if (!isGiven(fields[name]) || /^timeout(?:_?ms)?$/i.test(name)) return false;
    if (name === "description" && kind !== "url") return false;
    return !(typeof timeoutMs === "object" && timeoutMs.argument === name);
  });
  return told.length <= 1;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const isTold = (subject: Subject): boolean =>
  subject.kind === "path"
    ? subject.forms !== undefined
    : subject.kind === "url"
      ? subject.address !== undefined
      : subject.text !== undefined && subject.text !== "";

/** Of a tool of files that was given no path: it works in the whole workspace. */
function takesPath({ input }: MenuTool): boolean {
  const { properties } = input.jsonSchema;
  return isRecord(properties) && (Object.hasOwn(properties, "path") || Object.hasOwn(properties, "file_path"));
}

/** Arguments as text; undefined for what a schema made of them that has no text of its own. */
function textOf(args: unknown): string | undefined {
  try {
    return isPlain(args) ? canonicalJson(args as Json) : undefined;
  } catch {
    // Nested too deep.
    return undefined;
  }
}

/** Whether the JSON of a value says all of it: that of a map or a class does not. */
function isPlain(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isPlain(item));
  const proto: unknown = Object.getPrototypeOf(value);
  return (proto === Object.prototype || proto === null) && Object.values(value).every(isPlain);
}

/** A pattern in each of the ways in which it may be meant. */
export type Pattern = {
  readonly text: Pieces;
  readonly path: PathPattern;
  readonly url: UrlPattern;
  readonly command: CommandPattern;
  readonly isJson: boolean;
};

export function patternOf(pattern: string): Pattern {
  return {
    text: piecesOf(pattern),
    path: pathPattern(pattern),
    url: urlPattern(pattern),
    command: commandPattern(pattern),
    isJson: pattern.startsWith("{"),
  };
}

/** Whether a rule that lets calls run speaks of this one: of all that it is about. */
export function covers(pattern: Pattern, { all, own, here, readOnly, exact, json }: Subjects): boolean {
  // What a command does depends on the folder, and nothing says on what other arguments do.
  if (!here && own.kind !== "path" && own.kind !== "url") return false;
  if (pattern.isJson) {
    const whole = json();
    if (whole.kind === "json" && whole.text !== undefined && fitsText(pattern.text, whole.text)) return true;
  }
  // A star for files or addresses is not meant for all that the arguments may say.
  if (own.kind === "json" && all.length > 0 && !pattern.isJson) return false;
  if (own.kind === "path") return own.forms !== undefined && fitsPath(pattern.path, own.forms, false);
  if (!readOnly && exact() !== own) return false;
  if (own.kind === "url") return own.address !== undefined && fitsUrl(pattern.url, own.address, false);
  if (own.text === undefined) return false;
  return own.kind === "command" ? fitsCommand(pattern.command, own.text) : fitsText(pattern.text, own.text);
}

/** Whether a rule that keeps calls from running may speak of this one: of anything that it is about, or might be. */
export function touches(pattern: Pattern, { all, json }: Subjects): boolean {
  const asJson = all.length !== 1 || pattern.isJson ? [...all, json()] : all;
  return asJson.some((subject) => {
    if (subject.kind === "path") return subject.forms === undefined || fitsPath(pattern.path, subject.forms, true);
    if (subject.kind === "url") return subject.address === undefined || fitsUrl(pattern.url, subject.address, true);
    if (subject.text === undefined) return true;
    return subject.kind === "command"
      ? mayFitCommand(pattern.command, subject.text)
      : fitsText(pattern.text, subject.text);
  });
}

/** What tells this subject from all others; undefined: nothing does. */
function wordsOf(subject: Subject): string | undefined {
  if (subject.kind === "url") return subject.address?.href;
  if (subject.kind !== "path") return subject.text;
  const [form] = subject.forms ?? [];
  return form && (isOutside(form) ? form.absolute : form.relative);
}

/**
 * The rule for calls of this tool that are about the same, and no others; undefined where that cannot be said. `elsewhere`:
 * the call is not in the folder that the rule is for, and no rule says where else a command runs.
 */
export function ruleFor(tool: MenuTool, { exact }: Subjects, elsewhere = false): string | undefined {
  const own = exact();
  if (elsewhere && own.kind !== "path" && own.kind !== "url") return undefined;
  const words = wordsOf(own);
  return words === undefined || words === "" ? undefined : ruleText(tool.name, literally(words));
}

/** The same for calls in this folder that are about the same, and no others: files by where they really are. */
export function keyOf(tool: MenuTool, { exact }: Subjects, workspace: string): string | undefined {
  const own = exact();
  const what = own.kind === "path" ? own.forms?.map(({ absolute }) => absolute) : wordsOf(own);
  const where = own.kind === "path" || own.kind === "url" ? "" : workspace;
  return what === undefined ? undefined : JSON.stringify([tool.name, own.kind, what, where]);
}
