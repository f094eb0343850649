import type { Model } from "../model/model.ts";
import { ollamaUrl } from "./ollama.ts";

type Environment = { readonly [name: string]: string | undefined };

/** Which model was chosen, and why, for the person at the terminal; `env` is the environment to resolve it in. */
export type ModelChoice = {
  readonly model: Model | string;
  /** What is asked when it cannot answer, in order. */
  readonly fallbacks?: readonly string[];
  readonly why: string;
  readonly env: Environment;
};

/** The model that a provider's key stands for when nobody names one; the first key that is set wins. */
const keys: readonly (readonly [variable: string, model: string])[] = [
  ["ANTHROPIC_API_KEY", "anthropic/claude-sonnet-5"],
  ["OPENAI_API_KEY", "openai/gpt-5.6"],
  ["GOOGLE_GENERATIVE_AI_API_KEY", "google/gemini-flash-latest"],
  ["GEMINI_API_KEY", "google/gemini-flash-latest"],
  ["AWS_BEARER_TOKEN_BEDROCK", "bedrock/anthropic.claude-sonnet-5"],
];

/**
 * Chooses the model: the one that was named (`fallbacks` are those named behind it), else the agent's own, else `RONDO_MODEL`, else that of the configuration, else the first provider key, else an Ollama (asked only
 * then), else `offline`. Empty variables count as not set.
 */
export async function chooseModel(
  named: string | undefined,
  environment: Environment,
  findOllama: () => Promise<string | undefined>,
  own?: Model | string,
  fallbacks: readonly string[] = [],
  configured?: { readonly name: string; readonly why: string },
): Promise<ModelChoice> {
  const env = withGoogleKey(environment);
  if (named !== undefined) {
    return { model: named, ...(fallbacks.length > 0 && { fallbacks }), why: "--model", env };
  }
  if (own !== undefined) return { model: own, why: "the agent's own", env };
  if (env.RONDO_MODEL) return { model: env.RONDO_MODEL, why: "RONDO_MODEL", env };
  if (configured !== undefined) return { model: configured.name, why: configured.why, env };
  for (const [variable, model] of keys) if (environment[variable]) return { model, why: `${variable} is set`, env };
  const local = await findOllama();
  if (local === undefined) return { model: "offline", why: "no model, key or Ollama found; not a language model", env };
  // The one that was found, wherever OLLAMA_HOST points.
  return { model: `ollama/${local}`, why: "Ollama is running here", env: { ...env, OLLAMA_HOST: ollamaUrl } };
}

/** Google's key has two names; its package knows one. */
function withGoogleKey(env: Environment): Environment {
  const key = env.GOOGLE_GENERATIVE_AI_API_KEY || env.GEMINI_API_KEY;
  return key ? { ...env, GOOGLE_GENERATIVE_AI_API_KEY: key } : env;
}
