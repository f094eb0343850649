import { RondoError } from "../../error.ts";
import type { ModelRequest } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import { withOptions } from "./provider-options.ts";

/**
 * Whether the provider keeps its replies, and the request that says so. OpenAI keeps them by default, and then its package
 * sends references where the history has content: those fail with another account or server, after a while, and where
 * nothing may be kept. So replies are not stored, and reasoning comes and goes encrypted, unless the caller says `store`
 * or begins behind a response that the server has, which needs it.
 *
 * @throws RondoError `invalid_option` for a `conversation`, to which every round would add what it has already
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
  if (typeof conversation === "string") {
    throw new RondoError(
      "invalid_option",
      `providerOptions.${key}.conversation makes the server add every request to what it has, but each request of a run holds the whole history: leave it out, and give earlier messages by the option \`messages\`.`,
    );
  }
  if (typeof store === "boolean") return { stored: store, request };
  if (typeof previousResponseId === "string") return { stored: true, request };
  return { stored: false, request: { ...request, providerOptions: withOptions(given, { [key]: { store: false } }) } };
}
