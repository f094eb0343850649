import { RondoError } from "../error.ts";

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

/** What a model name can begin with. */
export type ProviderName =
  | "anthropic"
  | "openai"
  | "openai-chat"
  | "azure"
  | "azure-chat"
  | "google"
  | "bedrock"
  | "ollama";

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
};

/** The providers by the word in front of the `/`. What opens their models stands in openers.ts, which is loaded with the first request. */
export const providers: { readonly [name in ProviderName]: Provider } = {
  anthropic: {
    package: "@ai-sdk/anthropic",
    keys: [["ANTHROPIC_API_KEY"]],
    baseURL: (env) => env.ANTHROPIC_BASE_URL,
  },
  openai: {
    package: "@ai-sdk/openai",
    keys: [["OPENAI_API_KEY"]],
    baseURL: (env) => env.OPENAI_BASE_URL,
  },
  "openai-chat": {
    package: "@ai-sdk/openai",
    keys: [["OPENAI_API_KEY"]],
    baseURL: (env) => env.OPENAI_BASE_URL,
    selects: true,
  },
  azure: { package: "@ai-sdk/azure", keys: [["AZURE_API_KEY"]], baseURL: azureURL },
  "azure-chat": { package: "@ai-sdk/azure", keys: [["AZURE_API_KEY"]], baseURL: azureURL, selects: true },
  google: {
    package: "@ai-sdk/google",
    keys: [["GOOGLE_GENERATIVE_AI_API_KEY"]],
    selects: true,
  },
  bedrock: {
    package: "@ai-sdk/amazon-bedrock",
    keys: [["AWS_BEARER_TOKEN_BEDROCK"], ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]],
  },
  ollama: {
    package: "@ai-sdk/openai-compatible",
    keys: [],
    baseURL: ollamaURL,
  },
};

/** Azure names the deployment where others name the model; the resource is found by its name or by `baseURL`. */
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
