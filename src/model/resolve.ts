import { RondoError } from "../error.ts";
import { keyNames } from "./advice.ts";
import { fromAiSdk, type Known } from "./ai-sdk/ai-sdk.ts";
import type { LanguageModel } from "./ai-sdk/language-model.ts";
import { checkConnection } from "./check-connection.ts";
import { type IdleOptions, idleLimits } from "./idle.ts";
import { lazyModel } from "./lazy.ts";
import type { Model } from "./model.ts";
import {
  type Connection,
  defined,
  type Environment,
  type Provider,
  type ProviderName,
  providers,
} from "./providers.ts";
import type { RetryOptions } from "./retry.ts";
import { serverOf } from "./server-url.ts";
import { orTextTools } from "./text-tools/refused.ts";
import { textTools } from "./text-tools/text-tools.ts";

/** Options of `resolveModel`; what is absent comes from the environment. */
export type ResolveOptions = Connection &
  IdleOptions & {
    /** Default `process.env`. */
    readonly env?: Environment;
    /** How failed requests are sent again. Default: up to 3 retries, before any content only. */
    readonly retry?: RetryOptions;
    /** What the model can do, where that is known. With `tools: false` it picks them in text, as with `textTools`. */
    readonly supports?: Model["supports"];
    /** Whether what stays the same is marked for the provider's prompt cache, where it wants marks. Default true. */
    readonly cache?: boolean;
  };

/**
 * The model that a name stands for: `"anthropic/…"`, `"openai/…"` (Responses), `"openai-chat/…"`,
 * `"azure/…"` and `"azure-chat/…"` (your deployment), `"google/…"`, `"bedrock/…"`, `"ollama/…"`, `"local/…"` (a name of `rondo models`, or the path of a GGUF file),
 * `"http://host/v1#model"` (any OpenAI-compatible server) or `"offline"`.
 *
 * A model behind Ollama or another such server, on Bedrock or at Google that refuses tools gets them in its prompt from then on, with a warning
 * (`supports: { tools: false }` spares it the first refusal).
 *
 * Keys and base URLs come from the options, else from the variables that the provider's package reads. Nothing is
 * imported or sent before the model is first asked.
 *
 * User, password and query of a server's URL go with each request (as `Authorization: Basic` and as query) and nowhere
 * else: `id` is the name without them.
 *
 * @throws RondoError `unknown_model` for a name that stands for nothing, `invalid_option` when no key is at hand, a
 * key or header cannot be sent, or an address or a limit is none, `missing_package` when the provider's package is not installed.
 *
 * @example
 * ```ts
 * const model = resolveModel("anthropic/claude-sonnet-5");
 * ```
 */
export function resolveModel(spec: string, options: ResolveOptions = {}): Model {
  if (typeof spec !== "string") throw unknownModel(spec);
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new RondoError("invalid_option", "The options of resolveModel must be an object, such as { apiKey }.");
  }
  if (typeof (options.supports ?? {}) !== "object") {
    throw new RondoError("invalid_option", 'The option "supports" must be an object, such as { tools: false }.');
  }
  if (spec === "offline") return lazyModel(spec, async () => (await import("./offline/offline.ts")).offline());
  if (/^https?:\/\//i.test(spec)) return serverModel(spec, options);

  if (spec.startsWith("local/") && spec !== "local/") return localModel(spec, options);

  const slash = spec.indexOf("/");
  const name = spec.slice(0, slash);
  const model = spec.slice(slash + 1);
  if (slash <= 0 || !isProvider(name) || model === "") throw unknownModel(spec);

  const provider = providers[name];
  requireKey(spec, provider, options);
  const connection = connectionOf(provider, options);
  requirePackage(spec, provider.package);
  const open = async () => (await import("./openers.ts")).openers[name](model, connection, options.env ?? process.env);
  const known = {
    keys: provider.keys,
    selects: provider.selects === true,
    ...secretsIn(connection, keysIn(provider, options)),
  };
  return packaged(spec, provider.package, open, options, known);
}

function serverModel(spec: string, options: ResolveOptions): Model {
  const { id, model, baseURL, headers, queryParams } = serverOf(spec);
  const given = connectionOf(undefined, options);
  // What the caller says of the connection wins over what stands in the URL.
  const own = { baseURL, queryParams, headers: given.apiKey === undefined ? headers : undefined };
  const connection = { ...defined(own), ...given, ...mergedHeaders(own.headers, given.headers) };
  const from = "@ai-sdk/openai-compatible";
  requirePackage(id, from);
  const open = async () => (await import("./openers.ts")).openers.server(model, connection, {});
  return packaged(id, from, open, options, secretsIn(connection));
}

/** Packages of servers that run models of many makers, and tell of one that takes no tools only when it is given some. */
const runsAnyModel = /^@ai-sdk\/(?:openai-compatible|amazon-bedrock|google)$/;

const isProvider = (name: string): name is ProviderName => Object.hasOwn(providers, name);

/** What an error must not tell, if a server should quote it: also as it stands in an address. Longest first, as one may hold another. */
function secretsIn(connection: Connection, keys: readonly string[] = []): Pick<Known, "secrets"> {
  const { apiKey = "", headers = {}, queryParams = {} } = connection;
  const all = [apiKey, ...keys, ...Object.values(headers).flatMap(secretsOfHeader), ...Object.values(queryParams)];
  const secrets = new Set(all.flatMap((value) => [value, encodeURIComponent(value.toWellFormed())]));
  return { secrets: [...secrets].filter((value) => value.length >= 8).sort((a, b) => b.length - a.length) };
}

/** Keys that a package is given besides `apiKey`: those of AWS, and the token of a session that goes out as it is. */
function keysIn({ keys }: Provider, { env = process.env }: ResolveOptions): readonly string[] {
  const names = [...keys.flat(), ...(keys.flat().includes("AWS_SECRET_ACCESS_KEY") ? ["AWS_SESSION_TOKEN"] : [])];
  return names.flatMap((name) => env[name]?.trim() ?? []);
}

/** The value of a header, and what is secret in it by itself: the words behind `Bearer`, the password in `Basic`. */
function secretsOfHeader(value: string): string[] {
  const [scheme = "", ...words] = value.split(/\s+/);
  if (scheme.toLowerCase() !== "basic") return [value, ...words];
  const pair = Buffer.from(words[0] ?? "", "base64").toString();
  return [value, ...words, pair, pair.slice(pair.indexOf(":") + 1)];
}

function localModel(spec: string, { env, supports }: ResolveOptions): Model {
  requirePackage(spec, "node-llama-cpp");
  const load = async () => {
    const { local } = await import("./local/local.ts");
    const way = supports?.tools === false ? { tools: "text" as const } : undefined;
    return local(spec.slice("local/".length), { id: spec, ...way, ...(env !== undefined && { env }) });
  };
  return lazyModel(spec, load, { images: false, output: true });
}

const mergedHeaders = (under: Connection["headers"], over: Connection["headers"]): Pick<Connection, "headers"> =>
  under || over ? { headers: { ...under, ...over } } : {};

function packaged(
  spec: string,
  from: string,
  open: () => Promise<LanguageModel>,
  { retry, cache, supports, idleTimeoutMs, firstTokenTimeoutMs }: ResolveOptions,
  known: Known,
): Model {
  const own = defined({ retry, cache, idleTimeoutMs, firstTokenTimeoutMs });
  idleLimits(own);
  // What it does about tools is seen to here.
  const { tools, ...rest } = supports ?? {};
  const load = async () => {
    try {
      return fromAiSdk(await open(), { id: spec, supports: rest, ...own }, known);
    } catch (error) {
      if (isMissing(error)) throw missingPackage(spec, from, error);
      throw error;
    }
  };
  const model = lazyModel(spec, load, { output: true, ...supports });
  if (tools === false) return textTools(model);
  return runsAnyModel.test(from) && tools === undefined ? orTextTools(model) : model;
}

function connectionOf(provider: Provider | undefined, options: ResolveOptions): Connection {
  const { headers, queryParams, region, env = process.env } = options;
  const variable = provider?.keys.find((set) => set.length === 1)?.[0];
  const apiKey = options.apiKey || (variable === undefined ? undefined : env[variable]?.trim());
  const baseURL = options.baseURL ?? provider?.baseURL?.(env);
  const connection = defined({ apiKey, baseURL, headers, queryParams, region });
  checkConnection(connection, options.apiKey ? 'The option "apiKey"' : (variable ?? "The key"));
  return connection;
}

function requireKey(spec: string, provider: Provider, { apiKey, env = process.env }: ResolveOptions): void {
  const { keys } = provider;
  if (keys.length === 0 || (apiKey !== undefined && apiKey !== "")) return;
  if (keys.some((set) => set.every((name) => (env[name] ?? "").trim() !== ""))) return;
  throw new RondoError("invalid_option", `Model ${JSON.stringify(spec)} needs a key: set ${keyNames(keys)}.`);
}

/** Tells at once that a package is missing, where the platform can look without importing it. */
function requirePackage(spec: string, from: string): void {
  const resolve: unknown = (import.meta as { resolve?: unknown }).resolve;
  if (typeof resolve !== "function") return;
  try {
    import.meta.resolve(from);
  } catch (error) {
    if (isMissing(error)) throw missingPackage(spec, from, error);
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === "object" && error !== null && (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";

const missingPackage = (spec: string, from: string, cause: unknown): RondoError =>
  new RondoError("missing_package", `Model ${JSON.stringify(spec)} needs a package: npm install ${from}`, { cause });

function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** Beginnings of well-known model names, for those who leave the provider out. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^claude/i, "anthropic"],
  [/^(gpt|o\d|chatgpt)/i, "openai"],
  [/^gemini/i, "google"],
];

function unknownModel(given: unknown): RondoError {
  const spec = typeof given === "string" ? given : "";
  const family = families.find(([start]) => start.test(spec))?.[1];
  const known = [...Object.keys(providers), "local"].map((name) => `"${name}/…"`);
  const hint = family === undefined ? "" : ` Did you mean "${family}/${spec}"?`;
  return new RondoError(
    "unknown_model",
    `Unknown model ${shown(given)}.${hint} Write ${known.join(", ")}, "http://host/v1#model" or "offline".`,
  );
}
