import { RondoError } from "../error.ts";
import { type MenuTool, menuTool, type OwnEntry } from "../menu/entry.ts";
import { type CompiledInput, compileInput } from "../menu/schema.ts";
import { isRecord } from "../menu/schema-types.ts";
import type { ToolInput } from "../menu/tool.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import type { JsonSchema } from "../model/model.ts";
import { fieldsOf } from "./fields.ts";
import { type Choice, type Choices, optionKind, type SchemaOption, type ValueOption } from "./option.ts";
import { renderMenu } from "./render.ts";

/** One thing that can be decided, ready to be told and taken. */
export type Entry = { readonly name: string; readonly description: string } & (
  | { readonly kind: "function"; readonly tool: MenuTool }
  | { readonly kind: "value"; readonly value: unknown }
  | {
      readonly kind: "schema";
      readonly input: CompiledInput;
      /** The only fields that count; absent where the schema sees to that itself. */
      readonly declared?: ReadonlySet<string>;
    }
);

/** An option that is a function. */
export type FunctionEntry = Extract<Entry, { kind: "function" }>;

/** What can be decided, and how the model is told of it. */
export type Decision = {
  readonly entries: readonly Entry[];
  /** Functions that are options but may not be picked, and why: the model is not told of them. */
  readonly withheld: readonly { readonly entry: FunctionEntry; readonly reason: string }[];
  readonly menu: string;
  /** An option may be picked by its number in the menu: not where an option has a number for its name. */
  readonly numbered: boolean;
};

const mistake = (message: string, cause?: unknown) => new RondoError("invalid_option", message, { cause });

/**
 * Makes choices ready. `barred` says why a function may not be picked; undefined: it may.
 *
 * @throws RondoError `invalid_option`, naming the option, for what cannot be picked: none at all or none that may be, two
 * of one name, a function without a schema, a schema that is none
 */
export function compileChoices(
  choices: Choices,
  barred: (entry: FunctionEntry) => string | undefined = () => undefined,
): Decision {
  if (!isPlain(choices)) {
    throw mistake('"choices" must be an object such as { refund: this.refund, escalate: "ESCALATE" }, or a list.');
  }
  const all = Array.isArray(choices)
    ? Array.from(choices as readonly Choice[], (choice, i) => entryOf(undefined, choice, `choices[${i}]`))
    : Object.entries(choices).map(([name, choice]) => entryOf(name, choice, `choices.${name}`));
  if (all.length === 0) throw mistake('"choices" is empty: there has to be something to decide.');
  const seen = new Set<string>();
  for (const { name } of all) {
    if (name.trim() === "") throw mistake('"choices": an option has an empty name.');
    if (seen.has(name)) throw mistake(`"choices": two options have the name "${name}".`);
    seen.add(name);
  }
  const withheld = all.flatMap((entry) => {
    const reason = entry.kind === "function" ? barred(entry) : undefined;
    return entry.kind === "function" && reason !== undefined ? [{ entry, reason }] : [];
  });
  const entries = all.filter((entry) => !withheld.some((one) => one.entry === entry));
  if (entries.length === 0) {
    const why = withheld.map(({ entry, reason }) => `"${entry.name}": ${reason}`).join("; ");
    throw mistake(`"choices": none of the options may be picked here (${why}).`);
  }
  const numbered = !entries.some(({ name }) => /^\d+$/.test(name.normalize("NFKC").trim()));
  return { entries, withheld, numbered, menu: renderMenu(entries, numbered) };
}

/** A list or an object literal; a Map, say, has no fields. */
function isPlain(choices: unknown): choices is object {
  if (typeof choices !== "object" || choices === null || Array.isArray(choices)) return Array.isArray(choices);
  const prototype: unknown = Object.getPrototypeOf(choices);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function entryOf(key: string | undefined, choice: Choice, where: string): Entry {
  const kind = optionKind(choice);
  if (kind) return optionEntry(key, choice as ValueOption | SchemaOption, kind, where);
  if (typeof choice === "number" && !Number.isFinite(choice))
    throw mistake(`"${where}": ${choice} is no value that JSON has.`);
  if (choice === null || ["string", "number", "boolean"].includes(typeof choice)) {
    return { kind: "value", name: key ?? String(choice), description: "", value: choice };
  }
  if (holdsSchema(choice)) {
    throw mistake(`"${where}" is a schema: write option.schema(…) around it.`);
  }
  if (typeof choice === "function" && !("spec" in choice)) {
    throw mistake(
      `"${where}" is a plain function, which the model cannot be told about: make it a method (this.method({ … }, fn)) or a tool({ … }).`,
    );
  }
  return functionEntry(key, choice as OwnEntry, where);
}

function functionEntry(key: string | undefined, choice: OwnEntry, where: string): Entry {
  try {
    const tool = menuTool(choice, where);
    // Asked for here, so that a schema that cannot be used is found at once.
    void tool.declaration;
    return { kind: "function", name: key ?? tool.name, description: tool.description, tool };
  } catch (error) {
    if (!RondoError.isInstance(error)) throw error;
    throw mistake(
      `${error.message} An option is a method or tool, a text, number, boolean or null, option.value(…) or option.schema(…).`,
      error,
    );
  }
}

function optionEntry(
  key: string | undefined,
  made: ValueOption | SchemaOption,
  kind: "value" | "schema",
  where: string,
): Entry {
  const name = key ?? made.name;
  if (name === undefined) {
    throw mistake(`"${where}" needs a name: option.${kind}(…, { name: "…" }), or give the choices as an object.`);
  }
  if (typeof name !== "string") throw mistake(`"${where}": the name of an option is a text, not ${typeof name}.`);
  const description = made.description ?? "";
  if (typeof description !== "string")
    throw mistake(`"${where}": its description is a text, not ${typeof description}.`);
  if (kind === "value") return { kind, name, description, value: (made as ValueOption).value };
  const { schema } = made as SchemaOption;
  const input = schemaOf(schema, where);
  const fields = Object.keys(isRecord(input.jsonSchema.properties) ? input.jsonSchema.properties : {});
  if (fieldsOf(input.jsonSchema).names.has("decision")) {
    throw mistake(`"${where}" has a field "decision", which is where the name of the option goes; call it otherwise.`);
  }
  return { kind, name, description, input, ...(leavesFieldsOpen(schema) && { declared: new Set(fields) }) };
}

const holdsSchema = (value: unknown): boolean =>
  ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;

/** Keywords by which a JSON Schema speaks of more fields than its `properties`. */
const speaksOfOthers = ["additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"];
for (const key of ["$ref", "allOf", "anyOf", "oneOf", "if"]) speaksOfOthers.push(key);

/** A raw JSON Schema that lists fields and does not say what others mean: those are left out of what is decided. */
function leavesFieldsOpen(schema: ToolInput): boolean {
  if (holdsSchema(schema) || ("schema" in schema && holdsSchema(schema.schema))) return false;
  const raw = schema as JsonSchema;
  return isRecord(raw.properties) && !speaksOfOthers.some((key) => key in raw);
}

function schemaOf(schema: ToolInput, where: string): CompiledInput {
  try {
    if (schema === undefined || schema === null) throw mistake("there is none");
    const input = compileInput(schema);
    void input.jsonSchema;
    return input;
  } catch (error) {
    throw mistake(`"${where}": its schema cannot be used: ${thrownMessage(error)}`, error);
  }
}
