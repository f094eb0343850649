import type { Failed, Kind, Row } from "./said.ts";

const anthropic = (kind: Kind, status: number, type: string, message: string, more: Partial<Row> = {}): Failed => ({
  what: `${status} ${type}`,
  status,
  kind,
  message,
  body: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_011CSHoEeqs5C35K2UUqR7Fy" }),
  ...more,
});

const credit =
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.";

export const anthropicRows: readonly Failed[] = [
  anthropic("invalid", 400, "invalid_request_error", "messages: at least one message is required"),
  anthropic("context_overflow", 400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum", {
    what: "400 prompt too long",
  }),
  anthropic(
    "context_overflow",
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    { what: "400 with max_tokens too long" },
  ),
  anthropic("quota", 400, "invalid_request_error", credit, { what: "400 no credit" }),
  anthropic(
    "quota",
    400,
    "invalid_request_error",
    "You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.",
    { what: "400 a limit of the workspace's own" },
  ),
  anthropic("auth", 401, "authentication_error", "invalid x-api-key"),
  anthropic("quota", 402, "billing_error", "There is a problem with your billing."),
  anthropic("auth", 403, "permission_error", "Your API key does not have permission to use the specified resource."),
  { ...anthropic("invalid", 404, "not_found_error", "model: claude-9"), message: "model: claude-9. Is there a model" },
  anthropic("context_overflow", 413, "request_too_large", "Request exceeds the maximum size"),
  anthropic(
    "rate_limit",
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
    { headers: { "retry-after": "12" }, retryAfterMs: 12_000 },
  ),
  anthropic("overloaded", 500, "api_error", "Internal server error"),
  anthropic("overloaded", 504, "timeout_error", "The request timed out while processing."),
  anthropic("overloaded", 529, "overloaded_error", "Overloaded", {
    headers: { "retry-after": "2" },
    retryAfterMs: 2_000,
  }),
];
