import { RondoError } from "../error.ts";
import { coerce } from "../menu/coerce.ts";
import type { Issue } from "../menu/issue.ts";
import { type CompiledInput, compileAny } from "../menu/schema.ts";
import type { ToolInput } from "../menu/tool.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import { jsonIn } from "./json-in-text.ts";

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
    const { jsonSchema } = input;
    return {
      jsonSchema,
      validate: (value) => input.validate(value),
      prompt: `Work as long as you need. Your final reply must be one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(jsonSchema)}`,
    };
  } catch (error) {
    throw new RondoError("invalid_option", `"output": ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Reads the structured result of a reply: the whole text as JSON, else the last piece of JSON in it that fits, else the
 * text itself where text is wanted. What fits after repairs without loss fits. Never throws for what the reply is.
 */
export async function judgeOutput(output: Output, message: AssistantMessage): Promise<JudgedOutput> {
  const text = textOf(message).trim();
  let issues: readonly Issue[] | undefined;
  for (const candidate of candidates(text)) {
    const read = await fitted(output, candidate);
    if ("value" in read) return { valid: true, value: read.value };
    issues ??= read.issues;
  }
  const { type } = output.jsonSchema;
  if (text !== "" && (type === undefined || type === "string" || (Array.isArray(type) && type.includes("string")))) {
    const read = await fitted(output, text);
    if ("value" in read) return { valid: true, value: read.value };
    issues ??= read.issues;
  }
  return { valid: false, reason: `${issues ? told(issues) : "it holds no JSON."}\n\n${output.prompt}\n` };
}

/** What may be the result, the likeliest first. */
function candidates(text: string): unknown[] {
  const whole = unfenced(text);
  try {
    return [JSON.parse(whole)];
  } catch {
    return jsonIn(text, true)
      .toReversed()
      .slice(0, 20)
      .map(({ value }) => value);
  }
}

/** The text without the fence around all of it. */
function unfenced(text: string): string {
  const first = text.indexOf("\n");
  if (first < 0 || !text.startsWith("```") || !text.endsWith("```")) return text;
  return text.slice(first + 1, -3);
}

type Fit = { readonly value: unknown } | { readonly issues: readonly Issue[] };

async function fitted(output: Output, given: unknown): Promise<Fit> {
  const first = await output.validate(given);
  if (first.issues === undefined) return { value: first.value };
  const { value, repairs } = coerce(output.jsonSchema, given);
  if (repairs === 0) return { issues: first.issues };
  const second = await output.validate(value);
  return second.issues === undefined ? { value: second.value } : { issues: first.issues };
}

function told(issues: readonly Issue[]): string {
  const lines = issues.slice(0, 20).map(({ path, message }) => `- ${path || "(the whole value)"}: ${message}`);
  return ["it does not fit the schema:", ...lines].join("\n");
}
