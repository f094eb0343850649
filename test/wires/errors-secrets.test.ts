import { describe, expect, test } from "vitest";
import type { ModelEvent } from "../../src/model/model.ts";
import { ask, request } from "./ask.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

// Made of parts, and unlike any known kind of key.
const part = (seed: string) => Array.from({ length: 9 }, (_, at) => `${seed}${(at * 7919 + 13).toString(36)}`).join("");
const secrets = {
  key: part("k"),
  header: part("h"),
  parameter: `${part("p")}/+=`,
  id: part("i"),
  access: part("a"),
  session: part("s"),
};

/** What a server may quote of a request, its headers above all; `before` moves it to and fro across the place where texts are cut. */
const quoted = (before: number, aws: boolean) =>
  [
    `${"x".repeat(before)} the request was not understood: Authorization: Bearer ${secrets.key}`,
    `x-api-key=${secrets.key} x-mine: ${secrets.header} ?code=${encodeURIComponent(secrets.parameter)} ${secrets.parameter}`,
    aws ? `x-amz-security-token:${secrets.session} token ${secrets.session} ${secrets.id} ${secrets.access}` : "",
  ].join(" ");

/** Six characters of a key in a row are too many. */
const leaks = (said: string): string[] =>
  Object.values(secrets).flatMap((secret) =>
    Array.from({ length: secret.length - 6 }, (_, at) => secret.slice(at, at + 6)).filter((piece) =>
      said.includes(piece),
    ),
  );

const model = (wire: Wire, url: string) =>
  connect(wire, url, {
    ...(wire.grammar === "bedrock" ? { apiKey: "" } : { apiKey: secrets.key }),
    headers: { "x-mine": secrets.header },
    queryParams: { code: secrets.parameter },
    env: { AWS_ACCESS_KEY_ID: secrets.id, AWS_SECRET_ACCESS_KEY: secrets.access, AWS_SESSION_TOKEN: secrets.session },
  });

const told = (events: readonly ModelEvent[]): string =>
  JSON.stringify(events.map((event) => (event.type === "end" ? event.error : event)));

describe.each(wires)("$name", (wire) => {
  test("SEC-06 what a failure quotes of its request holds no key, wherever its text is cut", async () => {
    for (let before = 0; before < 520; before += 65) {
      const message = quoted(before, wire.grammar === "bedrock");
      for (const body of [
        JSON.stringify({ message, error: { type: "invalid_request_error", message } }),
        message,
        `{"detail":"${message}`,
      ]) {
        const answer = { status: 400, headers: { "content-type": "application/json" }, body: [body] };
        const server = await serve(wire, answer);
        const { events, end } = await ask(model(wire, server.url), request());
        await server.close();
        expect(end.error?.status).toBe(400);
        expect({ before, leaks: leaks(told(events)) }).toEqual({ before, leaks: [] });
      }
    }
  });

  test.runIf(wire.grammar !== "bedrock")("SEC-06 an event that cannot be read holds none in its warning", async () => {
    for (let before = 0; before < 200; before += 35) {
      const { body } = says(wire, { text: "Hi." }, { end: "stop" });
      const server = await serve(wire, {
        body: [`data: {"oops ${quoted(before, wire.grammar === "bedrock")}\n\n`, ...(body as string[])],
      });
      const { events } = await ask(model(wire, server.url), request());
      await server.close();
      expect({ before, leaks: leaks(told(events)) }).toEqual({ before, leaks: [] });
    }
  });
});
