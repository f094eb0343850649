import type { JsonObject } from "../../message/json.ts";

/** Provider options by provider name. */
export type ProviderOptions = { readonly [provider: string]: JsonObject };

/** The caller's options with these beside them; the caller's win. */
export function withOptions(given: ProviderOptions, added: ProviderOptions): ProviderOptions {
  const merged: Record<string, JsonObject> = { ...given };
  for (const [provider, fields] of Object.entries(added)) merged[provider] = { ...fields, ...given[provider] };
  return merged;
}
