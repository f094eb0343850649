/** Gives every text a legal stand-in of its own, and finds the text again. */
export type Injection = {
  /** The stand-in: the text itself where it is legal and free. */
  to(text: string): string;
  /** The text behind a stand-in; one that nobody was given is its own. */
  from(standIn: string): string;
};

/**
 * Stand-ins that depend on the text alone, unless another text took them before: then on what was asked for earlier, so
 * that a list that grows by its end keeps those it has. `encode` must give another stand-in for each attempt (from 0).
 */
export function injection(
  isLegal: (text: string) => boolean,
  encode: (text: string, attempt: number) => string,
): Injection {
  const standIns = new Map<string, string>();
  const texts = new Map<string, string>();

  const bind = (text: string): string => {
    let standIn = isLegal(text) && !texts.has(text) ? text : encode(text, 0);
    for (let attempt = 1; texts.has(standIn); attempt++) standIn = encode(text, attempt);
    standIns.set(text, standIn);
    texts.set(standIn, text);
    return standIn;
  };
  return {
    to: (text) => standIns.get(text) ?? bind(text),
    from: (standIn) => texts.get(standIn) ?? standIn,
  };
}

/** What is readable of a text in `A-Z a-z 0-9 _ -`, cut so that a hash of all of it fits behind. */
export function encoded(text: string, attempt: number, maxLength: number, whenEmpty: string): string {
  const suffix = `_${hash(attempt === 0 ? text : `${text}\u0000${attempt}`)}`;
  const readable = text.replace(/[^A-Za-z0-9_-]+/g, "_") || whenEmpty;
  return readable.slice(0, maxLength - suffix.length) + suffix;
}

/** FNV-1a over UTF-16 units, 32 bits, as seven of `a-z 0-9`. Collisions are for the caller to resolve. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0");
}
