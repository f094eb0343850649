import { thrownMessage } from "../message/thrown-text.ts";
import type { ModelFailure } from "./model.ts";

type Kind = ModelFailure["kind"];

/** What is known about a thrown value or an error part, read without importing the package it came from. */
type Facts = {
  readonly name: string;
  readonly message: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly body: string;
  /** Error codes and types of the provider and of the socket, joined. */
  readonly codes: string;
};

const maxMessageChars = 2_000;

/**
 * Says what went wrong with a request. `error` is whatever was thrown or streamed: an AI SDK error, a network error, a
 * provider's error object or a text. `now` (milliseconds since 1970) is for `Retry-After` given as a date.
 */
export function failureOf(error: unknown, now: () => number = Date.now): ModelFailure {
  const facts = factsOf(error);
  const retryAfterMs = retryAfter(facts, now);
  return {
    kind: kindOf(facts),
    message: facts.message.slice(0, maxMessageChars),
    ...(facts.status === undefined ? undefined : { status: facts.status }),
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  };
}

/** Whether the same request may succeed when it is sent again. Timeouts and aborts are the caller's own and never are. */
export function isRetryable(failure: ModelFailure): boolean {
  const { kind } = failure;
  return kind === "transport" || kind === "rate_limit" || kind === "overloaded";
}

function kindOf(facts: Facts): Kind {
  const { status, codes } = facts;
  const said = `${codes} ${facts.message} ${facts.body}`;
  if (facts.name === "AbortError") return "aborted";
  if (facts.name === "TimeoutError") return "timeout";
  if (facts.name === "AI_LoadAPIKeyError" || facts.name === "AI_LoadSettingError") return "auth";
  if (isQuota(status, said)) return "quota";
  if (isOverflow(status, said)) return "context_overflow";
  if (/content_(policy|filter)/i.test(codes)) return "refusal";
  if (status !== undefined && status >= 400) return kindOfStatus(status);
  return kindOfCodes(codes) ?? kindOfError(facts);
}

function kindOfStatus(status: number): Kind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  if (status >= 500) return "overloaded";
  if (status === 408 || status === 409) return "transport";
  return "invalid";
}

/** An error inside a reply has no status of its own, only the provider's word for it. */
function kindOfCodes(codes: string): Kind | undefined {
  if (/rate_limit|too_many_requests|throttling|resource_exhausted/i.test(codes)) return "rate_limit";
  if (/overloaded|unavailable|server_error|internal_?server|api_error/i.test(codes)) return "overloaded";
  if (/authentication|permission|unauthorized|invalid_api_key|access_?denied/i.test(codes)) return "auth";
  if (/invalid_request|validation|not_found/i.test(codes)) return "invalid";
  return undefined;
}

function kindOfError(facts: Facts): Kind {
  // A status here is a 200 whose body could not be read.
  if (facts.retryable === true || facts.status !== undefined) return "transport";
  if (/^AI_(JSONParse|TypeValidation|EmptyResponseBody)Error$/.test(facts.name)) return "transport";
  if (/^AI_(InvalidPrompt|InvalidArgument|UnsupportedFunctionality|NoSuchModel)/.test(facts.name)) return "invalid";
  if (/\bE(CONN|PIPE|AI_AGAIN|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|\bUND_ERR_/.test(facts.codes))
    return "transport";
  if (facts.name === "TypeError" && /terminated|fetch failed|network/i.test(facts.message)) return "transport";
  if (/socket hang up|other side closed|premature close/i.test(facts.message)) return "transport";
  return "unknown";
}

const isQuota = (status: number | undefined, said: string): boolean =>
  status === 402 || /insufficient_quota|billing_(hard_limit|error)|credit balance is too low/i.test(said);

const isOverflow = (status: number | undefined, said: string): boolean =>
  (status === undefined || status === 400 || status === 413 || status === 422) &&
  /context_length_exceeded|context[ _](length|window|size)|maximum context|(prompt|input) is too long|input token count/i.test(
    said,
  );

function factsOf(error: unknown): Facts {
  try {
    return readFacts(error);
  } catch {
    // It throws when it is read.
    return { name: "", message: thrownMessage(error), headers: {}, body: "", codes: "" };
  }
}

function readFacts(error: unknown): Facts {
  if (typeof error === "string")
    return { name: "", message: error || "The provider sent an empty error.", headers: {}, body: "", codes: "" };
  if (typeof error !== "object" || error === null) {
    return { name: "", message: `The provider failed with ${thrownMessage(error)}.`, headers: {}, body: "", codes: "" };
  }
  const fields = error as Record<string, unknown>;
  const nested = record(fields.error);
  const status = [fields.statusCode, fields.status, nested?.code, fields.code].find(isStatus);
  return {
    name: text(fields.name),
    message: unread(fields) || text(fields.message) || text(nested?.message) || readable(error),
    ...(status === undefined ? undefined : { status }),
    ...(typeof fields.isRetryable === "boolean" ? { retryable: fields.isRetryable } : undefined),
    headers: lowerCased(record(fields.responseHeaders)),
    body: text(fields.responseBody).slice(0, 10_000),
    codes: codesOf(fields),
  };
}

/** What a server said in a shape that its package does not know, which tells of no more than the status then. */
function unread({ name, message, data, responseBody }: Record<string, unknown>): string {
  if (name !== "AI_APICallError" || data !== undefined || typeof responseBody !== "string") return "";
  try {
    const body = record(JSON.parse(responseBody.slice(0, 10_000)));
    const said = text(body?.message) || text(body?.detail) || text(body?.error);
    return said === "" || said === message ? "" : [text(message), said].filter(Boolean).join(": ");
  } catch {
    return "";
  }
}

/** Codes sit at the top, under `error`, under `data.error` (AI SDK) or in the chain of causes (sockets). */
function codesOf(fields: Record<string, unknown>): string {
  const found: string[] = [];
  const data = record(fields.data);
  let cause: Record<string, unknown> | undefined = fields;
  for (let depth = 0; cause !== undefined && depth < 5; depth++) {
    for (const holder of [cause, record(cause.error)]) found.push(text(holder?.code), text(holder?.type));
    cause = record(cause.cause);
  }
  for (const holder of [data, record(data?.error)]) {
    found.push(text(holder?.code), text(holder?.type), text(holder?.status));
  }
  return found.filter((code) => code !== "").join(" ");
}

/** The pause that the provider asked for: `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`. */
function retryAfter(facts: Facts, now: () => number): number | undefined {
  const ms = number(facts.headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const header = facts.headers["retry-after"];
  const seconds = number(header);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = header === undefined ? Number.NaN : Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, date - now());
  const delay = number(/"retryDelay"\s*:\s*"([\d.]+)s"/.exec(facts.body)?.[1]);
  return delay === undefined ? undefined : Math.ceil(delay * 1_000);
}

function number(value: string | undefined): number | undefined {
  if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}

const isStatus = (value: unknown): value is number => typeof value === "number" && value >= 100 && value < 600;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;

function lowerCased(headers: Record<string, unknown> | undefined): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {}))
    if (typeof value === "string") lower[name.toLowerCase()] = value;
  return lower;
}

function readable(error: object): string {
  try {
    return JSON.stringify(error) ?? thrownMessage(error);
  } catch {
    return thrownMessage(error);
  }
}
