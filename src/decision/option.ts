import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SpecTool, Tool, ToolInput } from "../menu/tool.ts";
import type { JsonObject } from "../message/json.ts";
import type { OutputOf } from "./output-type.ts";

const marker: unique symbol = Symbol.for("rondo.option");

type Literal = string | number | boolean | null;

/** A value that can be picked, and what it is told to mean. */
export type ValueOption<V = unknown> = {
  readonly [marker]: "value";
  readonly value: V;
  /** What it is called in a list; in an object the key counts. */
  readonly name?: string;
  readonly description?: string;
};

/** Fields that the model fills in when it picks this. */
export type SchemaOption<S extends ToolInput = ToolInput, N extends string = string> = {
  readonly [marker]: "schema";
  readonly schema: S;
  /** What it is called in a list; in an object the key counts. */
  readonly name?: N;
  readonly description?: string;
};

/**
 * One thing that can be decided: a function (an agent's method, a tool) that is then run and whose value is the result;
 * a literal or `option.value`, which is the result; `option.schema`, which yields `{ decision, ...fields }`.
 */
export type Choice = Tool | SpecTool | Literal | ValueOption | SchemaOption;

/** What can be decided, by name; in a list functions have their own names and literals are theirs. */
export type Choices = { readonly [name: string]: Choice } | readonly Choice[];

/** Text about an option; a `name` is what an option in a list needs. */
export type OptionText<N extends string = string> = string | { readonly name?: N; readonly description?: string };

const texts = <N extends string>(text: OptionText<N> | undefined) =>
  typeof text === "string" ? { description: text } : text;

/** Options that are told apart from every literal by where they come from. */
export const option = {
  /** A value that is the result when it is picked, with a description for the model. */
  value: <const V>(value: V, text?: OptionText): ValueOption<V> =>
    Object.freeze({ [marker]: "value" as const, value, ...texts(text) }),
  /**
   * Fields for the model to fill in; yields `{ decision: name, ...fields }`. Fields that a raw JSON Schema does not list
   * are left out, unless it says what others mean. What a transform made no object of stands under `value`.
   */
  schema: <const S extends ToolInput, const N extends string = string>(
    schema: S,
    text?: OptionText<N>,
  ): SchemaOption<S, N> => Object.freeze({ [marker]: "schema" as const, schema, ...texts(text) }),
};

/** What kind of option a value was made as, by any copy of this package. */
export function optionKind(value: unknown): "value" | "schema" | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { [marker]?: "value" | "schema" })[marker];
}

type Decided<Name, Value> = Value extends readonly unknown[]
  ? { readonly decision: Name; readonly value: Value }
  : Value extends object
    ? { readonly decision: Name } & Value
    : { readonly decision: Name; readonly value: Value };

/** Raw JSON Schemas of arguments always make an object. */
type FieldsOf<S> = S extends StandardSchemaV1 | { readonly schema: StandardSchemaV1 } ? OutputOf<S> : JsonObject;

type ValueOfChoice<C, Name> =
  C extends ValueOption<infer V>
    ? V
    : C extends SchemaOption<infer S, infer N>
      ? Decided<Name extends undefined ? N : Name, FieldsOf<S>>
      : C extends { execute(args: never, ctx: never): infer R }
        ? Awaited<R>
        : C;

/** What a decision comes to: the union of what its options yield. */
export type ChoicesValue<C> = C extends readonly (infer One)[]
  ? ValueOfChoice<One, undefined>
  : { [K in keyof C]: ValueOfChoice<C[K], K> }[keyof C];
