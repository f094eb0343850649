import { RondoError } from "../error.ts";
import type { ToolDeclaration } from "../model/model.ts";
import type { ToolContext } from "./context.ts";
import type { Conditions } from "./gates/availability.ts";
import { type CompiledInput, compileInput } from "./schema.ts";
import { isTool, type NamedTool, type ToolEntry, type ToolInput, type ToolOptions } from "./tool.ts";
import { misnamed } from "./tool-fields.ts";

/** An entry that is a tool itself, not the name of one: what a runtime can register. */
export type OwnEntry = Exclude<ToolEntry, string | NamedTool>;

/** A tool in the one form in which a menu holds it, whatever its entry looked like. */
export type MenuTool = {
  readonly name: string;
  readonly description: string;
  readonly input: CompiledInput;
  /** What the model is told, made once when first read; throws `invalid_tool` if the schema cannot be used. */
  readonly declaration: ToolDeclaration;
  execute(args: unknown, ctx: ToolContext): unknown;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly repeatable: boolean;
  readonly requiresApproval: NonNullable<ToolOptions["requiresApproval"]>;
  /** Milliseconds; undefined: the default. */
  readonly timeoutMs: number | undefined;
  /** Characters; undefined: the default. */
  readonly maxResultChars: number | undefined;
  readonly unsafeIn: readonly string[];
  readonly untrusted: boolean;
  readonly availableIf: NonNullable<ToolOptions["availableIf"]>;
  readonly expose: boolean;
  /** What its being offered depends on; undefined: nothing. */
  readonly conditions: Conditions | undefined;
  readonly defer: boolean | undefined;
  /** The entry that it was made of. */
  readonly source: OwnEntry;
};

type Loose = { readonly [key: string]: unknown };

/** A mistake in an entry, in words that say which entry and what to write. */
export function invalidEntry(where: string, problem: string, cause?: unknown): RondoError {
  return new RondoError("invalid_tool", `${where}: ${problem}.`, { cause });
}

const holdsFields = (value: unknown): value is Loose =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
}

/** The part of an entry that says name, description and input: the tool itself, or its `spec`. */
function specOf(entry: unknown, where: string): Loose {
  if (!holdsFields(entry) || Array.isArray(entry)) {
    throw invalidEntry(where, `${describe(entry)} is no tool; write tool({ name, execute }) or { spec, execute }`);
  }
  if (isTool(entry)) return entry as unknown as Loose;
  if (holdsFields(entry.spec)) return entry.spec;
  if (entry.spec !== undefined) throw invalidEntry(where, `spec must be an object, not ${describe(entry.spec)}`);
  if (typeof entry.named === "string") {
    throw invalidEntry(where, `tool.named("${entry.named}") names a tool and is none itself`);
  }
  const hint = typeof entry.execute === "function" ? "; wrap it in tool({ … })" : "; write tool({ name, execute })";
  throw invalidEntry(where, `it is neither a tool() nor an object with spec and execute${hint}`);
}

function nameOf(spec: Loose, where: string): string {
  const { name } = spec;
  if (typeof name === "string" && name.trim() !== "") return name;
  if (name === undefined) throw invalidEntry(where, "it has no name");
  throw invalidEntry(
    where,
    typeof name === "string" ? "its name is empty" : `its name must be a text, not ${describe(name)}`,
  );
}

function inputOf(spec: Loose, where: string): CompiledInput {
  if (spec.parameters !== undefined && spec.input !== undefined) {
    throw invalidEntry(where, "it has both parameters and input; give one of them");
  }
  return explained(where, () => compileInput((spec.input ?? spec.parameters) as ToolInput | undefined));
}

/** Says which tool it is that has a bad schema. */
function explained<T>(where: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!RondoError.isInstance(error)) throw error;
    throw new RondoError("invalid_tool", `${where}: ${error.message}`, { cause: error });
  }
}

function readers(entry: Loose, where: string) {
  const wrong = (key: string, wanted: string): RondoError =>
    invalidEntry(where, `${key} must be ${wanted}, not ${describe(entry[key])}`);
  const flag = (key: string): boolean => {
    const value = entry[key];
    if (value === undefined || typeof value === "boolean") return value === true;
    throw wrong(key, "true or false");
  };
  const texts = (key: string): readonly string[] => {
    const value = entry[key];
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return [...value];
    throw wrong(key, "an array of texts");
  };
  const called = (key: string, wanted: string): ((...args: readonly unknown[]) => unknown) | undefined => {
    const value = entry[key];
    if (value === undefined) return undefined;
    if (typeof value !== "function") throw wrong(key, wanted);
    return (...args) => (value as (...args: readonly unknown[]) => unknown).apply(entry, [...args]);
  };
  return {
    flag,
    flagOr<D>(key: string, otherwise: D): boolean | D {
      return entry[key] === undefined ? otherwise : flag(key);
    },
    positive(key: string): number | undefined {
      const value = entry[key];
      if (value === undefined || (typeof value === "number" && value > 0)) return value;
      const got = typeof value === "number" ? String(value) : describe(value);
      throw invalidEntry(where, `${key} must be a number above 0 (Infinity is one), not ${got}`);
    },
    texts,
    /** A flag, or a function that says it. */
    flagOrAsked<F>(key: string, otherwise: boolean): boolean | F {
      const value = entry[key];
      if (value === undefined || typeof value === "boolean") return value ?? otherwise;
      return called(key, "true, false or a function") as F;
    },
    conditions(): Conditions | undefined {
      const check = called("check", "a function that gives true or false");
      const canUse = called("canUse", "a function that gives true or false");
      const requiresEnv = texts("requiresEnv");
      if (!check && !canUse && requiresEnv.length === 0) return undefined;
      return { requiresEnv, ...(check && { check }), ...(canUse && { canUse }) };
    },
  };
}

function build(entry: OwnEntry, place: string): MenuTool {
  const spec = specOf(entry, place);
  const name = nameOf(spec, place);
  const where = `${place} ("${name.slice(0, 80)}")`;
  const own = entry as unknown as Loose & { execute(args: unknown, ctx: ToolContext): unknown };
  const mistake = misnamed(own, isTool(entry));
  if (mistake !== undefined) throw invalidEntry(where, mistake);
  if (typeof own.execute !== "function") throw invalidEntry(where, "it has no executor; give it execute(args, ctx)");
  if (spec.description !== undefined && typeof spec.description !== "string") {
    throw invalidEntry(where, `its description must be a text, not ${describe(spec.description)}`);
  }
  const description = spec.description ?? "";
  const input = inputOf(spec, where);
  const read = readers(own, where);
  const readOnly = read.flag("readOnly");
  let declaration: ToolDeclaration | undefined;
  return {
    name,
    description,
    input,
    get declaration() {
      declaration ??= Object.freeze({
        name,
        description,
        parameters: explained(where, () => input.jsonSchema),
        ...(readOnly && { readOnly }),
      });
      return declaration;
    },
    execute: (args, ctx) => own.execute(args, ctx),
    readOnly,
    idempotent: read.flag("idempotent"),
    repeatable: read.flag("repeatable"),
    requiresApproval: read.flagOrAsked("requiresApproval", false),
    timeoutMs: read.positive("timeoutMs"),
    maxResultChars: read.positive("maxResultChars"),
    unsafeIn: read.texts("unsafeIn"),
    untrusted: read.flag("untrusted"),
    availableIf: read.flagOrAsked("availableIf", true),
    expose: read.flagOr("expose", true),
    conditions: read.conditions(),
    defer: read.flagOr("defer", undefined),
    source: entry,
  };
}

/** The tool, but every call of it needs approval. */
export function asking(tool: MenuTool): MenuTool {
  return tool.requiresApproval === true ? tool : Object.create(tool, { requiresApproval: { value: true } });
}

const made = new WeakMap<object, MenuTool>();

/**
 * The menu's form of an entry. The same entry gives the same object, so what is costly about a tool is done once; the
 * options and the schema of an entry that is changed afterwards are not read again.
 *
 * `where` says in an error which entry it was, such as `tools[2]`. Throws `invalid_tool` for what is no tool.
 */
export function menuTool(entry: OwnEntry, where = "tool"): MenuTool {
  const known = made.get(entry);
  if (known !== undefined) return known;
  const tool = build(entry, where);
  made.set(entry, tool);
  return tool;
}
