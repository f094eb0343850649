import { RondoError } from "../error.ts";

/** A server as its URL names it: the model behind the `#`, and what the URL says in secret apart from its address. */
export type Server = {
  /** The name without user, password and query: for messages, events and errors. */
  readonly id: string;
  readonly model: string;
  readonly baseURL: string;
  readonly headers?: { readonly authorization: string };
  readonly queryParams?: { readonly [name: string]: string };
};

/** Reads `http://host/v1#model`. Throws `unknown_model`, without what is secret, for what is no such URL. */
export function serverOf(spec: string): Server {
  const url = URL.parse(spec);
  if (url === null) throw noServer(spec, "is no URL");
  const model = decoded(url.hash.slice(1));
  if (model === undefined)
    throw noServer(spec, 'has a "%" behind the "#" that stands for no character (write it as %25)');
  if (model === "") throw noServer(spec, "names no model");
  const { username, password, searchParams } = url;
  const secret = username !== "" || password !== "" || url.search !== "";
  const base = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  return {
    id: secret ? `${base}${url.hash}` : spec,
    model,
    baseURL: base,
    ...((username !== "" || password !== "") && { headers: { authorization: basic(username, password) } }),
    ...(searchParams.size > 0 && { queryParams: Object.fromEntries(searchParams) }),
  };
}

function basic(user: string, password: string): string {
  const pair = `${decoded(user) ?? user}:${decoded(password) ?? password}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function noServer(spec: string, problem: string): RondoError {
  const shown = spec.replace(/(\/\/)[^/#]*@/, "$1").replace(/\?[^#]*/, "");
  return new RondoError(
    "unknown_model",
    `Model ${JSON.stringify(shown)} ${problem}: write the server's base URL, "#" and the model, as in "http://127.0.0.1:8080/v1#qwen3".`,
  );
}
