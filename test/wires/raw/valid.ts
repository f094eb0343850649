import type { GrammarName } from "./grammars.ts";
import { validAnthropic } from "./valid-anthropic.ts";
import { validBedrock } from "./valid-bedrock.ts";
import { validChat } from "./valid-chat.ts";
import { validGemini } from "./valid-gemini.ts";
import { type Body, parsed, type Validator } from "./valid-parts.ts";
import { validResponses } from "./valid-responses.ts";

const validators: { readonly [G in GrammarName]: Validator } = {
  anthropic: validAnthropic,
  bedrock: validBedrock,
  chat: validChat,
  gemini: validGemini,
  responses: validResponses,
};

/** What is wrong with a request, by its very bytes. */
export function refusals(grammar: GrammarName, text: string, who: string): string[] {
  const body = JSON.parse(text) as Body;
  return [...illFormed(body, "body"), ...validators[grammar](body, who)];
}

/** Lone surrogates, which strict parsers of JSON refuse, also in JSON that stands in a text. */
function illFormed(value: unknown, where: string): string[] {
  if (typeof value === "string") {
    if (/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/.test(value)) {
      return [`${where}: a lone surrogate`];
    }
    return /^\{.*\\ud[89a-f]/is.test(value) ? illFormed(parsed(value), `${where} (JSON)`) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [
    ...illFormed(key, `${where}: the key ${JSON.stringify(key)}`),
    ...illFormed(field, `${where}.${key}`),
  ]);
}
