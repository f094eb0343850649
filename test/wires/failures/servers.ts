import type { Failed, Kind, Row } from "./said.ts";

const plainObject = (
  kind: Kind,
  what: string,
  status: number,
  fields: object,
  message: string,
  more: Partial<Row> = {},
): Failed => ({
  what,
  status,
  kind,
  message,
  body: JSON.stringify(fields),
  ...more,
});

const tooLong =
  "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.";
const exceeds = "the request exceeds the available context size, try increasing it";

/** vLLM, llama.cpp, OpenRouter, DeepSeek. */
export const serverRows: readonly Failed[] = [
  plainObject(
    "context_overflow",
    "vLLM: too long",
    400,
    { object: "error", message: tooLong, type: "BadRequestError", param: null, code: 400 },
    tooLong,
  ),
  plainObject(
    "invalid",
    "vLLM: no such model",
    404,
    { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", param: null, code: 404 },
    "The model `x` does not exist.",
  ),
  plainObject(
    "invalid",
    "FastAPI: not understood",
    422,
    { detail: [{ loc: ["body", "messages"], msg: "field required", type: "value_error.missing" }] },
    "field required",
  ),
  plainObject(
    "context_overflow",
    "llama.cpp: too long",
    400,
    { error: { code: 400, message: exceeds, type: "exceed_context_size_error", n_prompt_tokens: 1407, n_ctx: 256 } },
    exceeds,
  ),
  plainObject(
    "overloaded",
    "llama.cpp: loading",
    503,
    { error: { message: "Loading model", type: "unavailable_error", code: 503 } },
    "Loading model",
  ),
  plainObject(
    "auth",
    "llama.cpp: key",
    401,
    { error: { message: "Invalid API Key", type: "authentication_error", code: 401 } },
    "Invalid API Key",
  ),
  plainObject(
    "quota",
    "OpenRouter: credits",
    402,
    { error: { message: "Insufficient credits. Add more using https://openrouter.ai/credits", code: 402 } },
    "Insufficient credits. Add more using https://openrouter.ai/credits",
  ),
  plainObject(
    "rate_limit",
    "OpenRouter: upstream",
    429,
    {
      error: {
        message: "Provider returned error",
        code: 429,
        metadata: { raw: "x/y is temporarily rate-limited upstream.", provider_name: "P" },
      },
    },
    "Provider returned error: x/y is temporarily rate-limited upstream.",
  ),
  plainObject(
    "quota",
    "DeepSeek: balance",
    402,
    { error: { message: "Insufficient Balance", type: "unknown_error", param: null, code: "invalid_request_error" } },
    "Insufficient Balance",
  ),
  ...[
    ["quota", 429, "xAI: credits", "Your team has either used all available credits or reached its monthly limit."],
    ["quota", 429, "GLM: balance", "Insufficient balance or no resource package. Please recharge."],
    ["refusal", 403, "OpenRouter: moderation", "Your chosen model requires moderation and your input was flagged"],
    ["refusal", 403, "xAI: guidelines", "Content violates usage guidelines."],
    ["refusal", 400, "DeepSeek: risk", "Content Exists Risk"],
    ["context_overflow", 400, "Kimi: too long", "Your request exceeded model token limit: 262144 (requested: 300000)"],
    ["context_overflow", 422, "TGI: too long", "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000"],
  ].map(([kind, status, what, message]) =>
    plainObject(kind as Kind, String(what), Number(status), { error: { message, code: status } }, String(message)),
  ),
];

const memory = "model requires more system memory (8.0 GiB) than is available (4.2 GiB)";

export const ollamaRows: readonly Failed[] = [
  plainObject(
    "invalid",
    "no such model",
    404,
    { error: { message: 'model "qwen3" not found, try pulling it first', type: "api_error", param: null, code: null } },
    'model "qwen3" not found, try pulling it first',
  ),
  plainObject(
    "invalid",
    "no tools",
    400,
    {
      error: {
        message: "registry.ollama.ai/library/gemma:latest does not support tools",
        type: "api_error",
        param: null,
        code: null,
      },
    },
    "registry.ollama.ai/library/gemma:latest does not support tools",
  ),
  plainObject("overloaded", "its own API's form", 500, { error: memory }, memory),
  { what: "a wrong path", status: 404, kind: "invalid", body: "404 page not found\n", message: "404 page not found." },
];
