import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "../message/json.ts";
import type { JsonSchema } from "../model/model.ts";
import type { ToolContext } from "./context.ts";

/** A schema of any library that implements Standard Schema and can say itself as JSON Schema (zod 4, arktype, valibot with its converter). */
export type StandardInput<I = unknown, O = I> = StandardSchemaV1<I, O> & StandardJSONSchemaV1<I, O>;

/**
 * How a tool's arguments are described: a Standard Schema, a Standard Schema with its JSON Schema beside it, or a raw
 * JSON Schema (drafts 4 to 2020-12) whose arguments are then plain JSON.
 */
export type ToolInput =
  | StandardInput
  | { readonly schema: StandardSchemaV1; readonly jsonSchema: Readonly<Record<string, unknown>> }
  | JsonSchema;

/** The type of the arguments that `execute` gets for an input. */
export type ArgumentsOf<I> = I extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<I>
  : I extends { readonly schema: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<S>
    : JsonObject;

/** Says whether a call with these arguments needs a person's word. (Declared as a method, so that tools of any input fit one list.) */
export type ApprovalRule<A = unknown> = { asks(args: A): boolean | Promise<boolean> }["asks"];

/** What availability is asked for: the source of the request (`toolsSource`), if it has one, and the folder that the tool would work in. */
export type AvailabilityQuestion = { readonly source?: string; readonly workspace: string };

/** Everything about a tool but what it is called and does. All of it is optional. */
export type ToolOptions<A = unknown> = {
  /** Changes nothing outside; may be done again after a crash and, in overlap mode, beside its neighbours. Default false. */
  readonly readOnly?: boolean;
  /** May be done again with the same `ctx.idempotencyKey` without doing it twice. Default false. */
  readonly idempotent?: boolean;
  /** Repeating an equal call is normal for this tool (polling): the stuck guard leaves it alone. Default false. */
  readonly repeatable?: boolean;
  /**
   * Whether a person has to agree before a call runs; a function is asked with the validated arguments, and one that
   * throws denies; an `exec` in it is nested in the run. Default false.
   */
  readonly requiresApproval?: boolean | ApprovalRule<A>;
  /** Milliseconds before a call is given up with an error result; `Infinity`: never. Default 120,000. */
  readonly timeoutMs?: number;
  /** Longest result in characters (UTF-16 units); more is cut to its head and tail. Default 30,000, or 30 % of the context window if that is known and smaller. */
  readonly maxResultChars?: number;
  /** Sources (`toolsSource`) in which the tool is not offered. */
  readonly unsafeIn?: readonly string[];
  /**
   * Results and errors come from outside (the web, a foreign server): the model reads them between markers that say so
   * and that nothing inside can close. Default false.
   */
  readonly untrusted?: boolean;
  /** Asked once, when the tool is registered: false, or a function that gives false or throws, keeps it out of the registry. Default true. */
  readonly availableIf?: boolean | (() => boolean);
  /** False: registered, but left out of every menu of registered tools; one that is given in `tools` as itself is not asked. Default true. */
  readonly expose?: boolean;
  /**
   * Whether the tool can work at present (a server that has to be up, a file that has to be there). Not true, or thrown:
   * it is left out. Asked when a menu is made and before a call; an answer holds for five seconds. Default: it can.
   */
  readonly check?: () => boolean;
  /** Environment variables that have to be set, and not to nothing; asked as `check` is. */
  readonly requiresEnv?: readonly string[];
  /** Whether this request may have the tool; asked as `check` is. Default: it may. */
  readonly canUse?: (asked: AvailabilityQuestion) => boolean;
  /**
   * True: the model is not told of the tool from the start, but finds it with `tool_search`. False: never so, however
   * many tools there are. Default: only where all tools together are too many, see `deferAbove` of a run.
   */
  readonly defer?: boolean;
};

/** A tool as its author declares it. */
export type ToolDefinition<I extends ToolInput = ToolInput, R = unknown> = ToolOptions<ArgumentsOf<I>> & {
  /** What the model calls it. Any text; names that a provider does not allow are mapped at the wire. */
  readonly name: string;
  readonly description?: string;
  /** Default: no arguments. */
  readonly input?: I;
  /**
   * Does the work. Called with arguments that fit `input`. May return any value (a string stays a string, the rest
   * becomes JSON; `result()` gives full control) or a promise of one; what it throws becomes an error result.
   */
  execute(args: ArgumentsOf<I>, ctx: ToolContext): R;
};

const marker: unique symbol = Symbol.for("rondo.tool");

/** A declared tool; make one with {@link tool}. */
export type Tool<I extends ToolInput = ToolInput, R = unknown> = ToolDefinition<I, R> & { readonly [marker]: true };

/** Names of the tools that come with Rondo. */
export type BuiltInToolName = "read_file" | "list_dir" | "glob" | "grep" | "write_file" | "edit_file" | "run_code";

/** Augment this interface with the names of the tools that your runtime registers, to have them checked in `tools`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be augmented
export interface RegisteredTools {}

/** Names that may stand in `tools` as they are; any other name goes through `tool.named`. */
export type ToolName = BuiltInToolName | (keyof RegisteredTools & string);

/** A registered tool by a name that the compiler does not know; see {@link tool}. */
export type NamedTool = { readonly named: string };

/** A tool in the shape of the mission: a description and an executor. */
export type SpecTool = {
  readonly spec: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: JsonSchema;
    readonly input?: ToolInput;
  };
  execute(args: never, ctx: ToolContext): unknown;
};

/** What may stand in `tools`: a tool, an object with `spec` and `execute`, or the name of a registered tool. */
export type ToolEntry = Tool | SpecTool | ToolName | NamedTool;

function declare<const I extends ToolInput = JsonSchema, R = unknown>(definition: ToolDefinition<I, R>): Tool<I, R> {
  return { ...definition, [marker]: true };
}

/**
 * Declares a tool. It only declares: nothing is registered, nothing is checked but what `exec` will check.
 *
 * @example
 * ```ts
 * const weather = tool({
 *   name: "weather",
 *   description: "Current weather of a city.",
 *   input: z.object({ city: z.string() }),
 *   readOnly: true,
 *   execute: ({ city }) => `Sunny in ${city}`,
 * });
 * ```
 */
export const tool: typeof declare & { named(name: string): NamedTool } = Object.assign(declare, {
  /** The registered tool of this name, for names that are not known to the compiler. */
  named: (name: string): NamedTool => ({ named: name }),
});

/** True for what {@link tool} returned, of any copy of this package. */
export function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}
