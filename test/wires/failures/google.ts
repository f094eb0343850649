import { plan } from "./openai.ts";
import type { Failed, Kind, Row } from "./said.ts";

const google = (
  kind: Kind,
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
  more: Partial<Row> = {},
): Failed => ({
  what: `${code} ${status}`,
  status: code,
  kind,
  message,
  body: JSON.stringify({ error: { code, message, status, ...(details.length > 0 && { details }) } }, null, 2),
  ...more,
});

const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.074s" };
const violated = (quotaId: string) => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [
    { quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests", quotaId, quotaValue: "10" },
  ],
});
const keyInvalid = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_KEY_INVALID",
  domain: "googleapis.com",
};
const counted = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";

export const googleRows: readonly Failed[] = [
  google(
    "invalid",
    400,
    "INVALID_ARGUMENT",
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  ),
  google("context_overflow", 400, "INVALID_ARGUMENT", counted, [], { what: "400 too long" }),
  google("auth", 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [keyInvalid], {
    what: "400 wrong key",
  }),
  google("auth", 400, "FAILED_PRECONDITION", "User location is not supported for the API use.", [], {
    what: "400 region",
  }),
  google(
    "quota",
    400,
    "FAILED_PRECONDITION",
    "Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.",
    [],
    { what: "400 billing" },
  ),
  google("auth", 403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."),
  {
    ...google(
      "invalid",
      404,
      "NOT_FOUND",
      "models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.",
    ),
    message: "models/gemini-9 is not found for API version v1beta",
  },
  google(
    "rate_limit",
    429,
    "RESOURCE_EXHAUSTED",
    plan,
    [violated("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), retryInfo],
    { what: "429 a minute's", retryAfterMs: 34_074 },
  ),
  google(
    "quota",
    429,
    "RESOURCE_EXHAUSTED",
    plan,
    [violated("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo],
    { what: "429 a day's", retryAfterMs: 34_074 },
  ),
  google("rate_limit", 429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
  google(
    "overloaded",
    500,
    "INTERNAL",
    "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  ),
  google("overloaded", 503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
  google("overloaded", 504, "DEADLINE_EXCEEDED", "The request timed out. Please try again."),
];
