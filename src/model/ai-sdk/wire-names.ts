import { encoded, injection } from "./injective.ts";

const legal = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const maxLength = 64;

/** Packages look names up in plain objects, where what every object inherits would be found. */
const isLegal = (name: string): boolean => legal.test(name) && !(name in Object.prototype);

/**
 * Tool names as providers take them: at most 64 of `A-Z a-z 0-9 _ -`, beginning with a letter or `_`. A legal name is its
 * own wire name; another one gets a readable legal name that depends on nothing but the name, unless that is taken.
 * Within one instance two names never share a wire name.
 */
export type WireNames = {
  /** Declares names, in order. Legal ones have to come before others can take their place, so declare before you ask. */
  declare(names: readonly string[]): void;
  wire(name: string): string;
  /** The name behind a wire name; an unknown wire name is its own. */
  original(wireName: string): string;
};

export function wireNames(): WireNames {
  const names = injection(isLegal, (name, attempt) =>
    encoded(name, attempt, maxLength - 1, "tool").replace(/^(?![A-Za-z_])/, "_"),
  );
  return {
    declare(declared) {
      for (const name of declared) if (isLegal(name)) names.to(name);
      for (const name of declared) names.to(name);
    },
    wire: names.to,
    original: names.from,
  };
}
