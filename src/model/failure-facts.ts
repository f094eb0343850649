import { thrownMessage } from "../message/thrown-text.ts";
import { type Said, saidBy, saidIn } from "./failure-body.ts";
import { unechoed, wordsBeside } from "./failure-echo.ts";

/** What is known about a thrown value or an error part, read without importing the package it came from. */
export type Facts = {
  readonly name: string;
  /** What the error itself says; `said` is what the provider wrote. */
  readonly message: string;
  readonly status?: number;
  /** Nobody sent this status: packages say 500 of an error inside a reply whose type they do not know. */
  readonly guessed?: boolean;
  readonly retryable?: boolean;
  readonly headers: { readonly [name: string]: string | undefined };
  /** What the error says of itself, by which it is judged: nothing of what it echoes. */
  readonly words: string;
  /** Error codes and types of the provider and of the socket, joined. */
  readonly codes: string;
  readonly said: Said;
  /** The innermost cause: what the socket said. */
  readonly cause: { readonly [field: string]: unknown };
};

export function factsOf(error: unknown): Facts {
  try {
    return readFacts(error);
  } catch {
    // It throws when it is read.
    return { ...nothing, message: thrownMessage(error), words: thrownMessage(error) };
  }
}

const nothing: Facts = { name: "", message: "", words: "", headers: {}, codes: "", said: {}, cause: {} };

function readFacts(error: unknown): Facts {
  if (typeof error === "string") {
    return { ...nothing, message: error || "The provider sent an empty error.", words: unechoed(error) };
  }
  if (typeof error !== "object" || error === null) {
    return { ...nothing, message: `The provider failed with ${thrownMessage(error)}.` };
  }
  const fields = error as Record<string, unknown>;
  const nested = record(fields.error);
  const status = [fields.statusCode, fields.status, nested?.code, fields.code].find(isStatus);
  const headers = lowerCased(record(fields.responseHeaders));
  const body = text(fields.responseBody);
  const said = saidIn(body);
  const { codes, cause } = chainOf(fields);
  const name = text(fields.name);
  const own = text(fields.message) || text(nested?.message);
  return {
    name,
    message: own || readable(error),
    words: wordsOf({ name, own, body, said, fields, codes }),
    // A status below is that of a reply that broke off.
    ...(status === undefined || status < 400 ? undefined : { status }),
    ...(status === 500 && isInside(fields, headers) ? { guessed: true } : undefined),
    ...(typeof fields.isRetryable === "boolean" ? { retryable: fields.isRetryable } : undefined),
    headers,
    codes: [codes, said.codes, headers["x-amzn-errortype"]].filter(Boolean).join(" "),
    said,
    cause,
  };
}

/** Whether an error came inside a reply: no failed response is a stream of events. */
const isInside = (fields: Record<string, unknown>, headers: Facts["headers"]): boolean =>
  fields.responseHeaders === undefined || /^text\/event-stream/.test(headers["content-type"] ?? "");

type Parts = {
  readonly name: string;
  readonly own: string;
  readonly body: string;
  readonly said: Said;
  readonly fields: Record<string, unknown>;
  readonly codes: string;
};

/** What kind of failure it is must not depend on what a server quotes of the request, or a package of the reply. */
function wordsOf({ name, own, body, said, fields, codes }: Parts): string {
  if (unread.test(name)) return unechoed(saidBy(fields.value).message ?? "");
  const isBare = said.message === undefined && said.codes === undefined && codes === "";
  const all = [own || saidBy(fields).message, said.message].map((one) => unechoed(one ?? ""));
  return [...all, isBare ? wordsBeside(body) : ""].join(" ");
}

/** Errors of packages about what came, which quote it at length. */
export const unread = /^AI_(?:JSONParse|TypeValidation)Error$/;

/** Codes sit at the top, under `error`, under `data.error` (AI SDK) or in the chain of causes (sockets). */
function chainOf(fields: Record<string, unknown>): Pick<Facts, "codes" | "cause"> {
  const found: string[] = [];
  let cause = fields;
  for (let depth = 0; depth < 5; depth++) {
    for (const holder of [cause, record(cause.error)]) found.push(text(holder?.code), text(holder?.type));
    // Attempts to several addresses of a host are gathered.
    const errors: unknown = cause.errors;
    const next = record(cause.cause) ?? (Array.isArray(errors) ? record(errors[0]) : undefined);
    if (next === undefined) break;
    cause = next;
  }
  const data = record(fields.data);
  for (const holder of [data, record(data?.error)]) {
    found.push(text(holder?.code), text(holder?.type), text(holder?.status));
  }
  return { codes: found.filter((code) => code !== "").join(" "), cause };
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
