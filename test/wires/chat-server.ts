import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closed, listen } from "./recorder.ts";

export type ChatBody = {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
};

/** How a request is answered: pieces of a reply; or a status with a body. */
export type ChatAnswer =
  | {
      readonly pieces: readonly string[];
      readonly finish?: "stop" | "length";
      /** Behind the pieces the server writes this piece for ever, or nothing. */
      readonly forever?: string;
    }
  | { readonly status: number; readonly body: unknown };

export type ChatServer = {
  readonly url: string;
  readonly bodies: readonly ChatBody[];
  /** Replies that the other side broke off. */
  readonly broken: () => number;
  close(): Promise<void>;
};

/** A server of the OpenAI chat protocol on a loopback port; `answer` is asked for each request, from 0. */
export async function chatServer(answer: (body: ChatBody, index: number) => ChatAnswer): Promise<ChatServer> {
  const bodies: ChatBody[] = [];
  let broken = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body: ChatBody = JSON.parse(text);
    const said = answer(body, bodies.push(body) - 1);
    response.on("close", () => {
      if (!response.writableFinished) broken++;
    });
    if ("status" in said) {
      response.writeHead(said.status, { "content-type": "application/json" }).end(JSON.stringify(said.body));
    } else await stream(response, said);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    broken: () => broken,
    close: () => closed(server),
  };
}

async function stream(
  response: ServerResponse,
  { pieces, finish = "stop", forever }: Extract<ChatAnswer, { pieces: unknown }>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: unknown[], more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`,
    );
  const say = (content: string) => chunk([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }]);
  for (const piece of pieces) say(piece);
  if (forever === "") return;
  while (forever !== undefined && !response.destroyed) {
    say(forever);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  chunk([{ index: 0, delta: {}, finish_reason: finish }]);
  chunk([], { usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } });
  response.end("data: [DONE]\n\n");
}
