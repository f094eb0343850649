/**
 * What one provider takes as the schema of a tool's arguments, when it is not asked to enforce it. Where nobody has
 * written down what a provider takes, a row holds only what it surely does.
 */
export type Dialect = {
  readonly name: string;
  /** Keywords that it takes below the root. What is missing is put in other words, or told in the description. */
  readonly keywords: ReadonlySet<string>;
  /** Those that it takes at the root. */
  readonly root: ReadonlySet<string>;
  /** Values of `format` that it takes; "any": it does not look. */
  readonly formats: "any" | ReadonlySet<string>;
  /** Every schema has to say its type. */
  readonly typed: boolean;
  /** `type` may be a list of types. */
  readonly typeLists: boolean;
  /** `anyOf` may have other rules beside it. */
  readonly unionBeside: boolean;
  /** Values of `enum` that are no texts. */
  readonly anyEnum: boolean;
  /** `$ref` into `$defs`, which is needed for schemas that hold themselves. */
  readonly refs: boolean;
  /** An array has to say what is in it. */
  readonly itemsNeeded: boolean;
  /**
   * Fields that are not declared are filled in only where `additionalProperties` says that there may be any, so an object of free form has to
   * say so. What may not come empty is asked for as JSON text all the same, as gateways and older packages leave the word out.
   */
  readonly closedObjects?: true;
  /** How deep schemas may stand in each other; deeper ones are shown open. */
  readonly depth: number;
  /** What the names of the arguments themselves have to match. */
  readonly names?: RegExp;
  /** The largest number in `minLength`, `maxLength`, `minItems` and `maxItems`. */
  readonly count?: number;
};

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The formats that are in the specification of structured outputs of both OpenAI and Anthropic. */
const commonFormats = words("date-time time date duration email hostname ipv4 ipv6 uuid");

/**
 * Function parameters, `strict: false`. A root that is no object, or that holds oneOf, anyOf, allOf, enum or not, is refused
 * (error text in langchain-ai/langchainjs#9804, nspady/google-calendar-mcp#39); so is an array without items
 * (sigoden/aichat#1049, zed-industries/zed#47578) and a property without a type (1jehuang/jcode#713, with formats beyond the
 * list and uniqueItems). Else the keywords of the structured outputs guide (platform.openai.com/docs/guides/structured-outputs,
 * "supported schemas"), which has recursion through $defs, and lengths and defaults, which only strict mode refuses.
 */
const openai: Dialect = {
  name: "openai",
  keywords: words(`type properties required additionalProperties items enum const anyOf $ref description title default
    minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems`),
  root: words("type properties required additionalProperties description title $defs"),
  formats: commonFormats,
  typed: true,
  typeLists: true,
  unionBeside: false,
  anyEnum: true,
  refs: true,
  itemsNeeded: true,
  depth: 10,
};

/**
 * `input_schema` has to be an object by draft 2020-12 (error text in homeassistant-ai/ha-mcp#2361, Dokploy/mcp#74), without
 * oneOf, allOf, anyOf at the root (anthropics/claude-code#27337), and with argument names of 1 to 64 letters, digits, `_`,
 * `.` and `-` (anthropics/claude-code#79418), which is looked at for the arguments only, not inside them
 * (aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709).
 */
const anthropic: Dialect = {
  name: "anthropic",
  keywords:
    words(`type properties required additionalProperties items prefixItems enum const anyOf oneOf not if then else
    $ref description title default examples minLength maxLength pattern format minimum maximum exclusiveMinimum
    exclusiveMaximum multipleOf minItems maxItems uniqueItems contains minContains maxContains propertyNames minProperties
    maxProperties dependentRequired dependentSchemas`),
  root: words(`type properties required additionalProperties description title $defs propertyNames minProperties
    maxProperties dependentRequired`),
  formats: "any",
  typed: false,
  typeLists: true,
  unionBeside: true,
  anyEnum: true,
  refs: true,
  itemsNeeded: false,
  depth: 32,
  names: /^[a-zA-Z0-9_.-]{1,64}$/,
};

/**
 * `parametersJsonSchema`, which is what the package sends. The reference of the Gemini API lists what its JSON Schema fields
 * know (GenerationConfig.responseJsonSchema): type, format, title, description, enum, items, prefixItems, minItems, maxItems,
 * minimum, maximum, anyOf, oneOf as anyOf, properties, additionalProperties, required, and $ref, alone and cyclic only in
 * fields that are not required. Of these only those are sent that the older field takes as well, as gateways and older
 * models translate into it: only texts in enum (weave-os/router#65), one type, formats of hideya/langchain-mcp-tools-ts#36,
 * anyOf without anything beside it and $ref never (vercel/ai#19000, gemini-cli#13326). And additionalProperties where an object
 * is open, for one of free form comes back empty without it (livekit/agents#7170, #7312); false is what is meant without.
 * Nesting is limited (gemini-cli#5923, Portkey-AI/gateway#1616), by how much is not written down.
 */
const gemini: Dialect = {
  name: "gemini",
  keywords: words(
    "type properties required additionalProperties items enum anyOf description title format minimum maximum minItems maxItems",
  ),
  root: words("type properties required additionalProperties description title"),
  formats: words("date-time"),
  typed: true,
  typeLists: false,
  unionBeside: false,
  anyEnum: false,
  refs: false,
  itemsNeeded: true,
  closedObjects: true,
  depth: 8,
};

/**
 * Nova refuses a root with more than type, properties and required ("Troubleshooting tool calls" of its user guide;
 * "extraneous key [definitions]", zed-industries/zed#28521), and Bedrock any root that is no object
 * (aaif-goose/goose#5064). What stands below is not written down, so it is what its examples and the others have. Also for
 * Llama, Mistral and the others on Bedrock.
 */
const bedrock: Dialect = {
  name: "bedrock",
  keywords:
    words(`type properties required items enum anyOf description title default minLength maxLength pattern format
    minimum maximum minItems maxItems`),
  root: words("type properties required"),
  formats: commonFormats,
  typed: true,
  typeLists: false,
  unionBeside: false,
  anyEnum: true,
  refs: false,
  itemsNeeded: true,
  depth: 10,
};

/**
 * Servers of unknown make. llama.cpp turns every schema into a grammar, and one that it cannot turn fails the whole request:
 * patterns without anchors or nested ones (ggml-org/llama.cpp#26930, #25895), references into lists (#16790), high counts.
 * Chat templates of others read `type` as one word.
 */
const compatible: Dialect = {
  name: "compatible",
  keywords: words(`type properties required additionalProperties items enum anyOf description title default minLength
    maxLength format minimum maximum minItems maxItems`),
  root: words("type properties required additionalProperties description title"),
  formats: words("date-time time date uuid"),
  typed: true,
  typeLists: false,
  unionBeside: false,
  anyEnum: true,
  refs: false,
  itemsNeeded: true,
  depth: 10,
  count: 1_000,
};

/**
 * Ollama reads into fields of fixed types (ollama/ollama#10328: a list of types or properties as a list is an error) and
 * shows the model nothing but these (`ToolProperty` in its api/types.go), so the rest is told in the description.
 */
const ollama: Dialect = {
  name: "ollama",
  keywords: words("type properties required items enum anyOf description"),
  root: words("type properties required"),
  formats: words(""),
  typed: true,
  typeLists: false,
  unionBeside: false,
  anyEnum: true,
  refs: false,
  itemsNeeded: true,
  depth: 10,
};

export const dialects = { openai, anthropic, gemini, bedrock, compatible, ollama } as const;
