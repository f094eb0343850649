import type { Choices, ChoicesValue } from "../decision/option.ts";
import type { OutputOf } from "../decision/output-type.ts";
import type { ToolInput } from "../menu/tool.ts";
import type { ExecOptions } from "./options.ts";

declare const omitted: unique symbol;

/** The options of a call that gives none: `exec` then comes to text. */
export type NoOptions = ExecOptions & { readonly [omitted]?: never };

type Given<O, K extends string> = K extends keyof O ? Exclude<O[K], undefined> : never;

type Decided<O> = Given<O, "choices"> extends infer C ? ([C] extends [never] ? never : ChoicesValue<C>) : never;
type Structured<O> = Given<O, "output"> extends infer S ? ([S] extends [never] ? never : OutputOf<S>) : never;

/** Text, unless one of the two is there for certain. */
type Text<O> = O extends { readonly choices: Choices } | { readonly output: ToolInput } ? never : string;

/** What `exec` comes to with these options: text, or what `choices` or `output` make of it. */
export type ValueOf<O> = typeof omitted extends keyof O
  ? string
  : O extends object
    ? Decided<O> | Structured<O> | Text<O>
    : never;
