import { worldErrors } from "./world-errors.ts";

/**
 * What runs first in the world of a code: gives it a console and returns `[show, tell, handOut, begin]`: the first two say a
 * value and a thrown thing in words, the third prints what still waits to be printed, the last is told before each start of
 * the code how many columns of its first line are not its own. It is plain JavaScript as text because it runs in there, in plain sight of code that may have changed
 * everything: what it uses is kept from the beginning, and all that it hands out is text, as JSON, so that a NUL or half
 * a character comes through. At worst a code spoils its own output.
 *
 * `print(text, left)` takes lines and how many characters of them were left out; `ownLines` is how many the code has.
 */
export const worldSetup = String.raw`
(function (print, maxText, ownLines) {
"use strict";
const { apply, ownKeys, getOwnPropertyDescriptor: descriptorOf, getPrototypeOf } = Reflect;
const bind = apply(Function.prototype.bind, Function.prototype.bind, [Function.prototype.call]);
const { stringify } = JSON;
const { isArray } = Array;
const { is } = Object;
const { isFinite } = Number;
const $String = String, $Error = Error, $Promise = Promise, objectPrototype = Object.prototype;
const slice = bind(String.prototype.slice), indexOf = bind(String.prototype.indexOf);
const lastIndexOf = bind(String.prototype.lastIndexOf);
const replaceAll = bind(String.prototype.replaceAll), split = bind(String.prototype.split);
const join = bind(Array.prototype.join), includes = bind(Array.prototype.includes);
const symbolText = bind(Symbol.prototype.toString), functionText = bind(Function.prototype.toString);
const isoText = bind(Date.prototype.toISOString), time = bind(Date.prototype.getTime);
const getter = (of, key) => bind(descriptorOf(of, key).get);
const mapSize = getter(Map.prototype, "size"), setSize = getter(Set.prototype, "size");
const mapEach = bind(Map.prototype.forEach), setEach = bind(Set.prototype.forEach);
const source = getter(RegExp.prototype, "source"), flags = getter(RegExp.prototype, "flags");
const arrayKind = getter(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/** The answer of a method of another kind of object is undefined. */
function ask(method, value) {
  try { return method(value); } catch { return undefined; }
}

const isError = (value) => ask(() => value instanceof $Error) === true;

/** A field without running a getter. */
function field(value, key) {
  const found = descriptorOf(value, key);
  return found === undefined ? undefined : found.value;
}

function className(value) {
  for (let at = getPrototypeOf(value), i = 0; at !== null && i < 10; at = getPrototypeOf(at), i++) {
    const made = field(at, "constructor");
    const name = typeof made === "function" ? field(made, "name") : undefined;
    if (typeof name === "string" && name !== "") return name;
  }
  return getPrototypeOf(value) === null ? "[Object: null prototype]" : "";
}

function quote(text) {
  const cut = text.length > 10000 ? slice(text, 0, 10000) : text;
  const json = stringify(cut);
  const quoted = indexOf(json, "'") < 0 ? "'" + replaceAll(slice(json, 1, -1), '\\"', '"') + "'" : json;
  return cut === text ? quoted : quoted + "... " + (text.length - 10000) + " more characters";
}

const keyText = (key) =>
  typeof key === "symbol" ? "[" + symbolText(key) + "]" : isName(key) ? key : quote(key);
const isName = (key) => ask(function () {
  if (key.length === 0 || key.length > 100) return false;
  for (let i = 0; i < key.length; i++) {
    const c = key[i];
    if (!((c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_" || c === "$" || (i > 0 && c >= "0" && c <= "9"))) return false;
  }
  return true;
});

function inspect(value, state, depth) {
  switch (typeof value) {
    case "string": return quote(value);
    case "number": return is(value, -0) ? "-0" : $String(value);
    case "bigint": return $String(value) + "n";
    case "symbol": return symbolText(value);
    case "function": return named(value);
    case "object":
      if (value === null) return "null";
      if (includes(state.around, value)) return "[Circular]";
      if (state.left <= 0) return "...";
      try { return object(value, state, depth); } catch { return "[cannot be read]"; }
    default: return $String(value);
  }
}

function named(value) {
  try {
    const name = field(value, "name");
    const kind = slice(functionText(value), 0, 6) === "class " ? "class" : "Function";
    return typeof name === "string" && name !== "" ? "[" + kind + ": " + name + "]" : "[" + kind + "]";
  } catch { return "[Function]"; }
}

function object(value, state, depth) {
  // Each question below that does not fit is an error, thrown and caught: the most frequent objects are spared them.
  const prototype = getPrototypeOf(value);
  const bare = prototype === objectPrototype || prototype === null || isArray(value);
  const at = bare ? undefined : ask(time, value);
  if (at !== undefined) return is(at, NaN) ? "Invalid Date" : isoText(value);
  if (isError(value)) return "[" + errorText(value) + "]";
  const name = className(value);
  const kind = bare ? undefined : ask(arrayKind, value);
  const map = bare ? undefined : ask(mapSize, value), set = bare ? undefined : ask(setSize, value);
  const list = isArray(value) || kind !== undefined;
  if (!bare && !list && map === undefined && set === undefined && value !== getPrototypeOf(/x/)) {
    const text = ask(source, value);
    if (text !== undefined) return "/" + text + "/" + flags(value);
  }
  if (value instanceof $Promise) return "[Promise]";
  const size = map ?? set ?? (list ? value.length : undefined);
  if (depth <= 0) return "[" + (name === "" ? "Object" : name) + "]";
  const parts = [];
  const inner = { around: state.around, left: 0 };
  const add = (text) => { parts[parts.length] = text; state.left--; };
  state.around[state.around.length] = value;
  try {
    if (map !== undefined) {
      mapEach(value, (item, key) => {
        if (parts.length < 100) add(inspect(key, state, depth - 1) + " => " + inspect(item, state, depth - 1));
      });
    } else if (set !== undefined) {
      setEach(value, (item) => { if (parts.length < 100) add(inspect(item, state, depth - 1)); });
    } else if (list) {
      for (let i = 0, empty = 0; i < size && i < 100; i++) {
        const text = item(value, i, state, depth);
        empty = text === undefined ? empty + 1 : 0;
        if (empty < 2) add(text ?? "<1 empty item>");
        else parts[parts.length - 1] = "<" + empty + " empty items>";
      }
    }
    if (!list) fields(value, add, state, depth, parts);
  } finally {
    state.around.length--;
  }
  if (size > 100) parts[parts.length] = "... " + (size - 100) + " more items";
  const prefix = name === "Object" || name === "Array" ? "" : name + (size === undefined ? " " : "(" + size + ") ");
  return prefix + wrapped(parts, list ? "[" : "{", list ? "]" : "}");
}

function item(list, index, state, depth) {
  const found = descriptorOf(list, $String(index));
  if (found === undefined) return undefined;
  return found.get !== undefined ? "[Getter]" : inspect(found.value, state, depth - 1);
}

function fields(value, add, state, depth, parts) {
  const keys = ownKeys(value);
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    const found = descriptorOf(value, keys[i]);
    if (found === undefined || !found.enumerable) continue;
    if (++count > 100) {
      parts[parts.length] = "... " + (keys.length - i) + " more";
      return;
    }
    const accessor = found.get !== undefined || found.set !== undefined;
    add(keyText(keys[i]) + ": " + (accessor ? "[Getter]" : inspect(found.value, state, depth - 1)));
  }
}

function wrapped(parts, open, close) {
  if (parts.length === 0) return open + close;
  const line = join(parts, ", ");
  if (line.length <= 72 && indexOf(line, "\n") < 0) return open + " " + line + " " + close;
  return open + "\n  " + replaceAll(join(parts, ",\n"), "\n", "\n  ") + "\n" + close;
}

const inspected = (value) => inspect(value, { around: [], left: 1000 }, 5);

${worldErrors}

/** Whether JSON says all of a value, but for fields that are undefined, which it leaves out, and the sign of a zero. */
function isPlain(value, state, depth) {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return isFinite(value);
  if (typeof value !== "object" || depth <= 0 || state.left-- <= 0) return false;
  if (typeof value.toJSON === "function") return true;
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!plainField(value, $String(i), state, depth)) return false;
    return true;
  }
  const prototype = getPrototypeOf(value);
  const keys = ownKeys(value);
  // An object of a class is its fields; a Map, say, has none, and those of a RegExp, typed array or error are not all of it.
  const bare = keys.length === 0 || keys[0] === "lastIndex" || isError(value) || typeof value.length === "number";
  if (prototype !== objectPrototype && prototype !== null && bare) return false;
  for (let i = 0; i < keys.length; i++) if (!plainField(value, keys[i], state, depth)) return false;
  return true;
}

function plainField(value, key, state, depth) {
  const found = descriptorOf(value, key);
  if (typeof key === "symbol" || found === undefined || found.get !== undefined) return false;
  if (found.value === undefined && !isArray(value)) return true;
  return isPlain(found.value, state, depth - 1);
}

const clipped = (text, left) => text + " ... " + left + " more characters";

function valueText(value) {
  if (typeof value === "string" && value.length > maxText) return clipped(stringify(slice(value, 0, maxText)), value.length - maxText);
  try {
    const json = isPlain(value, { left: 200000 }, 100) ? stringify(value) : undefined;
    if (typeof json === "string") return json;
  } catch {}
  return inspected(value);
}

function bounded(text) {
  const all = typeof text === "string" ? text : $String(text);
  // What a clipped text says of itself has room beside it.
  return stringify(all.length <= maxText + 60 ? all : clipped(slice(all, 0, maxText), all.length - maxText));
}

/** The words of console.log: text as it is, the placeholders of a first text filled in. */
function line(values) {
  const parts = [];
  let next = 0;
  if (values.length > 1 && typeof values[0] === "string" && indexOf(values[0], "%") >= 0) {
    const pieces = split(values[next++], "%");
    let text = pieces[0];
    for (let i = 1; i < pieces.length; i++) {
      const kind = pieces[i][0], rest = slice(pieces[i], 1);
      if (kind === undefined && i + 1 < pieces.length) text += "%" + pieces[++i];
      else if (next >= values.length || kind === undefined) text += "%" + pieces[i];
      else if (kind === "s") text += plainText(values[next++]) + rest;
      else if (kind === "d" || kind === "i" || kind === "f") text += number(values[next++], kind) + rest;
      else if (kind === "j" || kind === "o" || kind === "O") text += (kind === "j" ? valueText : inspected)(values[next++]) + rest;
      else if (kind === "c") { next++; text += rest; }
      else text += "%" + pieces[i];
    }
    parts[0] = text;
  }
  for (; next < values.length; next++) parts[parts.length] = plainText(values[next]);
  return join(parts, " ");
}

const plainText = (value) => typeof value === "string" ? value : isError(value) ? errorText(value) : inspected(value);
const number = (value, kind) => {
  if (typeof value === "bigint") return $String(value) + "n";
  const found = typeof value === "object" || typeof value === "symbol" ? NaN : +value;
  return $String(kind === "i" ? (found < 0 ? -1 : 1) * ((found < 0 ? -found : found) - (found < 0 ? -found : found) % 1) : found);
};

/** What was printed and is not handed out yet. The way out costs more than the words: the first lines go one by one, later ones together. */
let waiting = "", left = 0, lines = 0;
function log(...values) {
  const text = line(values);
  const over = text.length - maxText;
  waiting += (over > 0 ? clipped(slice(text, 0, maxText), over) : text) + "\n";
  if (over > 0) left += over;
  if (++lines <= 1000 || waiting.length > 4000) handOut();
}

function handOut() {
  const text = waiting, cut = left;
  waiting = "";
  left = 0;
  if (text !== "") print(stringify(text), cut);
}

const console = {};
for (const name of ["log", "info", "warn", "error", "debug", "trace", "dir", "table"]) console[name] = name === "dir" ? (value) => log(inspected(value)) : log;
Object.defineProperty(globalThis, "console", { value: console, writable: true, configurable: true, enumerable: false });

return [
  (value) => value === undefined ? undefined : bounded(valueText(value)),
  (thrown) => bounded(isError(thrown) ? errorText(thrown) : "Uncaught " + inspected(thrown)),
  handOut,
  (columns) => { shift = columns; },
];
})
`;
