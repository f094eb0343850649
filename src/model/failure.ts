import { type Facts, factsOf } from "./failure-facts.ts";
import { failureText } from "./failure-text.ts";
import type { ModelFailure } from "./model.ts";
import { retryAfter } from "./retry-after.ts";

type Kind = ModelFailure["kind"];

/**
 * Says what went wrong with a request. `error` is whatever was thrown or streamed: an AI SDK error, a network error, a
 * provider's error object or a text. `now` (milliseconds since 1970) is for `Retry-After` given as a date.
 */
export function failureOf(error: unknown, now: () => number = Date.now): ModelFailure {
  const facts = factsOf(error);
  const retryAfterMs = retryAfter(facts, now);
  return {
    kind: kindOf(facts),
    message: failureText(facts),
    ...(facts.status === undefined ? undefined : { status: facts.status }),
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  };
}

/** Whether the same request may succeed when it is sent again. */
export function isRetryable({ kind }: ModelFailure): boolean {
  return kind === "transport" || kind === "rate_limit" || kind === "overloaded" || kind === "timeout";
}

function kindOf(facts: Facts): Kind {
  const { status, codes } = facts;
  const said = `${codes} ${facts.words}`;
  if (facts.name === "AbortError") return "aborted";
  if (facts.name === "TimeoutError" || /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(codes)) return "timeout";
  if (facts.name === "AI_LoadAPIKeyError" || facts.name === "AI_LoadSettingError") return "auth";
  if (isQuota(status, codes, said)) return "quota";
  if (isOverflow(status, said)) return "context_overflow";
  if (isRefusal(status, codes, said)) return "refusal";
  if (status === 400 && isDenied(said)) return "auth";
  if (status !== undefined) return (facts.guessed && kindOfCodes(codes)) || kindOfStatus(status, codes);
  return kindOfCodes(codes) ?? kindOfError(facts);
}

function kindOfStatus(status: number, codes: string): Kind {
  if (status === 401 || status === 403) return "auth";
  // AWS throttles with 400 in places.
  if (status === 429 || (status === 400 && /throttling|servicequotaexceeded/i.test(codes))) return "rate_limit";
  // 424 is Bedrock's word for a model that failed, 498 Groq's for one that has no room.
  if (status >= 500 || status === 424 || status === 498) return "overloaded";
  if (status === 408 || status === 409) return "transport";
  return "invalid";
}

/** An error inside a reply has no status of its own, only the provider's word for it. */
function kindOfCodes(codes: string): Kind | undefined {
  if (/rate_limit|too_many_requests|throttling|resource_exhausted/i.test(codes)) return "rate_limit";
  if (/overloaded|unavailable|server_error|internal_?server|api_error|modelstreamerror/i.test(codes))
    return "overloaded";
  if (/authentication|permission|unauthorized|invalid_api_key|access_?denied/i.test(codes)) return "auth";
  if (/invalid_request|validation|not_found/i.test(codes)) return "invalid";
  // Our own word for a page.
  if (/\bnot_a_reply\b/.test(codes)) return "transport";
  // Gateways write the status of the provider behind them as a code.
  const status = /(?:^|\s)([45]\d\d)(?:\s|$)/.exec(codes)?.[1];
  return status === undefined ? undefined : kindOfStatus(Number(status), codes);
}

function kindOfError(facts: Facts): Kind {
  if (facts.retryable === true) return "transport";
  if (/Failed to process successful response/.test(facts.message)) return "transport";
  if (/^AI_(JSONParse|TypeValidation|EmptyResponseBody)Error$/.test(facts.name)) return "transport";
  if (/^AI_(InvalidPrompt|InvalidArgument|UnsupportedFunctionality|NoSuchModel)/.test(facts.name)) return "invalid";
  if (
    /\bE(CONN|PIPE|PROTO|AI_AGAIN|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|\bUND_ERR_|\bERR_(SSL|TLS)|CERT/.test(
      facts.codes,
    )
  )
    return "transport";
  if (facts.name === "TypeError" && /terminated|fetch failed|network/i.test(facts.message)) return "transport";
  if (/socket hang up|other side closed|premature close|checksum \(\d+\) did not match/i.test(facts.message))
    return "transport";
  return "unknown";
}

/** Limits that do not pass while a run waits: money, a whole day's allowance, a request beyond what a minute allows. */
const isQuota = (status: number | undefined, codes: string, said: string): boolean =>
  status === 402 ||
  // What is a code is looked for among codes: a message may name a tool that is called so.
  /insufficient_quota|billing_(hard_limit|not_active|error)/i.test(codes) ||
  /credit balance is too low|enable billing|reached your specified api usage limits/i.test(said) ||
  (status === 429 && /insufficient balance|used all available credits|exceeded_current_quota/i.test(said)) ||
  ((status === undefined || status === 429 || status === 413) &&
    (/\b\w+PerDay/i.test(codes) ||
      /\bquota exceeded\b.*\blimit: 0\b|tokens per day, please|request too large for/is.test(said)));

const isOverflow = (status: number | undefined, said: string): boolean =>
  status === 413 ||
  /exceed_context_size_error|context_length_exceeded/.test(said) ||
  ((status === undefined || status === 400 || status === 422) &&
    /context[ _](length|window|size|limit)|maximum (context|prompt length)|(prompt|input) is too long|prompt too long|input token count|maximum number of tokens|exceeded model token limit|input tokens exceeded|tokens \+ `max_new_tokens` must be/i.test(
      said,
    ));

/** What was sent is against the provider's rules. */
const isRefusal = (status: number | undefined, codes: string, said: string): boolean =>
  /content_(policy|filter)|ResponsibleAIPolicyViolation|data_inspection_failed/i.test(codes) ||
  // Some say it with the status of a key that may not do something.
  (status === 403 && /requires moderation and your input was flagged|content violates usage guidelines/i.test(said)) ||
  (status === 400 && /\bcontent exists risk\b/i.test(said)) ||
  (status === 400 && /\binvalid_prompt\b/.test(codes));

/** Google and AWS say in a 400 that a key is wrong or may not be used here. */
const isDenied = (said: string): boolean =>
  /API_KEY_INVALID|API key (not valid|expired)|User location is not supported|ExpiredToken|IncompleteSignature/i.test(
    said,
  );
