import { RondoError } from "../error.ts";
import type { LanguageModel } from "./ai-sdk/language-model.ts";
import { throughWire } from "./wire/notes.ts";
import { type Select, selected, selectInChat, selectInContents } from "./wire/selected-tools.ts";
import { type WireHooks, wireFetch } from "./wire/wire-fetch.ts";

/** Environment variables by name. */
export type Environment = { readonly [name: string]: string | undefined };

/** What a provider's package is told. */
export type Connection = {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly headers?: { readonly [name: string]: string };
  /** For the query of every request, with OpenAI-compatible servers. */
  readonly queryParams?: { readonly [name: string]: string };
  /** AWS region, for Bedrock. */
  readonly region?: string;
};

/** One provider that a model name can begin with. */
export type Provider = {
  /** The npm package that speaks to it. */
  readonly package: string;
  /** Whether a key is at hand: any one of these sets of variables, or `apiKey`. Empty: none is needed. */
  readonly keys: readonly (readonly string[])[];
  /** Base URL by the environment; without one the package's own default holds. */
  readonly baseURL?: (env: Environment) => string | undefined;
  /** Its wire takes a choice of several tools, which our `fetch` writes into the body. */
  readonly selects?: true;
  readonly open: (model: string, connection: Connection, env: Environment) => Promise<LanguageModel>;
};

const selecting = (select: Select): WireHooks => ({ request: (_, init) => selected(init, select) });

/** The providers by the word in front of the `/`. Packages are imported when a model of theirs is first asked. */
export const providers: { readonly [name: string]: Provider } = {
  anthropic: {
    package: "@ai-sdk/anthropic",
    keys: [["ANTHROPIC_API_KEY"]],
    baseURL: (env) => env.ANTHROPIC_BASE_URL,
    open: async (model, connection) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return throughWire(createAnthropic({ ...connection, fetch: wireFetch("anthropic") })(model));
    },
  },
  openai: {
    package: "@ai-sdk/openai",
    keys: [["OPENAI_API_KEY"]],
    baseURL: (env) => env.OPENAI_BASE_URL,
    open: async (model, connection) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return throughWire(createOpenAI({ ...connection, fetch: wireFetch("responses") }).responses(model));
    },
  },
  "openai-chat": {
    package: "@ai-sdk/openai",
    keys: [["OPENAI_API_KEY"]],
    baseURL: (env) => env.OPENAI_BASE_URL,
    selects: true,
    open: async (model, connection) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const fetch = wireFetch("chat", selecting(selectInChat));
      return throughWire(createOpenAI({ ...connection, fetch }).chat(model));
    },
  },
  azure: azure("responses"),
  "azure-chat": azure("chat"),
  google: {
    package: "@ai-sdk/google",
    keys: [["GOOGLE_GENERATIVE_AI_API_KEY"]],
    selects: true,
    open: async (model, connection) => {
      const { createGoogle } = await import("@ai-sdk/google");
      const fetch = wireFetch("gemini", selecting(selectInContents));
      return throughWire(createGoogle({ ...connection, fetch })(model));
    },
  },
  bedrock: {
    package: "@ai-sdk/amazon-bedrock",
    keys: [["AWS_BEARER_TOKEN_BEDROCK"], ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]],
    open: async (model, connection, env) => {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
      const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION: region } = env;
      return createAmazonBedrock({ ...defined({ accessKeyId, secretAccessKey, sessionToken, region }), ...connection })(
        model,
      );
    },
  },
  ollama: {
    package: "@ai-sdk/openai-compatible",
    keys: [],
    baseURL: ollamaURL,
    open: (model, connection) => compatible("ollama", model, connection),
  },
};

/** Azure names the deployment where others name the model; the resource is found by its name or by `baseURL`. */
function azure(api: "responses" | "chat"): Provider {
  return {
    package: "@ai-sdk/azure",
    keys: [["AZURE_API_KEY"]],
    baseURL: azureURL,
    ...(api === "chat" ? { selects: true } : undefined),
    open: async (model, connection) => {
      const { createAzure } = await import("@ai-sdk/azure");
      const fetch = wireFetch(api, api === "chat" ? selecting(selectInChat) : {});
      return throughWire(createAzure({ ...connection, fetch })[api](model));
    },
  };
}

function azureURL({ AZURE_OPENAI_ENDPOINT, AZURE_RESOURCE_NAME }: Environment): string {
  const endpoint = AZURE_OPENAI_ENDPOINT?.trim();
  if (endpoint) return `${endpoint.replace(/\/+$/, "")}/openai/v1`;
  const name = AZURE_RESOURCE_NAME?.trim() ?? "";
  if (/^[a-z0-9][a-z0-9-]{0,62}$/i.test(name)) return `https://${name}.openai.azure.com/openai/v1`;
  throw new RondoError(
    "invalid_option",
    name === ""
      ? "Azure needs your resource: set AZURE_RESOURCE_NAME or AZURE_OPENAI_ENDPOINT, or give baseURL."
      : "AZURE_RESOURCE_NAME is the first label of the resource's address: letters, digits and hyphens.",
  );
}

/** Without the fields that are undefined or empty. */
export function defined<T extends { readonly [name: string]: unknown }>(
  fields: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== "")) as never;
}

/** A model behind an OpenAI-compatible server; `name` is what its provider options stand under. */
export async function compatible(name: string, model: string, connection: Connection): Promise<LanguageModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { region: _, baseURL = "", ...rest } = connection;
  const provider = createOpenAICompatible({ ...rest, name, baseURL, includeUsage: true, fetch: wireFetch("chat") });
  return throughWire(provider(model));
}

/** Where Ollama listens: `OLLAMA_HOST` as its own command reads it, else its usual port on this machine. */
function ollamaURL(env: Environment): string {
  const host = env.OLLAMA_HOST?.trim() || "127.0.0.1:11434";
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (url === null) {
    throw new RondoError("invalid_option", 'OLLAMA_HOST is no address: write it as in "127.0.0.1:11434".');
  }
  // A server that listens everywhere is reached on the loopback address.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !/^https?:\/\//.test(host)) url.port = "11434";
  return `${url.origin}/v1`;
}
