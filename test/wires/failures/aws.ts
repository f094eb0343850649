import type { Failed, Kind, Row } from "./said.ts";

const aws = (kind: Kind, status: number, type: string, message: string, more: Partial<Row> = {}): Failed => ({
  what: `${status} ${type}`,
  status,
  kind,
  message,
  body: JSON.stringify({ message }),
  headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  ...more,
});

export const awsRows: readonly Failed[] = [
  aws("invalid", 400, "ValidationException", "The provided model identifier is invalid."),
  aws("context_overflow", 400, "ValidationException", "Input is too long for requested model.", {
    what: "400 too long",
  }),
  aws(
    "context_overflow",
    400,
    "ValidationException",
    "The model returned the following errors: prompt is too long: 227255 tokens > 200000 maximum",
    { what: "400 too long for Claude" },
  ),
  aws(
    "context_overflow",
    400,
    "ValidationException",
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length.",
    { what: "400 too long for Nova" },
  ),
  aws("rate_limit", 400, "ThrottlingException", "Rate exceeded"),
  aws("auth", 403, "AccessDeniedException", "You don't have access to the model with the specified model ID."),
  aws("auth", 403, "UnrecognizedClientException", "The security token included in the request is invalid."),
  {
    ...aws(
      "invalid",
      404,
      "ResourceNotFoundException",
      "This model version has reached the end of its life. Please refer to the AWS documentation for more details.",
    ),
    message:
      "This model version has reached the end of its life. Please refer to the AWS documentation for more details. Is there a model",
  },
  aws("transport", 408, "ModelTimeoutException", "The request took too long to process."),
  aws("overloaded", 424, "ModelErrorException", "The request failed due to an error while processing the model."),
  aws("rate_limit", 429, "ThrottlingException", "Too many requests, please wait before trying again."),
  aws("quota", 429, "ThrottlingException", "Too many tokens per day, please wait before trying again.", {
    what: "429 a day's",
  }),
  aws(
    "overloaded",
    500,
    "InternalServerException",
    "The system encountered an unexpected error during processing. Try your request again.",
  ),
  aws("overloaded", 503, "ServiceUnavailableException", "Bedrock is unable to process your request."),
];
