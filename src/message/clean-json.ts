import type { Json } from "./json.ts";

/** The value with all its texts, names and digits of numbers put through `clean`; names that come to be the same are numbered. */
export function cleanJson(value: Json, clean: (text: string) => string): Json {
  if (typeof value === "string") return clean(value);
  if (typeof value === "number") {
    const shown = clean(String(value));
    return shown === String(value) ? value : shown;
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: Json) => cleanJson(item, clean));
  // Names that stay keep their place; of those that come to be the same, the later ones are numbered.
  const entries = Object.entries(value).flatMap(([key, field]) => (field === undefined ? [] : [[key, field] as const]));
  const names = new Set(entries.flatMap(([key]) => (clean(key) === key ? [key] : [])));
  return Object.fromEntries(
    entries.map(([key, field]) => {
      const cleaned = clean(key);
      return [cleaned === key ? key : newName(cleaned, names), cleanJson(field, clean)];
    }),
  );
}

function newName(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted} (${number})`;
  names.add(name);
  return name;
}
