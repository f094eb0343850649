import { RondoError } from "../error.ts";
import { coerceAny } from "../menu/coerce.ts";
import type { Issue } from "../menu/issue.ts";
import { type CompiledInput, compileAny } from "../menu/schema.ts";
import { array, object, string, typesOf } from "../menu/schema-types.ts";
import type { ToolInput } from "../menu/tool.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { jsonIn } from "./json-in-text.ts";
import { brokenText } from "./parse.ts";
import { spellings, unfenced } from "./unwrap.ts";

/** A structured result that is wanted: how it is checked and how the model is asked for it. */
export type Output = CompiledInput & { readonly prompt: string };

/** The value of a reply, or why it has none, in words for the model. */
export type JudgedOutput =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly reason: string };

/**
 * Makes an `output` ready. Its schema may be of any type, not only an object.
 *
 * @throws RondoError `invalid_option` for what is no schema
 */
export function compileOutput(schema: ToolInput): Output {
  try {
    const input = compileAny(schema);
    const { jsonSchema, runsCode } = input;
    return {
      jsonSchema,
      runsCode,
      validate: (value) => input.validate(value),
      prompt: `Work as long as you need. Your final reply must be one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(jsonSchema)}`,
    };
  } catch (error) {
    throw new RondoError("invalid_option", `"output": ${thrownMessage(error)}`, { cause: error });
  }
}

/**
 * Reads the structured result of a reply: the whole text as JSON, else the last piece of JSON in it that fits, else, where
 * a text is wanted, the text itself, else a value that stands alone in a fence or in emphasis. What fits after repairs
 * without loss fits. Never throws for what the reply is.
 */
export async function judgeOutput(output: Output, message: AssistantMessage): Promise<JudgedOutput> {
  const text = textOf(message).trim();
  const { values, broken } = pieces(text);
  let issues: readonly Issue[] | undefined;
  for (const candidate of [...values, ...plain(text, output)]) {
    const read = await fitted(output, candidate);
    if ("value" in read) return { valid: true, value: read.value };
    issues ??= read.issues;
  }
  const problem = issues ? told(issues) : (broken ?? "it holds no JSON.");
  return { valid: false, reason: `${problem}\n\n${output.prompt}\n` };
}

/** Pieces of JSON that are tried, from the last on. */
const mostTried = 20;

/** The JSON of a reply, the likeliest first, and what is wrong with the last piece that is broken. */
function pieces(text: string): { readonly values: readonly unknown[]; readonly broken?: string } {
  const whole = parsed(unfenced(text));
  if (whole !== undefined) return { values: [whole] };
  const all = jsonIn(text, true);
  const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const last = all.findLast(({ value }) => value === undefined);
  return {
    values: values.toReversed().slice(0, mostTried),
    ...(last && { broken: brokenText(text.slice(last.start, last.end)) }),
  };
}

/** What may be a value that is no object or array: the text itself, and what it holds when nothing else is in it. */
function plain(text: string, { jsonSchema }: Output): unknown[] {
  const types = typesOf(jsonSchema, jsonSchema);
  if (text === "" || (types & ~(object | array)) === 0) return [];
  const inFence = /```[^\n`]*\n([^`]*)```/.exec(text)?.[1]?.trim();
  const alone = [...spellings(text), ...(inFence === undefined || inFence === "" ? [] : [inFence])];
  const scalars = alone.map(parsed).filter((value) => typeof value !== "object" && value !== undefined);
  return (types & string) !== 0 ? [...alone, ...scalars] : scalars;
}

/** A value as JSON; undefined for what is none, or nests deeper than anything that is read. */
function parsed(text: string): unknown {
  if (/^[{[]/.test(text.trim())) {
    const [only] = jsonIn(text, true);
    return only && text.slice(0, only.start).trim() === "" && text.slice(only.end).trim() === ""
      ? only.value
      : undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fit = { readonly value: unknown } | { readonly issues: readonly Issue[] };

async function fitted(output: Output, given: unknown): Promise<Fit> {
  const first = await output.validate(given);
  if (first.issues === undefined) return { value: first.value };
  const { value, repairs } = coerceAny(output.jsonSchema, given);
  if (repairs === 0) return { issues: first.issues };
  const second = await output.validate(value);
  return second.issues === undefined ? { value: second.value } : { issues: first.issues };
}

function told(issues: readonly Issue[]): string {
  const line = ({ path, message }: Issue) =>
    `- ${path.slice(0, 200) || "(the whole value)"}: ${message.replace(/\s+/g, " ").slice(0, 300)}`;
  const lines = issues.slice(0, 20).map(line);
  return ["it does not fit the schema:", ...lines].join("\n");
}
