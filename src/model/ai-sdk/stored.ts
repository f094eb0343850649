import type { LanguageModel } from "./language-model.ts";
import { type ProviderOptions, withOptions } from "./parallel.ts";

/**
 * Whether the provider keeps its replies, and the options that say so. OpenAI keeps them by default, and then its package
 * sends references where the history has content: those fail with another account, behind a proxy, after 30 days and
 * where nothing may be kept. So replies are not stored, and reasoning comes and goes encrypted, unless the caller says
 * `store`, or chains requests on the server, which needs it.
 */
export function storing(
  model: LanguageModel,
  given: ProviderOptions | undefined,
): { readonly stored: boolean; readonly providerOptions: ProviderOptions | undefined } {
  if (!/^(openai|azure)\.responses$/.test(model.provider)) return { stored: false, providerOptions: given };
  // Options under `azure` hide those under `openai`.
  const azure = model.provider.startsWith("azure") && given?.openai === undefined;
  const key = azure || given?.azure !== undefined ? "azure" : "openai";
  const { store, previousResponseId, conversation } = given?.[key] ?? {};
  if (store !== undefined && store !== null) return { stored: store !== false, providerOptions: given };
  const chained = (previousResponseId ?? conversation ?? undefined) !== undefined;
  if (chained) return { stored: true, providerOptions: given };
  return { stored: false, providerOptions: withOptions(given ?? {}, { [key]: { store: false } }) };
}
