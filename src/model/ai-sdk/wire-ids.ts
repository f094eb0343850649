import { encoded, hash, injection } from "./injective.ts";

/** Which ids of calls a wire takes; other ones are replaced by up to `maxLength` of `A-Z a-z 0-9 _ -`. */
export type IdRule = {
  readonly legal: RegExp;
  readonly maxLength: number;
};

/**
 * Ids of the calls of one history as a wire takes them: two of them never share one, and a history that grows by its end
 * keeps those it has. A legal id stays as it is, for some models read their own.
 */
export function wireIds({ legal, maxLength }: IdRule): (id: string) => string {
  const ids = injection(
    (id) => legal.test(id),
    // Very short ones have no room for anything readable.
    (id, attempt) =>
      maxLength < 16
        ? hash(attempt === 0 ? id : `${id}\u0000${attempt}`).padStart(maxLength, "0")
        : encoded(id, attempt, maxLength, "call"),
  );
  return ids.to;
}
