import { type Dialect, dialects } from "../schema/dialect.ts";
import type { LanguageModel } from "./language-model.ts";

/** Which dialect of JSON Schema a model takes, by its provider's name and its own; the first row that fits. */
const rows: readonly { readonly provider: RegExp; readonly model?: RegExp; readonly dialect: Dialect }[] = [
  { provider: /anthropic/, dialect: dialects.anthropic },
  { provider: /^(amazon-bedrock|google|vertex)/, model: /claude|anthropic/, dialect: dialects.anthropic },
  { provider: /^amazon-bedrock/, dialect: dialects.bedrock },
  { provider: /^google|vertex/, dialect: dialects.gemini },
  { provider: /^(openai|azure)([.-]|$)/, dialect: dialects.openai },
  { provider: /^ollama/, dialect: dialects.ollama },
];

/** A model that no row knows is taken for a server of unknown make. */
export function dialectOf({ provider, modelId }: Pick<LanguageModel, "provider" | "modelId">): Dialect {
  const row = rows.find((one) => one.provider.test(provider) && one.model?.test(modelId) !== false);
  return row?.dialect ?? dialects.compatible;
}
