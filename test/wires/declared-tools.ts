import { type Rules, rules } from "./schema-rules.ts";

/** One tool as a server received it. */
export type Received = {
  readonly name: string;
  readonly description?: string;
  readonly schema: Record<string, unknown>;
  readonly strict?: boolean;
};

type Body = Record<string, unknown>;

/** The tools of a request's body, wherever its provider keeps them. */
export function declaredIn(body: Body): readonly Received[] {
  const given = (body.tools ?? (body.toolConfig as Body | undefined)?.tools ?? []) as Body[];
  const list = given.flatMap((one) => (one.functionDeclarations as Body[] | undefined) ?? [one]);
  return list.map((one) => {
    const own = (one.function ?? one.toolSpec ?? one) as Body;
    const schema = own.parameters ?? own.input_schema ?? own.parametersJsonSchema ?? (own.inputSchema as Body).json;
    return { ...own, schema } as never;
  });
}

/** What the provider behind a wire of this name refuses in schemas. */
export function rulesOf(name: string): Rules {
  if (name === "Anthropic" || name === "Bedrock Claude") return rules.anthropic;
  if (name === "Gemini") return rules.gemini;
  if (name === "Bedrock") return rules.bedrock;
  if (name === "Ollama") return rules.ollama;
  return name === "OpenAI-compatible" ? rules.compatible : rules.openai;
}

/** A name of a tool that is legal on every wire. */
export const legalName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
