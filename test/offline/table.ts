/** How the table of requests is written: what is asked, and which calls, in order, are right. */

/** Stands for an argument that is left out. */
export const absent: unique symbol = Symbol("absent");

type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };
type OneOf = { readonly oneOf: readonly (Plain | RegExp | typeof absent)[] };

/** A value, or several that are all right. */
export type Accepted = Plain | RegExp | OneOf;

export type WantedCall = { readonly name: string; readonly args: { readonly [name: string]: Accepted } };

/** One step; with several calls, each of them is right. */
export type WantedStep = readonly WantedCall[];

/** No steps: nothing fits, and nothing may be picked. */
export type Entry = { readonly request: string; readonly steps: readonly WantedStep[] };

export const oneOf = (...values: OneOf["oneOf"]): OneOf => ({ oneOf: values });
export const maybe = (value: Plain): OneOf => ({ oneOf: [value, absent] });

export const call = (name: string, args: WantedCall["args"] = {}): WantedStep => [{ name, args }];
export const either = (...steps: readonly WantedStep[]): WantedStep => steps.flat();
export const asked = (request: string, ...steps: readonly WantedStep[]): Entry => ({ request, steps });
