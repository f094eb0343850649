import { jsonBreak } from "../../menu/json-position.ts";
import { usageError } from "../usage-error.ts";

/** What stands in a JSON file, and where. */
export type Parsed = {
  readonly path: string;
  readonly value: unknown;
  /** `12:3`: line and column, from 1, of what has this JSON path. */
  where(at: string): string;
};

type Container = { readonly kind: "{" | "["; readonly at: string; readonly keys: Set<string>; index: number };

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A JSON path one further: `approvals.deny`, `modules[0]`, `projects["/home/ann"]`. */
export function below(at: string, step: string | number): string {
  if (typeof step === "number") return `${at}[${step}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `${at}[${JSON.stringify(step)}]`;
  return at === "" ? step : `${at}.${step}`;
}

/** Reads JSON. Usage errors, with file, line and column, for what is none or nested too deep, for a key that stands twice, and for `__proto__`. */
export function parseJson(text: string, path: string): Parsed {
  const broken = jsonBreak(text);
  if (broken !== undefined) {
    const what = `expected ${expectedAt(text, broken.at)}${broken.ended ? ", and the file ends" : foundAt(text, broken.at)}`;
    throw usageError(`${path}:${lineAndColumn(text, broken.at)}: this is not JSON: ${what}`);
  }
  const places = placesOf(text, path);
  return {
    path,
    value: JSON.parse(text),
    where: (at) => lineAndColumn(text, places.get(at) ?? 0),
  };
}

/** Levels of objects and arrays in one another: no configuration has that many, and to go through more takes space and stack. */
const deepest = 100;

/** Where each key or item begins, by its JSON path. The text is JSON. */
function placesOf(text: string, path: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const open: Container[] = [];
  let key: string | undefined;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const around = open.at(-1);
    if (token === "}" || token === "]") {
      open.pop();
      key = undefined;
    } else if (token === ",") {
      key = undefined;
    } else if (around?.kind === "{" && key === undefined) {
      key = JSON.parse(token) as string;
      const at = below(around.at, key);
      if (key === "__proto__")
        throw usageError(`${path}:${lineAndColumn(text, index)}: "__proto__" cannot be a key here`);
      if (around.keys.has(key))
        throw usageError(`${path}:${lineAndColumn(text, index)}: the key ${at} stands twice; leave one of them`);
      around.keys.add(key);
      places.set(at, index);
    } else if (token !== ":") {
      const at = around === undefined ? "" : below(around.at, around.kind === "[" ? around.index++ : (key ?? ""));
      if (!places.has(at)) places.set(at, index);
      if (token === "{" || token === "[") {
        if (open.length === deepest)
          throw usageError(
            `${path}:${lineAndColumn(text, index)}: what stands here is nested too deep: at most ${deepest} levels`,
          );
        open.push({ kind: token, at, keys: new Set(), index: 0 });
        key = undefined;
      }
    }
  }
  return places;
}

/** What JSON has to go on with at the place where it breaks. */
function expectedAt(text: string, at: number): string {
  const before = text.slice(0, at);
  const open: string[] = [];
  let last = "";
  let isKey = false;
  let end = 0;
  for (const { 0: token, index } of before.matchAll(tokens)) {
    if (before.slice(end, index).includes('"')) return inString(text, at);
    isKey = token.startsWith('"') && open.at(-1) === "{" && (last === "{" || last === ",");
    if (token === "{" || token === "[") open.push(token);
    if (token === "}" || token === "]") open.pop();
    last = token;
    end = index + token.length;
  }
  if (before.slice(end).includes('"')) return inString(text, at);
  const within = open.at(-1);
  if (last === "" || last === ":") return "a value";
  if (last === "{") return 'a key in double quotes or "}"';
  if (last === "[") return 'a value or "]"';
  if (last === ",") return within === "{" ? "a key in double quotes behind the comma" : "a value behind the comma";
  if (isKey) return '":"';
  // Of a word or number that ends as none does: tru, 1.
  if (end === at && jsonBreak(last) !== undefined && !"}]".includes(last)) return "true, false, null or a number";
  if (within === undefined) return "nothing more";
  return within === "{" ? '"," or "}"' : '"," or "]"';
}

function inString(text: string, at: number): string {
  const char = text[at];
  if (char !== undefined && char < " ") return 'the end of a string, a "';
  return text[at - 1] === "\\" || char !== undefined
    ? 'an escape such as \\" or \\u0041 in a string'
    : 'the end of a string, a "';
}

/** No more than one sign of it: what the file holds may be nobody's business, such as where it is a link to another one. */
function foundAt(text: string, at: number): string {
  const rest = text.slice(at, at + 2);
  if (rest === "//" || rest === "/*") return ", found a comment, which JSON has not";
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(char) ? `, found ${char === '"' ? "a string" : JSON.stringify(char)}` : "";
}

function lineAndColumn(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}
