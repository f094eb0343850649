import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isRecord } from "./schema-types.ts";

type Result = StandardSchemaV1.Result<unknown>;
type Validate = StandardSchemaV1["~standard"]["validate"];

/** What is used of zod: what all its ways of parsing come down to, which can be told from the start that code may promise. */
type Zod = StandardSchemaV1 & {
  readonly _zod: {
    run(given: Payload, context: { readonly async: boolean }): Payload | Promise<Payload>;
  };
  safeParseAsync(value: unknown): Promise<{ readonly data?: unknown; readonly error?: Failed }>;
};
type Payload = { readonly value: unknown; readonly issues: readonly unknown[] };
type Failed = { readonly issues: readonly StandardSchemaV1.Issue[] };

const validators = new WeakMap<StandardSchemaV1, Validate>();

/**
 * How a schema is asked. zod tries everything synchronously first and drops the promise that it then meets: where code in
 * the schema rejects, nobody would hear that, and the process would end. So a zod schema that holds code is told at once
 * that its code may promise; it is still synchronous if the code is.
 */
export function validatorOf(schema: StandardSchemaV1): Validate {
  let validate = validators.get(schema);
  if (validate === undefined) {
    const own = schema["~standard"];
    validate = isZod(schema) && holdsCode(schema) ? (value) => parse(schema, value) : (value) => own.validate(value);
    validators.set(schema, validate);
  }
  return validate;
}

/** Issues are put in words only by zod's own parsing, so what is wrong is parsed again. */
function parse(schema: Zod, value: unknown): Result | Promise<Result> {
  const parsed = schema._zod.run({ value, issues: [] }, { async: true });
  if (parsed instanceof Promise) {
    return parsed.then((later) => (later.issues.length === 0 ? { value: later.value } : parseAgain(schema, value)));
  }
  return parsed.issues.length === 0 ? { value: parsed.value } : schema["~standard"].validate(value);
}

async function parseAgain(schema: Zod, value: unknown): Promise<Result> {
  const { data, error } = await schema.safeParseAsync(value);
  return error === undefined ? { value: data } : { issues: error.issues };
}

function isZod(schema: StandardSchemaV1): schema is Zod {
  const { _zod, safeParseAsync } = schema as Partial<Zod>;
  return typeof _zod?.run === "function" && typeof safeParseAsync === "function";
}

/** A schema may make new parts of itself for ever. */
const mostNodes = 10_000;

/** Whether a zod schema holds a check or transform of its author's; where that cannot be seen, it may. */
function holdsCode(schema: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node) || seen.has(node)) continue;
    if (seen.add(node).size > mostNodes) return true;
    if ("~standard" in node || "_zod" in node) {
      const def = isRecord(node._zod) ? node._zod.def : undefined;
      if (!isRecord(def) || hasCode(def)) return true;
      open.push(def);
    } else open.push(...Object.values(node));
  }
  return false;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A lazy schema may hold anything: what it is made of is only known when it is used. */
const hasCode = (def: Record<string, unknown>): boolean =>
  def.check === "custom" ||
  ["custom", "transform", "lazy"].includes(String(def.type)) ||
  typeof def.transform === "function";
