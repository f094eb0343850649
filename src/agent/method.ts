import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkArguments } from "../menu/arguments.ts";
import type { ToolContext } from "../menu/context.ts";
import { type CompiledInput, compileInput } from "../menu/schema.ts";
import type { ArgumentsOf, ToolInput, ToolOptions } from "../menu/tool.ts";
import { wrapperOptions } from "../menu/tool-fields.ts";
import type { JsonObject } from "../message/json.ts";
import type { JsonSchema } from "../model/model.ts";
import { checkMethod } from "./check-method.ts";
import { deeper, type Recursion } from "./frame.ts";
import { MethodCall } from "./method-call.ts";
import { MethodHandle } from "./method-handle.ts";
import type { MethodRun, MethodRunOptions } from "./method-run.ts";
import type { Runtime } from "./runtime.ts";
import { currentScope, inScope } from "./scope.ts";

/** What a method says of itself: the wrapper options of a tool, of which none is needed. `timeoutMs` defaults to none. */
export type MethodOptions<I extends ToolInput = ToolInput> = ToolOptions<ArgumentsOf<I>> & {
  /** Default: the name of the one public field that holds the method. */
  readonly name?: string;
  readonly description?: string;
  /** Default: no arguments. */
  readonly input?: I;
};

/** The arguments that a caller gives for an input, before its defaults and transforms. */
export type GivenOf<I> = I extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<I>
  : I extends { readonly schema: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferInput<S>
    : JsonObject;

type Given<A> = Record<never, never> extends A ? [args?: A] : [args: A];

/**
 * Code that may call the model, and a tool that the model may call. Called as a function it gives the bare value; in
 * `tools` it is an entry like any other; `run` gives a handle to watch, steer and abort all that goes on inside.
 */
export interface Method<A = JsonObject, V = unknown> {
  /**
   * Calls it as code.
   *
   * @throws RondoError `invalid_arguments` for arguments that do not fit the schema, `recursion` for a recursion without
   * end; else what the method itself throws
   */
  (...args: Given<A>): Promise<V>;
  /** Calls it and returns a handle at once; arguments that do not fit throw here. */
  run(...args: [...Given<A>, options?: MethodRunOptions]): MethodRun<V>;
  /** How it looks to a model. */
  readonly spec: { readonly name: string; readonly description?: string; readonly input?: ToolInput };
  /** How the loop calls it: with arguments that fit. */
  execute(args: never, ctx: ToolContext): V | Promise<V>;
}

/** Where methods belong: who knows their names, and the runtime that they use. */
export type MethodHome = {
  /** Says what a method is called; throws where that cannot be found out. */
  nameOf(method: unknown): string;
  runtime(): Runtime;
  /** The runtime behind that, without the defaults of an agent. */
  base(): Runtime;
  /** The limits of its recursion guard, where it has its own. */
  recursion(): Recursion | undefined;
};

const marker = Symbol.for("rondo.method");

/** What methods of this copy of the package hold under the marker: those of another share no scope with its runs. */
const copy = Object.freeze({});

/** Declares a method. */
export type Declare = <const I extends ToolInput = JsonSchema, R = unknown>(
  options: MethodOptions<I>,
  body: (args: ArgumentsOf<I>, ctx: ToolContext) => R,
) => Method<GivenOf<I>, Awaited<R>>;

/** A method of this home. */
export function createMethod<const I extends ToolInput, R>(
  home: MethodHome,
  options: MethodOptions<I>,
  body: (args: ArgumentsOf<I>, ctx: ToolContext) => R,
): Method<GivenOf<I>, Awaited<R>> {
  checkMethod(options, body);
  const input = compileInput(options.input);
  const inner = body as (args: unknown, ctx: ToolContext) => unknown;
  let name = options.name;
  const named = (): string => (name ??= home.nameOf(method));

  const invoke = (value: unknown): unknown => {
    const around = currentScope();
    const call = new MethodCall(around, home);
    const frame = deeper(method, named(), around?.frame, home.recursion());
    const run = around?.run;
    const base = run ? undefined : (around?.base ?? home.base());
    // What it begins counts as begun by the code that calls it.
    const watch = around?.watch;
    return inScope({ run, call, picked: true, frame, watch, base }, async () => inner(value, call));
  };
  const asCode = async (args: unknown = {}): Promise<unknown> => {
    const checked = checkArguments(input, args, named());
    return invoke(checked instanceof Promise ? await checked : checked);
  };

  const method = Object.assign(asCode, {
    run(args: unknown = {}, runOptions?: MethodRunOptions) {
      return new MethodHandle({ method, name: named(), home, input, inner }, args, runOptions);
    },
    execute(args: unknown, ctx: ToolContext): unknown {
      const scope = currentScope();
      // Picked by the loop; a tool that calls several methods in its one call is code that calls them.
      if (scope?.call !== ctx || scope.picked) return invoke(args);
      scope.picked = true;
      const frame = deeper(method, named(), scope.frame, home.recursion());
      // Inside a method of an agent the runtime is that of the agent, whoever calls.
      Object.defineProperty(ctx, "runtime", { enumerable: true, get: () => home.runtime() });
      // A scope of its own: what the tool calls behind it is not inside of it.
      const { run, watch, base } = scope;
      return inScope({ run, call: scope.call, picked: true, frame, watch, base }, () => {
        const made = inner(args, ctx) as PromiseLike<unknown> | undefined;
        // A thenable may do its work only when it is awaited.
        return typeof made?.then === "function" ? Promise.resolve(made) : made;
      });
    },
    timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    [marker]: copy,
    ...given(options),
  });
  Object.defineProperty(method, "spec", {
    enumerable: true,
    get: () => ({
      name: named(),
      ...(options.description !== undefined && { description: options.description }),
      ...(options.input !== undefined && { input: options.input }),
    }),
  });
  return method as unknown as Method<GivenOf<I>, Awaited<R>>;
}

/** True for what `method` returned. */
export function isMethod(value: unknown): value is Method {
  return typeof value === "function" && marker in value;
}

/** True for a method of this very copy of the package. */
export function isOwnMethod(value: Method): boolean {
  return (value as { readonly [marker]?: unknown })[marker] === copy;
}

/** The wrapper options that are there. */
function given(options: ToolOptions): Partial<ToolOptions> {
  return Object.fromEntries(wrapperOptions.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
}

/** Everything about a method that its handle needs. */
export type MethodParts = {
  readonly method: object;
  readonly name: string;
  readonly home: MethodHome;
  readonly input: CompiledInput;
  readonly inner: (args: unknown, ctx: ToolContext) => unknown;
};
