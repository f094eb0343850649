type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Schema = { readonly [key: string]: Json };

/** What one provider refuses in the schema of a tool, written down apart from what makes schemas acceptable. */
export type Rules = {
  /** Refused wherever they stand. */
  readonly refused: readonly string[];
  /** Refused at the root as well; or all but these. */
  readonly rootRefused?: readonly string[];
  readonly rootOnly?: readonly string[];
  /** Every schema says its type, or is a union or a reference. */
  readonly typed?: true;
  /** `type` is one word. */
  readonly oneType?: true;
  /** Nothing that rules stands beside `anyOf`. */
  readonly unionAlone?: true;
  /** `enum` holds texts that are not empty, beside type string. */
  readonly textEnums?: true;
  readonly arraysNeedItems?: true;
  readonly formats?: readonly string[];
  readonly argumentNames?: RegExp;
};

const drafts = [
  "$schema",
  "$id",
  "id",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$recursiveRef",
  "$comment",
  "definitions",
];
const rare = [
  ...["oneOf", "allOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames"],
  ...["patternProperties", "dependencies", "dependentSchemas", "dependentRequired", "unevaluatedProperties"],
  ...[
    "unevaluatedItems",
    "additionalItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "prefixItems",
    "examples",
  ],
  ...["nullable", "readOnly", "writeOnly", "deprecated", "contentEncoding", "contentMediaType"],
];
const combined = ["oneOf", "anyOf", "allOf", "enum", "not", "const", "$ref"];
const commonFormats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const oneByOne = { typed: true, oneType: true, unionAlone: true, arraysNeedItems: true } as const;

export const rules = {
  openai: {
    refused: [...drafts, ...rare],
    rootRefused: combined,
    typed: true,
    unionAlone: true,
    arraysNeedItems: true,
    formats: commonFormats,
  },
  anthropic: {
    refused: [...drafts, "dependencies", "additionalItems", "nullable"],
    rootRefused: combined,
    argumentNames: /^[a-zA-Z0-9_.-]{1,64}$/,
  },
  gemini: {
    // In the field that takes JSON Schema; the older one refuses additionalProperties, too.
    refused: [
      ...drafts,
      ...rare,
      ...["$ref", "$defs", "const", "default", "exclusiveMinimum", "exclusiveMaximum"],
      ...["multipleOf", "pattern", "minLength", "maxLength"],
    ],
    rootRefused: combined,
    ...oneByOne,
    textEnums: true,
    formats: ["date-time"],
  },
  bedrock: {
    refused: [...drafts, ...rare, "$ref", "$defs", "const", "additionalProperties"],
    rootOnly: ["type", "properties", "required"],
    ...oneByOne,
    formats: commonFormats,
  },
  compatible: {
    refused: [...drafts, ...rare, "$ref", "$defs", "const", "pattern"],
    rootRefused: combined,
    ...oneByOne,
    formats: ["date-time", "time", "date", "uuid"],
  },
  ollama: {
    refused: [...drafts, ...rare, "$ref", "$defs", "const", "pattern"],
    rootRefused: combined,
    ...oneByOne,
  },
} satisfies { readonly [name: string]: Rules };

const singles = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const lists = ["anyOf", "oneOf", "prefixItems"];
const maps = ["properties", "$defs", "dependentSchemas"];
const types = ["string", "number", "integer", "boolean", "object", "array", "null"];
const besideUnion = ["anyOf", "description", "title", "default", "$notes"];

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a provider with these rules would refuse about a schema of arguments, each with its place. */
export function problemsOf(given: unknown, { rootRefused = [], rootOnly, argumentNames, ...rules }: Rules): string[] {
  if (!isSchema(given)) return ["#: is no object"];
  const problems: string[] = [];
  if (given.type !== "object") problems.push("#: type is not object");
  if (!isSchema(given.properties)) problems.push("#: has no properties");
  for (const key of Object.keys(given)) {
    if (rootRefused.includes(key) || (rootOnly !== undefined && !rootOnly.includes(key))) problems.push(`#: ${key}`);
  }
  for (const name of Object.keys(given.properties ?? {})) {
    if (argumentNames?.test(name) === false) problems.push(`#/properties: the name ${name}`);
  }
  const open: [Json, string][] = [[given, "#"]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, at] = next;
    if (!isSchema(schema)) {
      problems.push(`${at}: ${JSON.stringify(schema)} is no schema`);
      continue;
    }
    problems.push(...own(schema, at, given, rules));
    for (const key of singles) {
      if (schema[key] === undefined || (key === "additionalProperties" && typeof schema[key] === "boolean")) continue;
      open.push([schema[key], `${at}/${key}`]);
    }
    for (const key of lists)
      for (const [index, one] of listOf(schema[key]).entries()) open.push([one, `${at}/${key}/${index}`]);
    for (const key of maps)
      for (const [name, one] of Object.entries(schema[key] ?? {})) open.push([one, `${at}/${key}/${name}`]);
  }
  return problems;
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function own(
  schema: Schema,
  at: string,
  root: Schema,
  rules: Omit<Rules, "rootRefused" | "rootOnly" | "argumentNames">,
): string[] {
  const problems = Object.keys(schema).filter((key) => rules.refused.includes(key) || key.startsWith("$notes"));
  const { type, enum: values, format, required } = schema;
  const said = Array.isArray(type) ? type : [type];
  if (type !== undefined && !said.every((one) => types.includes(String(one))))
    problems.push(`type ${JSON.stringify(type)}`);
  if (rules.oneType && Array.isArray(type)) problems.push("several types");
  if (rules.typed && type === undefined && schema.anyOf === undefined && schema.$ref === undefined)
    problems.push("no type");
  if (rules.unionAlone && schema.anyOf !== undefined) {
    problems.push(
      ...Object.keys(schema)
        .filter((key) => !besideUnion.includes(key))
        .map((key) => `${key} beside anyOf`),
    );
  }
  if (
    schema.$ref !== undefined &&
    !Object.hasOwn(isSchema(root.$defs) ? root.$defs : {}, String(schema.$ref).replace("#/$defs/", ""))
  ) {
    problems.push(`$ref ${schema.$ref} leads nowhere`);
  }
  if (values !== undefined && listOf(values).length === 0) problems.push("enum of nothing");
  if (rules.textEnums && listOf(values).some((one) => typeof one !== "string" || one === ""))
    problems.push("enum of other than texts");
  if (rules.textEnums && values !== undefined && type !== "string") problems.push("enum without type string");
  if (rules.arraysNeedItems && said.includes("array") && schema.items === undefined)
    problems.push("array without items");
  if (rules.formats !== undefined && format !== undefined && !rules.formats.includes(String(format)))
    problems.push(`format ${format}`);
  for (const key of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"]) {
    if (schema[key] !== undefined && typeof schema[key] !== "number") problems.push(`${key} is no number`);
  }
  for (const name of listOf(required)) {
    if (isSchema(schema.properties) && !Object.hasOwn(schema.properties, String(name)))
      problems.push(`required ${name} is no property`);
  }
  if (schema.description !== undefined && typeof schema.description !== "string")
    problems.push("description is no text");
  return problems.map((problem) => `${at}: ${problem}`);
}
