import type { LanguageModel } from "./ai-sdk/language-model.ts";
import { type Connection, defined, type Environment, type ProviderName } from "./providers.ts";
import { throughWire } from "./wire/notes.ts";
import { type Select, selected, selectInChat, selectInContents } from "./wire/selected-tools.ts";
import { frameFetch, type WireHooks, wireFetch } from "./wire/wire-fetch.ts";

type Open = (model: string, connection: Connection, env: Environment) => Promise<LanguageModel>;

const selecting = (select: Select): WireHooks => ({ request: (_, init) => selected(init, select) });

/** How a model of each provider is opened, with our `fetch` wherever its package takes one. */
export const openers: { readonly [name in ProviderName | "server"]: Open } = {
  anthropic: async (model, connection) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return throughWire(createAnthropic({ ...connection, fetch: wireFetch("anthropic") })(model));
  },
  openai: async (model, connection) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return throughWire(createOpenAI({ ...connection, fetch: wireFetch("responses") }).responses(model));
  },
  "openai-chat": async (model, connection) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const fetch = wireFetch("chat", selecting(selectInChat));
    return throughWire(createOpenAI({ ...connection, fetch }).chat(model));
  },
  azure: async (model, connection) => {
    const { createAzure } = await import("@ai-sdk/azure");
    return throughWire(createAzure({ ...connection, fetch: wireFetch("responses") }).responses(model));
  },
  "azure-chat": async (model, connection) => {
    const { createAzure } = await import("@ai-sdk/azure");
    const fetch = wireFetch("chat", selecting(selectInChat));
    return throughWire(createAzure({ ...connection, fetch }).chat(model));
  },
  google: async (model, connection) => {
    const { createGoogle } = await import("@ai-sdk/google");
    const fetch = wireFetch("gemini", selecting(selectInContents));
    return throughWire(createGoogle({ ...connection, fetch })(model));
  },
  bedrock: async (model, connection, env) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION: region } = env;
    const own = defined({ accessKeyId, secretAccessKey, sessionToken, region });
    return createAmazonBedrock({ ...own, ...connection, fetch: frameFetch })(model);
  },
  ollama: (model, connection) => compatible("ollama", model, connection),
  server: (model, connection) => compatible("compatible", model, connection),
};

/** A model behind an OpenAI-compatible server; `name` is what its provider options stand under. */
async function compatible(name: string, model: string, connection: Connection): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { region: _, baseURL = "", ...rest } = connection;
  const provider = createOpenAICompatible({ ...rest, name, baseURL, includeUsage: true, fetch: wireFetch("chat") });
  return throughWire(provider(model));
}
