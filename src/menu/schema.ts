import type { StandardSchemaV1 } from "@standard-schema/spec";
import { RondoError } from "../error.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import type { JsonSchema } from "../model/model.ts";
import { inTime } from "./in-time.ts";
import { type Issue, maxIssues, pathText, type Validated } from "./issue.ts";
import { compileRaw, type RawSchema } from "./raw-schema.ts";
import { looksLikeSchema } from "./schema-check.ts";
import { isRecord, object, typesOf } from "./schema-types.ts";
import type { ToolInput } from "./tool.ts";
import { validatorOf } from "./validator.ts";

/** The input of a tool, ready to declare and to validate. */
export type CompiledInput = {
  /** Checking a value runs code of the schema's author, which may do anything. */
  readonly runsCode: boolean;
  /** The JSON Schema of the arguments, made when first read; throws `invalid_tool` if there is none to be had. */
  readonly jsonSchema: JsonSchema;
  /** Why a raw JSON Schema, which may come from elsewhere, cannot be used; absent for all else, and for what is none at all. */
  readonly problem?: string | undefined;
  /**
   * Checks a value. Synchronous unless the schema itself is not. Never throws for what the value is: a schema whose own
   * code throws reports that as an issue.
   */
  validate(value: unknown): Validated | Promise<Validated>;
};

const invalid = (problem: string, cause?: unknown): RondoError =>
  new RondoError("invalid_tool", `The input schema cannot be used: ${problem}.`, { cause });

const isStandard = (value: unknown): value is StandardSchemaV1 =>
  ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;

/** The text of whatever was thrown, in one short line. */
const shortly = (error: unknown): string => thrownMessage(error).split("\n", 1)[0]!.slice(0, 200);

const failed = (error: unknown): Validated => ({
  issues: [{ path: "", message: `could not be checked (${shortly(error)})` }],
});

function fromStandard(result: StandardSchemaV1.Result<unknown>): Validated {
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.slice(0, maxIssues).map(
    (issue): Issue => ({
      path: pathText((issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part))),
      message: issue.message,
    }),
  );
  return { issues: [issues[0] ?? { path: "", message: "is not valid" }, ...issues.slice(1)] };
}

function validateStandard(schema: StandardSchemaV1, value: unknown): Validated | Promise<Validated> {
  try {
    const result = validatorOf(schema)(value);
    return "then" in result ? inTime(result).then(fromStandard).catch(failed) : fromStandard(result);
  } catch (error) {
    return failed(error);
  }
}

/** The JSON Schema that a Standard Schema says of itself. */
function convert(schema: StandardSchemaV1): JsonSchema {
  const { vendor } = schema["~standard"];
  const { jsonSchema } = schema["~standard"] as { jsonSchema?: { input?: unknown } };
  const convertInput = jsonSchema?.input;
  if (typeof convertInput !== "function") {
    throw invalid(
      `a schema of ${vendor} does not say itself as JSON Schema; ${
        vendor === "valibot" ? "wrap it in toStandardJsonSchema() of @valibot/to-json-schema, or " : ""
      }write input: { schema, jsonSchema } with the JSON Schema beside it`,
    );
  }
  try {
    return convertInput.call(jsonSchema, { target: "draft-2020-12" }) as JsonSchema;
  } catch (error) {
    throw invalid(
      `${vendor} cannot say it as JSON Schema (${shortly(error)}); use types that JSON has, or write input: { schema, jsonSchema } with the JSON Schema beside it`,
      error,
    );
  }
}

/** Arguments are always an object, so a schema that allows none can never be met. */
function objectSchema(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) throw invalid("its JSON Schema is not an object");
  if ((typesOf(schema, schema) & object) === 0) {
    throw invalid("arguments are always an object, and it allows none; put the value into a field of an object");
  }
  return schema;
}

/** A schema of any type. */
function anySchema(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) throw invalid("its JSON Schema is not an object");
  return schema;
}

type Check = (schema: JsonSchema) => JsonSchema;

function standardInput(schema: StandardSchemaV1, check: Check, given?: JsonSchema): CompiledInput {
  let made: JsonSchema | undefined;
  return {
    runsCode: true,
    get jsonSchema() {
      made ??= check(given ?? convert(schema));
      return made;
    },
    validate: (value) => validateStandard(schema, value),
  };
}

function rawInput(schema: JsonSchema, check: Check): CompiledInput {
  let raw: RawSchema | undefined;
  const ready = (): RawSchema => {
    if (raw !== undefined) return raw;
    const made = compileRaw(schema);
    if ("problem" in made) throw invalid(made.problem);
    check(made.jsonSchema);
    raw = made;
    return made;
  };
  return {
    runsCode: false,
    get jsonSchema() {
      return ready().jsonSchema;
    },
    get problem() {
      if (raw !== undefined || !looksLikeSchema(schema)) return undefined;
      try {
        void ready();
      } catch (error) {
        return thrownMessage(error);
      }
      return undefined;
    },
    validate(value) {
      const { validate } = ready();
      try {
        return validate(value);
      } catch (error) {
        return failed(error);
      }
    },
  };
}

const noArguments: CompiledInput = {
  runsCode: false,
  jsonSchema: Object.freeze({ type: "object", properties: Object.freeze({}) }),
  validate: (value) => (isRecord(value) ? { value } : { issues: [{ path: "", message: "must be object" }] }),
};

/** A raw schema of null is how some servers say that a tool takes no arguments. */
function compile(input: ToolInput, check: Check): CompiledInput {
  if (isStandard(input)) return standardInput(input, check);
  if (!isRecord(input)) {
    const got = input === null ? "null" : Array.isArray(input) ? "an array" : `a ${typeof input}`;
    throw invalid(`${got} is no schema; give a Standard Schema such as z.object({ … }), or a JSON Schema object`);
  }
  if (isStandard(input.schema)) {
    if (!isRecord(input.jsonSchema))
      throw invalid("with { schema, jsonSchema } the latter must be a JSON Schema object");
    return standardInput(input.schema, check, input.jsonSchema as JsonSchema);
  }
  const field = Object.keys(input).find((key) => isStandard(input[key as keyof typeof input]));
  if (field !== undefined) {
    throw invalid(
      `it is a plain object whose field "${field}" is a schema; wrap it, such as z.object({ ${field}: … })`,
    );
  }
  if (check === objectSchema && (input as JsonSchema).type === "null") return noArguments;
  return rawInput(input as JsonSchema, check);
}

const compiled = new WeakMap<object, CompiledInput>();

/**
 * Makes the input of a tool ready; the same object gives the same result, made once. Throws `invalid_tool` at once for
 * what is no schema at all, and on first use for a schema that turns out to be unusable.
 */
export function compileInput(input: ToolInput | undefined): CompiledInput {
  if (input === undefined) return noArguments;
  let made = compiled.get(input);
  if (made === undefined) {
    made = compile(input, objectSchema);
    compiled.set(input, made);
  }
  return made;
}

/** Makes a schema of any type ready, such as that of a structured result; throws as {@link compileInput} does. */
export function compileAny(schema: ToolInput): CompiledInput {
  return compile(schema, anySchema);
}
