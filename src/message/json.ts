/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/**
 * The same text for equal values, whatever the order of their keys: used to recognise a repeated call.
 * Keys are sorted at every depth; own keys only, so that `__proto__` is a key like any other.
 */
export function canonicalJson(value: Json): string {
  // A number as it is: too large a one is read as Infinity, which JSON would write as null.
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item as Json)).join(",")}]`;
  const object = value as JsonObject;
  const fields: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const field = object[key];
    if (field !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalJson(field)}`);
  }
  return `{${fields.join(",")}}`;
}

/** Arguments as the model wrote them, whatever the order of their fields; those that are no JSON are equal when their text is. */
export function canonicalArguments(raw: string): string {
  try {
    return canonicalJson(JSON.parse(raw) as Json);
  } catch {
    return raw.trim();
  }
}

/** Whether a text is JSON, whole. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
