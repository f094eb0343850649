import type { Json, JsonObject } from "../../message/json.ts";
import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { JsonSchema } from "../model.ts";

/** What a parameter takes, as far as its schema, name and description tell. */
export type ParameterKind =
  | "enum"
  | "boolean"
  | "number"
  | "list"
  | "object"
  | "glob"
  | "regex"
  | "url"
  | "email"
  | "date"
  | "time"
  | "path"
  | "folder"
  | "id"
  | "acronym"
  | "expression"
  | "code"
  | "command"
  | "name"
  | "text";

export type Parameter = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly kind: ParameterKind;
  /** Allowed values, if they are listed. */
  readonly options: readonly Json[];
  /** Stems of its name, and of its description. */
  readonly named: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
  readonly description: string;
  /** Values that the description names, in lower case: "such as 'jazz'", "e.g. Paris". */
  readonly examples: ReadonlySet<string>;
};

/** The parameters of a tool in the order of its schema; a schema that is no object has none. `owner` is the tool's name. */
export function parametersOf(schema: JsonSchema, owner = ""): readonly Parameter[] {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []);
  return Object.entries(asObject(schema.properties)).map(([name, property]) =>
    parameter(name, asObject(property), required.has(name), owner),
  );
}

/** One parameter by itself; also made for the items of a list. */
export function parameter(name: string, declared: JsonObject, required: boolean, owner = ""): Parameter {
  const schema = withoutNull(declared);
  const description = textIn(declared.description) || textIn(schema.description);
  const options = "const" in schema ? [schema.const as Json] : ((schema.enum ?? []) as readonly Json[]);
  const about = words(description);
  const kind = options.length > 0 ? "enum" : kindOf(schema, words(name), [...about, ...words(owner)]);
  return {
    name,
    schema,
    required,
    kind,
    options,
    named: new Set(words(name).map(stem)),
    about: new Set(about.map(stem)),
    description,
    examples: examplesIn(description),
  };
}

const quotedExample = /'([^'\n]{1,60})'|"([^"\n]{1,60})"|`([^`\n]{1,60})`/gu;

function examplesIn(description: string): ReadonlySet<string> {
  const quoted = [...description.matchAll(quotedExample)].flatMap((found) => found.slice(1).filter((one) => one));
  const said =
    /(?:\be\.g\.?|\bi\.e\.?|\bsuch as|\blike|\bfor example|\bexamples?:|\boptions?:),? ([^.;()]{1,120})/iu.exec(
      description,
    )?.[1];
  const listed = said === undefined || said.includes("'") ? [] : said.split(/,\s*|\s+or\s+|\s+and\s+/u);
  return new Set(
    [...quoted, ...listed, ...(said === undefined ? [] : [said])].map((one) => String(one).trim().toLowerCase()),
  );
}

/** The value as an object; anything else counts as an empty one. */
export function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The first alternative that is not null, for fields that may be null. */
function withoutNull(schema: JsonObject): JsonObject {
  const alternatives = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  const first = alternatives?.map(asObject).find((one) => one.type !== "null");
  return first ? { ...schema, ...first } : schema;
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === "string") return type;
  const listed = Array.isArray(type) ? (type as readonly Json[]).find((one) => one !== "null") : undefined;
  if (typeof listed === "string") return listed;
  return schema.properties ? "object" : schema.items ? "array" : "string";
}

function kindOf(schema: JsonObject, name: readonly string[], about: readonly string[]): ParameterKind {
  const type = typeOf(schema);
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return "list";
  if (type === "boolean" || type === "object") return type;
  const byFormat = formats[textIn(schema.format)];
  if (byFormat) return byFormat;
  return kinds.find(({ test }) => test(name, about))?.kind ?? "name";
}

const formats: { readonly [format: string]: ParameterKind } = {
  uri: "url",
  url: "url",
  email: "email",
  date: "date",
  "date-time": "date",
  time: "time",
  regex: "regex",
};

type Rule = { readonly kind: ParameterKind; test(name: readonly string[], about: readonly string[]): boolean };

const has = (list: readonly string[], ...any: readonly string[]) => any.some((word) => list.includes(word));

// The first that fits. A name tells more than a description, so rules that read descriptions are narrow.
const kinds: readonly Rule[] = [
  {
    kind: "glob",
    test: (name, about) => has(name, "glob", "globs") || (has(name, "pattern", "files") && has(about, "glob")),
  },
  {
    kind: "regex",
    test: (name, about) =>
      has(name, "regex", "regexp") ||
      (has(name, "pattern", "query", "search") && has(about, "regex", "regexp", "regular")),
  },
  { kind: "url", test: (name) => has(name, "url", "uri", "link") },
  {
    kind: "email",
    test: (name, about) =>
      has(name, "email") || (has(name, "to", "recipient", "cc", "from") && has(about, "email", "mail")),
  },
  {
    kind: "folder",
    test: (name, about) =>
      has(name, "folder", "dir", "directory", "cwd") ||
      (has(name, "path", "root") && has(about, "folder", "directory") && !has(about, "file")),
  },
  { kind: "command", test: (name) => has(name, "command", "cmd", "shell") },
  {
    kind: "code",
    test: (name, about) =>
      has(name, "code", "script", "source") && has(about, "javascript", "typescript", "python", "code", "sandbox"),
  },
  { kind: "path", test: (name) => has(name, "path", "file", "filename", "filepath") },
  { kind: "date", test: (name, about) => has(name, "date", "day") || (has(about, "yyyy") && has(about, "mm")) },
  {
    kind: "time",
    test: (name, about) => has(name, "time") || (has(about, "hh") && has(about, "mm") && !has(about, "yyyy")),
  },
  {
    kind: "expression",
    test: (name, about) =>
      has(name, "expression", "formula", "equation", "polynomial") ||
      (has(name, "function") &&
        has(about, "function", "polynomial", "derivative", "integral") &&
        !has(about, "name")) ||
      has(about, "arithmetic"),
  },
  {
    kind: "acronym",
    test: (name, about) =>
      has(name, "currency") || (has(name, "from", "to", "base", "target", "source") && has(about, "currency")),
  },
  { kind: "id", test: (name) => has(name, "id", "number", "code", "sku", "key", "ref", "reference") },
  {
    kind: "text",
    test: (name) =>
      has(
        name,
        "text",
        "message",
        "body",
        "content",
        "subject",
        "title",
        "query",
        "question",
        "note",
        "description",
        "prompt",
        "comment",
        "summary",
        "reason",
        "pattern",
        "keyword",
        "keywords",
        "term",
        "topic",
        "task",
        "item",
      ),
  },
];
