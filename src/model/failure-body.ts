import { wordsBeside } from "./failure-echo.ts";

/** What the body of a failed response says: in words, and its codes, types and reasons, joined. */
export type Said = {
  readonly message?: string;
  readonly codes?: string;
  /** Which field of the request is meant. */
  readonly place?: string;
  /** Google's pause, such as `34.1s`. */
  readonly retryDelay?: string;
};

type Fields = { readonly [field: string]: unknown };

/**
 * Reads the body of a failed response, whoever wrote it: `{ error: { message } }` (most), `{ error: "…" }` (Ollama),
 * `{ message }` (AWS, vLLM), `{ detail }` (FastAPI), the same in a list (Google), plain text, or the page of a proxy, of
 * which no more than the title is taken.
 */
export function saidIn(body: string): Said {
  const text = body.trim();
  if (text === "") return {};
  if (text.startsWith("<")) return worded(titleOf(text));
  if (text[0] !== "{" && text[0] !== "[") return worded(text.split("\n", 1)[0]);
  try {
    return saidBy(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The same of what was read already, such as an error object in a stream. */
export function saidBy(value: unknown, depth = 0): Said {
  if (Array.isArray(value)) return saidBy(value[0], depth);
  if (typeof value === "string") return worded(value);
  const fields = record(value);
  if (fields === undefined || depth > 3) return {};
  const inner = saidBy(fields.error ?? fields.errors ?? fields.detail, depth + 1);
  const own = [fields.message, fields.Message, fields.msg].find(isText);
  const codes = [...codesIn(fields), inner.codes ?? ""].filter((code) => code !== "").join(" ");
  const message = inner.message ?? (own === undefined ? undefined : withCause(own, record(fields.metadata)));
  const delay = detailsOf(fields).map(({ retryDelay }) => retryDelay);
  const retryDelay = inner.retryDelay ?? delay.find(isText);
  const place = inner.place ?? placeIn(fields);
  return {
    ...(message === undefined ? undefined : { message }),
    ...(codes === "" ? undefined : { codes }),
    ...(place === undefined ? undefined : { place }),
    ...(retryDelay === undefined ? undefined : { retryDelay }),
  };
}

function codesIn(fields: Fields): string[] {
  const { code, type, status, __type, innererror } = fields;
  const reasons = detailsOf(fields).flatMap(({ reason, violations }) => [
    reason,
    ...(Array.isArray(violations) ? violations.map((one) => record(one)?.quotaId) : []),
  ]);
  return [code, type, status, __type, record(innererror)?.code, ...reasons].filter(isText);
}

/** FastAPI's path to what is wrong, such as `body.parallel_tool_calls`. */
function placeIn({ loc, msg }: Fields): string | undefined {
  if (!Array.isArray(loc) || !isText(msg)) return undefined;
  const path = loc.filter((one) => typeof one === "string" || typeof one === "number").join(".");
  return path === "" || path.length > 100 ? undefined : path;
}

/** Google's list of what else there is to say. */
const detailsOf = ({ details }: Fields): readonly Fields[] =>
  Array.isArray(details) ? details.map((one) => record(one) ?? {}) : [];

/** Gateways say only that a provider failed and put its own words beside that. */
function withCause(message: string, metadata: Fields | undefined): string {
  if (!isText(metadata?.raw)) return message;
  const raw = saidIn(metadata.raw).message ?? wordsBeside(metadata.raw);
  return raw === message || raw === "" ? message : `${message}: ${raw}`;
}

const titleOf = (page: string): string | undefined => /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1]?.trim();
const worded = (message: string | undefined): Said => (message ? { message } : {});
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const record = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined;
