import type { Json } from "../../message/json.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";

/** A value for a parameter, and the mentions that it was made of. */
export type Taken = {
  readonly value: Json;
  readonly used: readonly Mention[];
  /** Plain words, for want of anything better. */
  readonly guess?: boolean;
};

/** Finds a value for a parameter in a clause; `free` are the mentions that no other parameter has taken. */
export type Take = (parameter: Parameter, reading: Reading, free: readonly Mention[]) => Taken | undefined;

export function taken(value: Json, ...used: readonly Mention[]): Taken {
  return { value, used };
}

/** The mentions that lie in a part of the text. */
export function within(mentions: readonly Mention[], start: number, end: number): readonly Mention[] {
  return mentions.filter((mention) => mention.start < end && mention.end > start);
}

/** A pattern for a name as people write it: `order_id` is also "order id" and "order-id". */
export function spelled(name: string): string {
  const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(/[^\p{L}\p{N}]+/u);
  return (
    parts
      .filter((part) => part !== "")
      .map(escaped)
      .join("[\\s_-]*") || "(?!)"
  );
}

/** A quick look before a pattern is made: whether a text can hold a name at all. */
export function mayHold(text: string, name: string): boolean {
  const part = /[\p{L}\p{N}]+/u.exec(name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))?.[0];
  return part !== undefined && text.toLowerCase().includes(part.toLowerCase());
}

export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
