import { RondoError } from "../../error.ts";
import { thrownMessage } from "../../message/thrown-text.ts";

/** A request that follows redirects by its own rules. */
export type Get = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal;
};

const mostRedirects = 10;

/** An address as it may be shown and kept: without user, password, query and fragment. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

/**
 * Gets a URL. User and password of the URL go as `Authorization: Basic`, to its own origin only; a redirect from https
 * to http is refused. Rejects with a RondoError whose message shows no secret of the URL.
 */
export async function get({ url, headers, signal }: Get): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await once(at, { ...headers, ...(at.origin === url.origin && credentials(url)) }, signal);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    at = redirected(at, location);
  }
  throw problem(`${shownUrl(url)} redirects more than ${mostRedirects} times.`);
}

async function once(url: URL, headers: Get["headers"], signal: AbortSignal): Promise<Response> {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  try {
    return await fetch(bare.href, { headers, signal, redirect: "manual" });
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error as { cause?: unknown };
    const code = (cause as { code?: unknown } | undefined)?.code;
    throw problem(
      `${shownUrl(url)} cannot be reached: ${typeof code === "string" ? code : thrownMessage(cause ?? error)}.`,
    );
  }
}

function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw problem(`${shownUrl(from)} redirects to something that is no http or https address.`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw problem(`${shownUrl(from)} redirects from https to http (${shownUrl(to)}), which is not followed.`);
  }
  return to;
}

function credentials({ username, password }: URL): { readonly authorization?: string } {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

const problem = (message: string): RondoError => new RondoError("error", message);
