import type { ModelRequest } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import { withOptions } from "./provider-options.ts";

/**
 * Whether the provider keeps its replies, and the request that says so. OpenAI keeps them by default, and then its package
 * sends references where the history has content: those fail with another account or server, after a while, and where
 * nothing may be kept. So replies are not stored, and reasoning comes and goes encrypted, unless the caller says `store`
 * or chains requests on the server, which needs it.
 */
export function storing(
  model: LanguageModel,
  request: ModelRequest,
): { readonly stored: boolean; readonly request: ModelRequest } {
  if (!/^(openai|azure)\.responses$/.test(model.provider)) return { stored: false, request };
  const given = request.providerOptions ?? {};
  // Options under `azure` hide those under `openai`.
  const isAzure = model.provider.startsWith("azure") && (given.azure !== undefined || given.openai === undefined);
  const key = isAzure ? "azure" : "openai";
  const { store, previousResponseId, conversation } = given[key] ?? {};
  if (typeof store === "boolean") return { stored: store, request };
  if (typeof previousResponseId === "string" || typeof conversation === "string") return { stored: true, request };
  return { stored: false, request: { ...request, providerOptions: withOptions(given, { [key]: { store: false } }) } };
}
