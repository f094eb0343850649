const legal = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const maxLength = 64;

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
  const wires = new Map<string, string>();
  const originals = new Map<string, string>();

  const bind = (name: string): string => {
    let wire = legal.test(name) && !originals.has(name) ? name : encoded(name, 0);
    for (let attempt = 1; originals.has(wire); attempt++) wire = encoded(name, attempt);
    wires.set(name, wire);
    originals.set(wire, name);
    return wire;
  };

  return {
    declare(names) {
      for (const name of names) if (legal.test(name) && !wires.has(name)) bind(name);
      for (const name of names) if (!wires.has(name)) bind(name);
    },
    wire: (name) => wires.get(name) ?? bind(name),
    original: (wireName) => originals.get(wireName) ?? wireName,
  };
}

/** The legal part of the name, then a hash of all of it; `attempt` gives another one. */
function encoded(name: string, attempt: number): string {
  const suffix = `_${hash(attempt === 0 ? name : `${name}\u0000${attempt}`)}`;
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^(?![A-Za-z_])/, name === "" ? "tool" : "_");
  return readable.slice(0, maxLength - suffix.length) + suffix;
}

/** FNV-1a over UTF-16 units, 32 bits, as text. Collisions are resolved by the caller. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0");
}
