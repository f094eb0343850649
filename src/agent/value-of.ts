import type { ExecOptions } from "./options.ts";

declare const omitted: unique symbol;

/** The options of a call that gives none: `exec` then comes to text. */
export type NoOptions = ExecOptions & { readonly [omitted]?: never };

/** What `exec` comes to with these options: text, or what `choices` or `output` make of it. */
export type ValueOf<O> = typeof omitted extends keyof O ? string : O extends object ? string : never;
