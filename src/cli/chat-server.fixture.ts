import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server answers to one request. */
export type Reply = {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  readonly finish?: string;
  /** Answers with this status and `error` instead. */
  readonly status?: number;
  readonly error?: string;
  /** Says `text` and then nothing more, without an end. */
  readonly hangs?: boolean;
  /** Says `text` over and over, without an end. */
  readonly drips?: boolean;
};

/** A request as the server got it. */
export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly tool_choice?: unknown;
  };
};

export type ChatServer = {
  /** For `--model`. */
  readonly model: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
};

/** A server that speaks just enough of the chat completions wire; `reply` gets the number of the request, from 1. */
export async function chatServer(reply: (round: number) => Reply): Promise<ChatServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body: JSON.parse(body) });
    send(response, reply(received.length), received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    model: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#gpt-test`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function send(
  response: ServerResponse,
  { text, calls, finish, status, error, hangs, drips }: Reply,
  round: number,
): void {
  if (status !== undefined) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { message: error ?? "no", type: "test" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta: object, finishReason: string | null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    response.write(`data: ${JSON.stringify({ id: `r${round}`, model: "gpt-test", choices, ...more })}\n\n`);
  };
  for (const word of text?.match(/\S+\s*/g) ?? []) chunk({ content: word }, null);
  if (drips) {
    const timer = setInterval(() => chunk({ content: text }, null), 20);
    response.on("close", () => clearInterval(timer));
  }
  if (hangs || drips) return;
  calls?.forEach((call, index) => {
    const wire = { name: call.name, arguments: JSON.stringify(call.arguments) };
    chunk({ tool_calls: [{ index, id: `call_${round}_${index}`, type: "function", function: wire }] }, null);
  });
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  chunk({}, finish ?? (calls === undefined ? "stop" : "tool_calls"), { usage });
  response.end("data: [DONE]\n\n");
}
