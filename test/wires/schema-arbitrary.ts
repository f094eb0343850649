import fc from "fast-check";

type Schema = boolean | { readonly [key: string]: unknown };

const names = fc.constantFrom("a", "b", "c", "type", "properties", "$ref", "__proto__");
const texts = fc.constantFrom("", "x", "xy", "2020-01-01", "a@b.c");
const numbers = fc.constantFrom(-1, 0, 1, 1.5, 2, 3);
const counts = fc.integer({ min: 0, max: 3 });

/** Small values of any kind, so that many fit by chance. */
export const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    texts,
    numbers,
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  map: mapOf(tie("value")),
})).value;

/** Arguments. */
export const objects: fc.Arbitrary<unknown> = mapOf(values);

function mapOf<T>(value: fc.Arbitrary<T>): fc.Arbitrary<{ [key: string]: T }> {
  return fc.array(fc.tuple(names, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

const some = (record: { [key: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<{ [key: string]: unknown }> =>
  fc.record(record, { requiredKeys: [] });

const annotations = {
  description: texts,
  title: texts,
  default: values,
  examples: fc.array(values, { maxLength: 2 }),
  $comment: texts,
  readOnly: fc.boolean(),
  deprecated: fc.boolean(),
};

const pattern = fc.constantFrom("^x", "y$", "^[a-c]$", "(?=x)", "\\p{L}");

/** A family of keywords, with its type in front unless `typeless`. */
const ofType = (
  type: string | readonly string[],
  record: { [key: string]: fc.Arbitrary<unknown> },
  typeless: boolean,
) => {
  const family = some({ ...record, ...annotations });
  const typed = family.map((keywords) => ({ type, ...keywords }));
  return typeless ? fc.oneof(typed, family) : typed;
};

/**
 * Schemas with every keyword of the drafts. `typeless`: keywords may also stand without the type that they speak of. `refs`
 * name definitions.
 */
export function schemas({
  typeless,
  refs,
}: {
  readonly typeless: boolean;
  readonly refs: readonly string[];
}): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema; list: unknown; object: unknown; any: unknown; union: unknown }>((tie) => {
    const sub = tie("schema");
    const maps = mapOf(sub);
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: "small", withCrossShrink: true },
        {
          weight: 3,
          arbitrary: ofType(
            "string",
            {
              minLength: counts,
              maxLength: counts,
              pattern,
              format: fc.constantFrom("uri", "email", "date", "custom"),
            },
            typeless,
          ),
        },
        {
          weight: 3,
          arbitrary: ofType(
            "number",
            {
              minimum: numbers,
              maximum: numbers,
              exclusiveMinimum: numbers,
              exclusiveMaximum: numbers,
              multipleOf: fc.constantFrom(1, 2, 0.5),
            },
            typeless,
          ),
        },
        {
          weight: 2,
          arbitrary: ofType(
            "integer",
            {
              exclusiveMinimum: numbers,
              exclusiveMaximum: numbers,
              enum: fc.array(numbers, { minLength: 1, maxLength: 3 }),
            },
            typeless,
          ),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Schema>(
            true,
            false,
            {},
            { type: "null" },
            { type: "boolean" },
            { type: ["string", "null"] },
            { type: ["object", "array", "number"] },
          ),
        },
        { weight: 1, arbitrary: some({ enum: fc.array(values, { minLength: 1, maxLength: 4 }), ...annotations }) },
        { weight: 1, arbitrary: fc.record({ const: values }) },
        { weight: 1, arbitrary: fc.constantFrom(...refs.map(($ref) => ({ $ref })), {}) },
        { weight: 4, arbitrary: tie("object") as fc.Arbitrary<Schema> },
        { weight: 3, arbitrary: tie("list") as fc.Arbitrary<Schema> },
        { weight: 4, arbitrary: tie("union") as fc.Arbitrary<Schema> },
      ),
      object: ofType(
        "object",
        {
          properties: maps,
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: sub,
          patternProperties: fc.dictionary(fc.constantFrom("^a", "^[bc]$", "o"), sub, { maxKeys: 2 }),
          propertyNames: some({ pattern, minLength: counts }).map((rules) => ({ type: "string", ...rules })),
          minProperties: counts,
          maxProperties: counts,
          dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), fc.uniqueArray(names, { maxLength: 2 }), {
            maxKeys: 2,
          }),
          dependentSchemas: fc.dictionary(fc.constantFrom("a", "b"), sub, { maxKeys: 1 }),
          dependencies: fc.dictionary(
            fc.constantFrom("a", "b"),
            fc.oneof(sub, fc.uniqueArray(names, { maxLength: 2 })),
            { maxKeys: 1 },
          ),
          unevaluatedProperties: fc.constantFrom<Schema>(false, { type: "string" }),
          anyOf: fc.array(
            ofType("object", { required: fc.uniqueArray(names, { maxLength: 2 }), properties: maps }, typeless),
            { minLength: 1, maxLength: 2 },
          ),
          allOf: fc.array(sub, { maxLength: 2 }),
          if: sub,
          // biome-ignore lint/suspicious/noThenProperty: the keyword
          then: sub,
          else: sub,
        },
        typeless,
      ),
      list: ofType(
        "array",
        {
          items: fc.oneof(sub, fc.array(sub, { maxLength: 2 })),
          additionalItems: sub,
          prefixItems: fc.array(sub, { maxLength: 2 }),
          minItems: counts,
          maxItems: counts,
          uniqueItems: fc.boolean(),
          contains: sub,
          minContains: counts,
          maxContains: counts,
          unevaluatedItems: fc.constantFrom<Schema>(false, { type: "string" }),
          allOf: fc.array(tie("list"), { maxLength: 2 }),
        },
        typeless,
      ),
      union: fc.oneof(
        fc.record({ anyOf: fc.array(sub, { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(sub, { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(sub, { minLength: 1, maxLength: 3 }) }),
        fc.record({
          anyOf: fc.array(sub, { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(sub, { minLength: 1, maxLength: 2 }),
        }),
        fc.record({ not: sub, anyOf: fc.array(sub, { minLength: 1, maxLength: 2 }) }),
        fc.record({ $ref: fc.constantFrom(...refs), anyOf: fc.array(sub, { minLength: 1, maxLength: 2 }) }),
      ),
    } as never;
  }).schema;
}

/** Schemas of arguments: an object, with definitions that hold each other, in the words of any draft. */
export function argumentSchemas(options: { readonly typeless: boolean }): fc.Arbitrary<{ [key: string]: unknown }> {
  const refs = ["#/$defs/a", "#/$defs/b", "#/definitions/c", "#"];
  const schema = schemas({ ...options, refs });
  const body = fc.record({
    properties: mapOf(schema),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    $defs: fc.record({ a: schema, b: schema }),
    definitions: fc.record({ c: schema }),
  });
  const more = some({
    additionalProperties: schema,
    allOf: fc.array(schema, { maxLength: 2 }),
    not: schema,
    description: texts,
    $schema: fc.constantFrom(
      ...["draft-04/schema#", "draft-07/schema#", "draft/2019-09/schema", "draft/2020-12/schema"].map(
        (draft) => `https://json-schema.org/${draft}`,
      ),
    ),
  });
  return fc.tuple(body, more).map(([own, others]) => ({ type: "object", ...own, ...others }));
}
