import { anthropicRows } from "./anthropic.ts";
import { awsRows } from "./aws.ts";
import { echoes } from "./echoes.ts";
import { googleRows } from "./google.ts";
import { azureRows, openaiRows } from "./openai.ts";
import type { Failed } from "./said.ts";
import { ollamaRows, serverRows } from "./servers.ts";

const page = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

/** What stands in front of any provider. */
export const anywhere: readonly Failed[] = [
  {
    what: "a page with 502",
    status: 502,
    kind: "overloaded",
    body: page("502 Bad Gateway"),
    message: "502 Bad Gateway",
  },
  {
    what: "a page with 413",
    status: 413,
    kind: "context_overflow",
    body: page("413 Request Entity Too Large"),
    message: "413 Request Entity Too Large. Shorten",
  },
  {
    what: "a page with 504 and a date",
    status: 504,
    kind: "overloaded",
    body: page("504 Gateway Time-out"),
    message: "504 Gateway Time-out",
    headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" },
    retryAfterMs: 0,
  },
  { what: "500 without a body", status: 500, kind: "overloaded", body: "", message: "Internal Server Error" },
  { what: "408 without a body", status: 408, kind: "transport", body: "", message: "Request Timeout" },
  {
    what: "503 in plain text",
    status: 503,
    kind: "overloaded",
    body: "upstream connect error or disconnect/reset before headers",
    message: "upstream connect error or disconnect/reset before headers",
    headers: { "content-type": "text/plain", "retry-after": "3" },
    retryAfterMs: 3_000,
  },
  {
    what: "529 without a body",
    status: 529,
    kind: "overloaded",
    body: "",
    message: "unknown",
    headers: { "retry-after": "2" },
    retryAfterMs: 2_000,
  },
  ...echoes,
];

/** What each wire of the shared table is told by its provider. */
export const said: { readonly [wire: string]: readonly Failed[] } = {
  "OpenAI chat": openaiRows,
  "OpenAI Responses": openaiRows,
  Azure: azureRows,
  "Azure chat": azureRows,
  "OpenAI-compatible": serverRows,
  Ollama: ollamaRows,
  Anthropic: anthropicRows,
  Gemini: googleRows,
  Bedrock: awsRows,
  "Bedrock Claude": awsRows,
};
