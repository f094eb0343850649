import { RondoError } from "../error.ts";
import type { ToolContext } from "../menu/context.ts";
import type { ArgumentsOf, SpecTool, ToolInput } from "../menu/tool.ts";
import type { JsonSchema } from "../model/model.ts";
import { nearestNames } from "../ranker/nearest.ts";
import { type AgentDefaults, type AgentOptions, agentDefaults } from "./agent-options.ts";
import { type AgentParts, agentMarker } from "./agent-parts.ts";
import { agentRuntime } from "./agent-runtime.ts";
import type { Recursion } from "./frame.ts";
import { createMethod, type GivenOf, isMethod, type Method, type MethodHome, type MethodOptions } from "./method.ts";
import type { Runtime } from "./runtime.ts";
import { runtimeAround } from "./scope.ts";

/**
 * Methods that may call the model and that a model may call. A subclass declares them as fields with `this.method`; what
 * is a field of another kind, or a method of the class itself, is just code.
 *
 * Options of a call win over those of the instance, those over `static defaults` of the class, and those over what the
 * run around has; `toolsDeny` adds up.
 */
export abstract class AgentBase {
  /** Defaults of all instances; those of a subclass win. */
  static readonly defaults: AgentDefaults = {};

  /** The runtime under the defaults of this agent. */
  readonly runtime: Runtime;
  readonly #home: MethodHome;
  readonly #parts: AgentParts;

  constructor(options: AgentOptions = {}) {
    const defaults = agentDefaults(classDefaults(this.constructor), options);
    const base = (): Runtime => options.runtime ?? runtimeAround() ?? this.defaultRuntime();
    this.runtime = agentRuntime(base, defaults);
    this.#parts = { defaults, runtime: options.runtime };
    this.#home = {
      nameOf: (method) => nameOf(this, method),
      runtime: () => this.runtime,
      base,
      recursion: (): Recursion | undefined => (options.runtime ?? runtimeAround())?.recursion,
    };
  }

  /** What it was made with, for whoever runs it from outside. */
  get [agentMarker](): AgentParts {
    return this.#parts;
  }

  protected abstract defaultRuntime(): Runtime;

  /** Declares a method: assign it to a public field, whose name is then what the model calls it. */
  protected method<const I extends ToolInput = JsonSchema, R = unknown>(
    options: MethodOptions<I>,
    body: (args: ArgumentsOf<I>, ctx: ToolContext) => R,
  ): Method<GivenOf<I>, Awaited<R>> {
    return createMethod<I, R>(this.#home, options, body);
  }

  /**
   * The method of this agent that has this name, as an entry of `tools`: how a method offers itself, or one that offers
   * it, since the compiler cannot infer a type from itself.
   *
   * @throws RondoError `unknown_tool` where there is no such method
   */
  protected named(name: string): SpecTool {
    const methods = Object.entries(this).flatMap(([key, value]) => (isMethod(value) ? [{ key, value }] : []));
    const found = methods.find(({ value }) => value.spec.name === name) ?? methods.find(({ key }) => key === name);
    if (found) return found.value;
    const names = methods.map(({ value }) => value.spec.name);
    const near = nearestNames(name, names);
    const hint = near.length > 0 ? `Did you mean "${near[0]}"?` : `Its methods are: ${names.join(", ") || "none"}.`;
    throw new RondoError("unknown_tool", `${this.constructor.name} has no method "${name}". ${hint}`);
  }
}

/** The defaults of a class and of those that it extends, the outermost first. */
function classDefaults(given: unknown): AgentDefaults[] {
  const found: AgentDefaults[] = [];
  for (let at = given; typeof at === "function" && at !== AgentBase; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, "defaults")) found.unshift((at as unknown as typeof AgentBase).defaults);
  }
  return found;
}

/** The name of the one public field that holds the method. */
function nameOf(agent: AgentBase, method: unknown): string {
  const keys = Object.entries(agent).flatMap(([key, value]) => (value === method ? [key] : []));
  if (keys.length === 1) return keys[0]!;
  const where =
    keys.length === 0
      ? "no public field of it holds the method (fields that begin with # are not seen)"
      : `several fields hold it: ${keys.join(", ")}`;
  throw new RondoError(
    "invalid_tool",
    `A method of ${agent.constructor.name} has no name: ${where}. Give it one: this.method({ name: "…" }, …).`,
  );
}
