import { withoutSecrets } from "../message/redact.ts";
import { excerpt } from "./excerpt.ts";
import { type Facts, unread } from "./failure-facts.ts";

const maxChars = 500;

/** `fetch` quotes the header that it cannot send, and that may be the key. */
const quotedHeader = /^(Headers\.\w+: )".*" is (?=an invalid header value)/;

/** What went wrong in one short line: the provider's own words if it sent any, no page of a proxy, no key. */
export function failureText(facts: Facts): string {
  const said = wordsOf(facts)
    .slice(0, 40 * maxChars)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .replace(quotedHeader, "$1");
  return excerpt(withoutSecrets(excerpt(said, 4 * maxChars)), maxChars);
}

function wordsOf(facts: Facts): string {
  const { status, said, message } = facts;
  if (unread.test(facts.name)) return unreadText(message);
  if (status !== undefined && said.message !== undefined) {
    return said.place === undefined ? said.message : `${said.message} (${said.place})`;
  }
  return (status === undefined ? socketText(facts) : undefined) ?? message;
}

/** Packages tell at length how what came differs from what they know. */
function unreadText(message: string): string {
  const came = /(?:Value|Text): ([\s\S]*?)\.?\s*Error message:/.exec(message)?.[1];
  return came === undefined ? message : `The server sent what is no reply: ${excerpt(came, 200)}`;
}

/** Node says "fetch failed" of whatever happens to a connection; the reason stands at the end of the chain. */
function socketText({ codes, cause, name, message }: Facts): string | undefined {
  const code = /\b(?:E[A-Z_]{3,}|UND_ERR_\w+|ERR_\w+|[A-Z]+_[A-Z_]*CERT[A-Z_]*|CERT_\w+)\b/.exec(codes)?.[0];
  if (code === undefined) {
    const isBroken = /terminated|Failed to process successful response/.test(message);
    return isBroken ? "The connection was lost before the reply had ended." : undefined;
  }
  const host = [cause.hostname, cause.address, cause.host].find((one) => typeof one === "string");
  const where = [host, cause.port].filter((one) => one !== undefined && one !== "").join(":") || "the server";
  if (code === "ECONNREFUSED") return `Nothing answers at ${where} (${code}).`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host ${host ?? ""} was not found (${code}).`;
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT")
    return `Nothing came for so long that the connection was given up (${code}).`;
  if (/TIMEDOUT|CONNECT_TIMEOUT/.test(code)) return `${where} could not be reached in time (${code}).`;
  if (/CERT|SSL|TLS|EPROTO/.test(code)) return `No secure connection (${code}): ${String(cause.message ?? message)}`;
  const isConnection = /^(?:ECONN|EPIPE|E\w+UNREACH|UND_ERR_SOCKET)/.test(code);
  return isConnection || name === "TypeError" ? `The connection was lost (${code}).` : undefined;
}
