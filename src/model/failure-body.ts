/** What the body of a failed response says: in words, and its codes, types and reasons, joined. */
export type Said = { readonly message?: string; readonly codes?: string };

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
    return saidBy(JSON.parse(text), 0);
  } catch {
    return {};
  }
}

function saidBy(value: unknown, depth: number): Said {
  if (Array.isArray(value)) return saidBy(value[0], depth);
  if (typeof value === "string") return worded(value);
  const fields = record(value);
  if (fields === undefined || depth > 3) return {};
  const inner = saidBy(fields.error ?? fields.errors ?? fields.detail, depth + 1);
  const own = [fields.message, fields.Message, fields.msg].find(isText);
  const codes = [...codesIn(fields), inner.codes ?? ""].filter((code) => code !== "").join(" ");
  const message = inner.message ?? (own === undefined ? undefined : withCause(own, record(fields.metadata)));
  return { ...(message === undefined ? undefined : { message }), ...(codes === "" ? undefined : { codes }) };
}

function codesIn(fields: Fields): string[] {
  const { code, type, status, __type, innererror, details } = fields;
  const reasons = Array.isArray(details) ? details.map((detail) => record(detail)?.reason) : [];
  return [code, type, status, __type, record(innererror)?.code, ...reasons].filter(isText);
}

/** Gateways say only that a provider failed and put its own words beside that. */
function withCause(message: string, metadata: Fields | undefined): string {
  if (!isText(metadata?.raw)) return message;
  const raw = saidIn(metadata.raw).message ?? metadata.raw;
  return raw === message ? message : `${message}: ${raw}`;
}

const titleOf = (page: string): string | undefined => /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1]?.trim();
const worded = (message: string | undefined): Said => (message ? { message } : {});
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const record = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined;
