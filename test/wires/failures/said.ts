import type { ModelFailure } from "../../../src/model/model.ts";
import type { Answer } from "../raw/server.ts";

/** A failed response as its provider writes it, and what it is to be taken for. */
export type Failed = {
  readonly what: string;
  readonly status: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
  readonly kind: ModelFailure["kind"];
  /** What the failure says, or what it begins with where advice follows. */
  readonly message: string;
  readonly retryAfterMs?: number;
};

export const answerOf = ({ status, body, headers }: Failed): Answer => ({
  status,
  headers: { "content-type": body.startsWith("<") ? "text/html" : "application/json", ...headers },
  body: body === "" ? [] : [body],
});

/** What else a row says. */
export type Row = Omit<Failed, "status" | "body" | "kind" | "message">;
export type Kind = ModelFailure["kind"];
