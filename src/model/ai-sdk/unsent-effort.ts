import type { Call, Warning } from "./call-options.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * The package for OpenAI's Responses leaves an effort out without a word where it does not know the model as one that reasons: an
 * older one, or any deployment of Azure's under a name of its own. Its body tells.
 */
export function unsentEffort(model: LanguageModel, { options }: Call, body: unknown): Warning | undefined {
  const { reasoning: effort } = options;
  if (effort === undefined || effort === "none" || !/^(openai|azure)\.responses$/.test(model.provider))
    return undefined;
  if (typeof body !== "object" || body === null || "reasoning" in body) return undefined;
  const own = model.provider.slice(0, model.provider.indexOf("."));
  const message = `The effort was not sent: the package for ${model.provider} does not know ${JSON.stringify(model.modelId)} as a model that reasons. If it does, set providerOptions: { ${own}: { forceReasoning: true } }.`;
  return { type: "warning", code: "effort", message };
}
