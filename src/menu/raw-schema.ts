import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from "@cfworker/json-schema";
import type { JsonSchema } from "../model/model.ts";
import { draftOf } from "../model/schema/draft.ts";
import { someSchema } from "../model/schema/inside.ts";
import { fastFit } from "./fast-fit.ts";
import { type Issue, maxIssues, pathText, type Validated } from "./issue.ts";
import { schemaProblem } from "./schema-check.ts";

/** A raw JSON Schema, ready: a copy of its own (nobody can change it between two requests) and its validator. */
export type RawSchema = { readonly jsonSchema: JsonSchema; readonly validate: (value: unknown) => Validated };

function refProblem(schema: JsonSchema, lookup: Record<string, Schema | boolean>): string | undefined {
  let problem: string | undefined;
  someSchema(schema, (node) => {
    if (typeof node.$ref !== "string") return false;
    const seen = new Set<unknown>();
    let at: Schema | boolean | undefined = node as Schema;
    while (typeof at === "object" && at.$ref !== undefined) {
      if (seen.has(at)) problem = `$ref "${node.$ref}" leads back to itself`;
      if (problem !== undefined) return true;
      seen.add(at);
      at = lookup[at.__absolute_ref__ ?? at.$ref];
    }
    if (at === undefined) problem = `$ref "${node.$ref}" leads nowhere; put what it means into "$defs"`;
    return problem !== undefined;
  });
  return problem;
}

const describesWhatFollows = new Set([
  ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems"],
  ...["$ref", "$recursiveRef", "allOf", "if", "dependentSchemas"],
]);

function segmentsOf(location: string, value: unknown): PropertyKey[] {
  let at = value;
  return location
    .split("/")
    .slice(1)
    .map((part) => {
      const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      const inArray = Array.isArray(at);
      at = (at as Record<string, unknown> | undefined)?.[key];
      return inArray ? Number(key) : key;
    });
}

const longest = 300;
const clip = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function issueOf(unit: OutputUnit, value: unknown): Issue {
  const segments = segmentsOf(unit.instanceLocation, value);
  const at = (message: string, ...more: string[]): Issue => ({
    path: pathText([...segments, ...more]),
    message: clip(message),
  });
  const quoted = (pattern: RegExp): string => pattern.exec(unit.error)?.[1] ?? "";
  if (unit.keyword === "required") return at("is required", quoted(/property "(.*)"\.$/s));
  if (unit.keyword === "false") return at("is not allowed");
  if (unit.keyword === "enum") return at(`must be one of ${quoted(/any of (.*)\.$/s)}`);
  if (unit.keyword === "const") return at(`must be ${quoted(/match (.*)\.$/s)}`);
  if (unit.keyword === "type") {
    const wanted = quoted(/Expected (.*)\.$/)
      .replaceAll('"', "")
      .replaceAll(", ", " or ");
    return at(`must be ${wanted}, not ${quoted(/type "(.*?)"/)}`);
  }
  return at(unit.error);
}

/** One issue for a union: why each of its branches does not fit, in short. */
function unionIssue(union: OutputUnit, inner: readonly OutputUnit[], value: unknown): Issue {
  const { path } = issueOf(union, value);
  if (union.keyword === "oneOf" && /\([1-9]\d* matches\)/.test(union.error)) {
    return { path, message: "must fit exactly one of the alternatives, but fits several" };
  }
  const reasons = new Map<string, string>();
  for (const unit of inner) {
    const branch = /^\/(\d+)/.exec(unit.keywordLocation.slice(union.keywordLocation.length))?.[1];
    if (branch === undefined || reasons.has(branch) || describesWhatFollows.has(unit.keyword)) continue;
    const issue = issueOf(unit, value);
    reasons.set(branch, issue.path === path ? issue.message : `${issue.path} ${issue.message}`);
  }
  const texts = [...new Set(reasons.values())];
  return { path, message: clip(`fits none of the alternatives: ${texts.join("; or ")}`) };
}

/** The end of the errors that belong to the one at `index`, which stand right behind it. */
function groupEnd(errors: readonly OutputUnit[], index: number): number {
  const inside = `${errors[index]?.keywordLocation}/`;
  let end = index + 1;
  const belongs = ({ keyword, keywordLocation }: OutputUnit): boolean =>
    keyword === "false" || `${keywordLocation}/`.startsWith(inside);
  while (end < errors.length && belongs(errors[end] as OutputUnit)) end++;
  return end;
}

function issuesOf(errors: readonly OutputUnit[], value: unknown): [Issue, ...Issue[]] {
  const issues: Issue[] = [];
  const told: string[] = [];
  for (let index = 0; index < errors.length && issues.length < maxIssues; index++) {
    const unit = errors[index] as OutputUnit;
    if (unit.keyword.startsWith("unevaluated")) {
      // A field that is wrong counts as one that no schema speaks about; once told is enough.
      const at = `${errors[index + 1]?.instanceLocation}/`;
      if (told.some((location) => location.startsWith(at))) index = groupEnd(errors, index) - 1;
    }
    if (describesWhatFollows.has(unit.keyword)) continue;
    told.push(`${unit.instanceLocation}/`);
    if (unit.keyword === "anyOf" || unit.keyword === "oneOf") {
      const end = groupEnd(errors, index);
      issues.push(unionIssue(unit, errors.slice(index + 1, end), value));
      index = end - 1;
    } else issues.push(issueOf(unit, value));
  }
  const [first, ...rest] = issues;
  return [first ?? { path: "", message: "does not fit the schema" }, ...rest];
}

/**
 * Makes a raw JSON Schema ready to use. What is wrong with the schema is told as `problem`; the validator itself is built
 * when it is first needed. `$dynamicRef` is not followed: it allows everything.
 */
export function compileRaw(given: JsonSchema): RawSchema | { readonly problem: string } {
  let jsonSchema: JsonSchema;
  let lookup: Record<string, Schema | boolean> | undefined;
  try {
    jsonSchema = JSON.parse(JSON.stringify(given)) as JsonSchema;
  } catch (error) {
    return { problem: `it is not JSON (${(error as Error).message})` };
  }
  let problem = schemaProblem(jsonSchema);
  if (problem !== undefined) return { problem };
  if (someSchema(jsonSchema, (node) => node.$ref !== undefined)) {
    try {
      lookup = dereference(jsonSchema as Schema);
      problem = refProblem(jsonSchema, lookup);
    } catch (error) {
      problem = (error as Error).message;
    }
    if (problem !== undefined) return { problem };
  }
  let draft: SchemaDraft | undefined;
  let fits: ReturnType<typeof fastFit> | null = null;
  return {
    jsonSchema,
    validate(value) {
      if (fits === null) fits = fastFit(jsonSchema);
      if (fits?.(value)) return { value };
      draft ??= draftOf(jsonSchema);
      lookup ??= dereference(jsonSchema as Schema);
      const { valid, errors } = validate(value, jsonSchema as Schema, draft, lookup, false);
      return valid ? { value } : { issues: issuesOf(errors, value) };
    },
  };
}
