import type { Failed, Kind, Row } from "./said.ts";

/** `{ error: { message, type, param, code } }`, as OpenAI and most who are like it. */
export const openai = (
  kind: Kind,
  status: number,
  type: string,
  code: string | null,
  message: string,
  more: Partial<Row> = {},
): Failed => ({
  what: `${status} ${code ?? type}`,
  status,
  kind,
  message,
  body: JSON.stringify({ error: { message, type, param: null, code } }),
  ...more,
});

export const plan = "You exceeded your current quota, please check your plan and billing details.";

export const openaiRows: readonly Failed[] = [
  openai(
    "invalid",
    400,
    "invalid_request_error",
    null,
    "Invalid schema for function 'f': schema must have type 'object'.",
  ),
  openai(
    "context_overflow",
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ),
  openai(
    "refusal",
    400,
    "invalid_request_error",
    "invalid_prompt",
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
  ),
  {
    ...openai(
      "auth",
      401,
      "invalid_request_error",
      "invalid_api_key",
      "Incorrect API key provided: sk-abc12***********************wxyz.",
    ),
    message: "Incorrect API key provided: [redacted].",
  },
  openai(
    "auth",
    403,
    "request_forbidden",
    "unsupported_country_region_territory",
    "Country, region, or territory not supported",
  ),
  openai(
    "invalid",
    404,
    "invalid_request_error",
    "model_not_found",
    "The model `gpt-9` does not exist or you do not have access to it.",
  ),
  openai(
    "rate_limit",
    429,
    "tokens",
    "rate_limit_exceeded",
    "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2.5s.",
    { retryAfterMs: 2_500 },
  ),
  openai("rate_limit", 429, "requests", "rate_limit_exceeded", "Rate limit reached for gpt-4o.", {
    headers: { "retry-after-ms": "1250", "retry-after": "2" },
    retryAfterMs: 1_250,
  }),
  openai("quota", 429, "insufficient_quota", "insufficient_quota", plan),
  openai(
    "quota",
    429,
    "tokens",
    "rate_limit_exceeded",
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 50000.",
    { what: "429 more than a minute allows" },
  ),
  openai(
    "quota",
    429,
    "billing_not_active",
    "billing_not_active",
    "Your account is not active, please check your billing details on our website.",
  ),
  openai(
    "overloaded",
    500,
    "server_error",
    null,
    "The server had an error while processing your request. Sorry about that!",
  ),
  openai("overloaded", 503, "server_error", null, "The engine is currently overloaded, please try again later"),
];

const azure = (kind: Kind, status: number, code: string, message: string, more: Partial<Row> = {}): Failed => ({
  what: `${status} ${code}`,
  status,
  kind,
  message,
  body: JSON.stringify({ error: { code, message } }),
  ...more,
});

export const azureRows: readonly Failed[] = [
  azure(
    "auth",
    401,
    "401",
    "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
  ),
  azure("auth", 403, "AuthenticationTypeDisabled", "Key based authentication is disabled for this resource."),
  azure(
    "invalid",
    404,
    "DeploymentNotFound",
    "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.",
  ),
  azure(
    "rate_limit",
    429,
    "429",
    "Requests to the ChatCompletions_Create Operation have exceeded the token rate limit of your current pricing tier. Please retry after 9 seconds.",
    { retryAfterMs: 9_000 },
  ),
  {
    what: "400 content_filter",
    status: 400,
    kind: "refusal",
    message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    body: JSON.stringify({
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: { hate: { filtered: true, severity: "high" } },
        },
      },
    }),
  },
  openai(
    "context_overflow",
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130101 tokens. Please reduce the length of the messages.",
  ),
];
