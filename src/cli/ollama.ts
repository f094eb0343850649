/** Where Ollama listens unless it was told otherwise. */
export const ollamaUrl = "http://127.0.0.1:11434";

/** Models that answer no chat: they rank or embed. */
const noChat = /embed|bert|minilm|rerank/i;

/**
 * The first chat model of an Ollama that says at this address who it is within 200 ms; undefined when nobody is there,
 * somebody else is, or no model is installed.
 */
export async function findOllama(url: string = ollamaUrl): Promise<string | undefined> {
  try {
    const greeting = await fetch(`${url}/`, { signal: AbortSignal.timeout(200), redirect: "error" });
    if (!greeting.ok || (await greeting.text()).trim() !== "Ollama is running") return undefined;
    const tags = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(1000), redirect: "error" });
    return firstChatModel(await tags.json());
  } catch {
    return undefined;
  }
}

/** The first name in the answer of `/api/tags` that can chat. */
export function firstChatModel(tags: unknown): string | undefined {
  const models = typeof tags === "object" && tags !== null && "models" in tags ? tags.models : undefined;
  if (!Array.isArray(models)) return undefined;
  return models
    .map((model: unknown) => (typeof model === "object" && model !== null && "name" in model ? model.name : undefined))
    .find((name): name is string => typeof name === "string" && !noChat.test(name));
}
