import type { IncomingMessage } from "node:http";
import { RondoError } from "../../error.ts";
import { thrownMessage } from "../../message/thrown-text.ts";

/** A request that follows redirects by its own rules. */
export type Get = {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal;
};

/** What came, as far as its headers. `header` takes names in lower case. */
export type Got = {
  readonly status: number;
  readonly statusText: string;
  readonly header: (name: string) => string | undefined;
  readonly body: IncomingMessage;
};

/** Milliseconds without a byte after which a connection counts as dead. */
export const patience = 60_000;

const mostRedirects = 10;

/** An address as it may be shown and kept: without user, password, query and fragment. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

/**
 * Gets a URL. User and password of the URL go as `Authorization: Basic`, to its own origin only; a redirect from https
 * to http is refused. Rejects with a RondoError whose message shows no secret of the URL.
 */
export async function get({ url, headers, signal }: Get): Promise<Got> {
  let at = url;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await once(at, { ...headers, ...(at.origin === url.origin && credentials(url)) }, signal);
    const location = response.header("location");
    if (response.status < 300 || response.status > 399 || location === undefined) return response;
    response.body.destroy();
    at = redirected(at, location);
  }
  throw problem(`${shownUrl(url)} redirects more than ${mostRedirects} times.`);
}

/**
 * By `node:http` and not by `fetch`: Node's own throws where nobody can catch it when a connection ends while its reader
 * lets it wait, as one does that writes to a disk.
 */
async function once(url: URL, headers: Get["headers"], signal: AbortSignal): Promise<Got> {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      if (signal.aborted) reject(signal.reason);
      else reject(problem(`${shownUrl(url)} cannot be reached: ${codeOf(error) ?? thrownMessage(error)}.`));
    };
    try {
      const asked = request(bare, { headers, signal }, (incoming) => {
        asked.setTimeout(0);
        resolve(gotOf(incoming));
      });
      asked.setTimeout(patience, () => asked.destroy(new Error(`nothing came for ${patience / 1000} s`)));
      asked.on("error", failed);
      asked.end();
    } catch (error) {
      failed(error as Error);
    }
  });
}

const codeOf = (error: Error): string | undefined => (error as NodeJS.ErrnoException).code;

function gotOf(incoming: IncomingMessage): Got {
  const { statusCode = 0, statusMessage = "", headers } = incoming;
  // It may break before anybody reads it; who reads it then is told.
  incoming.on("error", () => {});
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  return { status: statusCode, statusText: statusMessage, header, body: incoming };
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
