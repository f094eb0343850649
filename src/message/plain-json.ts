import type { Json } from "./json.ts";
import { isWellFormed, wellFormed } from "./well-formed.ts";

/** How deep a value may nest; what is deeper is replaced by a note. */
export const maxJsonDepth = 200;

/** How large a copy may get, in characters, each value counting some: values that share parts would else never end. */
const maxJsonSize = 2 ** 26;
const valueSize = 8;

type Copying = { room: number; readonly maxDepth: number; readonly parents: object[] };

/**
 * A copy of any value as plain JSON with well-formed text, which nobody else holds and reading which cannot throw.
 * As `JSON.stringify` does it (`toJSON` is asked, fields without a JSON form go, in arrays they become null), but:
 *
 * | value | becomes |
 * | --- | --- |
 * | `NaN`, infinities, bigint, RegExp | their text |
 * | Map | array of `[key, value]` |
 * | Set | array |
 * | Error | `"name: message"`, without its stack |
 * | cycle, bytes, promise, more than 200 levels, a field that throws when read | a note in brackets |
 *
 * Undefined for what has no JSON form.
 *
 * @throws what reading the value itself throws; what its fields throw is only noted
 */
export function plainJson(value: unknown, maxDepth = maxJsonDepth, maxSize = maxJsonSize): Json | undefined {
  return copy(value, "", { room: maxSize, maxDepth, parents: [] });
}

function copy(value: unknown, key: string, state: Copying): Json | undefined {
  switch (typeof value) {
    case "string":
      state.room -= value.length + valueSize;
      return state.room < 0 ? tooLarge : wellFormed(value);
    case "number":
      state.room -= valueSize;
      // -0 has no form of its own in JSON.
      return Number.isFinite(value) ? value + 0 : String(value);
    case "boolean":
      state.room -= valueSize;
      return value;
    case "bigint":
      return String(value);
    case "object":
      return value === null ? null : copyObject(value, key, state);
    default:
      return undefined;
  }
}

const tooLarge = "[left out: the value is too large]";

function copyObject(value: object, key: string, state: Copying): Json | undefined {
  state.room -= valueSize;
  if (state.room < 0) return tooLarge;
  const bytes = bytesNote(value);
  if (bytes !== undefined) return `[${bytes}]`;
  if (value instanceof Error) return wellFormed(`${value.name}: ${value.message}`);
  if (state.parents.includes(value)) return "[cycle]";
  if (state.parents.length >= state.maxDepth) return "[nested too deep]";
  state.parents.push(value);
  try {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON !== "function") return copyFields(value, state);
    const stand: unknown = toJSON.call(value, key);
    // As in JSON.stringify, what toJSON gives is not asked again.
    return typeof stand === "object" && stand !== null ? copyFields(stand, state) : copy(stand, key, state);
  } finally {
    state.parents.pop();
  }
}

function copyFields(value: object, state: Copying): Json | undefined {
  if (value instanceof Map) return copyList([...value], state);
  if (value instanceof Set) return copyList([...value], state);
  if (Array.isArray(value)) return copyList(value, state);
  if (value instanceof RegExp) return wellFormed(String(value));
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return copy(value.valueOf(), "", state);
  }
  if (value instanceof Promise) return "[promise that was not awaited]";
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    if (state.room < 0) {
      setField(fields, freeKey(fields, "..."), tooLarge);
      break;
    }
    state.room -= key.length;
    const field = copyField(value, key, state);
    if (field !== undefined) setField(fields, freeKey(fields, key), field);
  }
  return fields;
}

function copyList(values: readonly unknown[], state: Copying): Json {
  const items: Json[] = [];
  for (let index = 0; index < values.length; index++) {
    if (state.room < 0) {
      items.push(tooLarge);
      break;
    }
    const item = copyField(values, index, state);
    // A hole costs room too, or an array of length 2 ** 32 - 1 would not end.
    if (item === undefined) state.room -= valueSize;
    items.push(item ?? null);
  }
  return items;
}

function copyField(holder: object, key: string | number, state: Copying): Json | undefined {
  try {
    return copy((holder as Record<string | number, unknown>)[key], String(key), state);
  } catch (error) {
    return `[cannot be read${reasonOf(error)}]`;
  }
}

function reasonOf(error: unknown): string {
  try {
    return error instanceof Error && error.message !== "" ? wellFormed(`: ${error.message}`) : "";
  } catch {
    return "";
  }
}

/** Keys that differ only in their lone surrogates stay different. */
function freeKey(fields: object, key: string): string {
  let free = wellFormed(key);
  if (free !== key || key === "...") while (Object.hasOwn(fields, free)) free += "\ufffd";
  return free;
}

/** `__proto__` becomes a key like any other. */
function setField(fields: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

/** What to call raw bytes, such as `Buffer of 1024 bytes`; undefined for anything else. */
export function bytesNote(value: unknown): string | undefined {
  if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)) return undefined;
  return `${value.constructor.name} of ${value.byteLength} bytes`;
}

/** True when the value is plain JSON already: nothing that {@link plainJson} would change. Never throws. */
export function isPlainJson(value: unknown, maxDepth = maxJsonDepth): value is Json {
  try {
    return isPlain(value, maxDepth);
  } catch {
    return false;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === "string") return isWellFormed(value);
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "boolean";
  if (value === null) return true;
  if (depth <= 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index], depth - 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm are plain too: their prototype has none itself.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    if (!isWellFormed(key) || (field !== undefined && !isPlain(field, depth - 1))) return false;
  }
  return true;
}

/** The value with well-formed text throughout, keys too; the very same value when it is so already. */
export function wellFormedJson<T extends Json>(value: T): T {
  return isPlainJson(value) ? value : (plainJson(value) as T);
}
