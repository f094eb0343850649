import { afterEach, describe, expect, test } from "vitest";
import { createRuntime, resolveModel } from "../../src/core.ts";
import { ask, request } from "./ask.ts";
import { answerOf, type Failed } from "./failures/said.ts";
import { anywhere, said } from "./failures/table.ts";
import { grammars } from "./raw/grammars.ts";
import { type RawServer, rawServer } from "./raw/server.ts";
import { connect, type Wire, wires } from "./wires.ts";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const retried = new Set(["transport", "rate_limit", "overloaded"]);

async function failure(wire: Wire, failed: Failed) {
  server = await rawServer(() => answerOf(failed));
  const { events, end } = await ask(connect(wire, server.url), request());
  expect(end.message).toMatchObject({ stopReason: "error", content: [] });
  return { types: events.map(({ type }) => type), error: end.error, sent: server.requests.length };
}

describe.each(wires)("$name", (wire) => {
  const rows = [...(said[wire.name] as readonly Failed[]), ...anywhere];

  test.each(rows)("NET-02 $what is $kind", async (failed) => {
    const { types, error, sent } = await failure(wire, failed);
    const { kind, status, retryAfterMs } = failed;
    expect(error).toMatchObject({ kind, status });
    expect(error?.retryAfterMs).toBe(retryAfterMs);
    expect(error?.message.startsWith(failed.message)).toBe(true);
    expect(error?.message).not.toMatch(/<\/?[a-z]|\n/);
    expect(types).toEqual(retried.has(kind) ? ["retry", "end"] : ["end"]);
    expect(sent).toBe(retried.has(kind) ? 2 : 1);
  });

  test("NET-02 a pause beyond the cap fails at once with its value", async () => {
    const { types, error } = await failure(wire, {
      ...(anywhere[0] as Failed),
      status: 429,
      headers: { "retry-after": "100000" },
    });
    expect(types).toEqual(["end"]);
    expect(error).toMatchObject({ kind: "rate_limit", retryAfterMs: 100_000_000 });
    expect(error?.message).toMatch(/It asks to wait for 27\.8 hours, longer than maxRetryAfterMs allows \(60 s\)\.$/);
  });

  test("NET-02 a pause beyond the run's time fails at once with the reason", async () => {
    server = await rawServer(() =>
      answerOf({ ...(anywhere[0] as Failed), status: 429, headers: { "retry-after": "60" } }),
    );
    const { outcome, error } = await createRuntime({ model: connect(wire, server.url) }).run("Hi.", {
      timeoutMs: 50_000,
    }).result;
    expect({ outcome, sent: server.requests.length }).toEqual({ outcome: "error", sent: 1 });
    expect(error?.message).toMatch(
      /It asks to wait for 60 s, longer than what is left of the run's time \([\d.]+ s\)\.$/,
    );
  });

  test("NET-02 529 with Retry-After twice, then a reply", async () => {
    const busy = answerOf({ ...(anywhere[0] as Failed), status: 529, headers: { "retry-after": "2" } });

    const { contentType, events } = grammars[wire.grammar];
    server = await rawServer((_, at) =>
      at < 2 ? busy : { headers: { "content-type": contentType }, body: events([{ text: "Here." }, { end: "stop" }]) },
    );
    const slept: number[] = [];
    const retry = { random: () => 0, sleep: async (ms: number) => void slept.push(ms) };
    const { end } = await ask(connect(wire, server.url, { retry }), request());
    expect(end.message.content).toMatchObject([{ type: "text", text: "Here." }]);
    expect(slept).toEqual([2_000, 2_000]);
  });

  test("SEC-06 a key that the provider quotes is not told", async () => {
    const apiKey = "secret-of-mine-1234567890";
    const message = `The key ${apiKey} is wrong; got headers {"authorization":"Bearer ${apiKey}"}`;
    const body = JSON.stringify({ message, error: { message, type: "authentication_error" } });
    server = await rawServer(() => ({ status: 401, headers: { "content-type": "application/json" }, body: [body] }));
    const { end } = await ask(connect(wire, server.url, { apiKey }), request());
    expect(end.error?.kind).toBe("auth");
    expect(JSON.stringify(end)).not.toContain(apiKey);
    expect(end.error?.message).toContain("The key [redacted] is wrong");
  });

  test("SEC-06 nor half of it, where what is said of it is too long", async () => {
    const apiKey = "secret-of-mine-1234567890";
    for (const before of [470, 480, 485, 490]) {
      const message = `${"No way. ".repeat(before / 5).slice(0, before)} ${apiKey} is wrong.`;
      const body = JSON.stringify({ message, error: { message, type: "authentication_error" } });
      server = await rawServer(() => ({ status: 401, headers: { "content-type": "application/json" }, body: [body] }));
      const { end } = await ask(connect(wire, server.url, { apiKey }), request());
      expect(end.error?.message).not.toContain("secret");
      expect(end.error?.message).toContain("No way.");
      await server.close();
    }
  });

  // Frames are no lines.
  test.runIf(wire.grammar !== "bedrock")("SEC-06 nor where a warning quotes what cannot be read", async () => {
    const apiKey = "secret-of-mine-1234567890";
    const { contentType, events } = grammars[wire.grammar];
    const body = [`data: your key ${apiKey} is old\n\n`, ...events([{ text: "Here." }, { end: "stop" }])];
    server = await rawServer(() => ({ headers: { "content-type": contentType }, body }));
    const told = await ask(connect(wire, server.url, { apiKey }), request());
    expect(told.events).toContainEqual(expect.objectContaining({ code: "unreadable_event" }));
    expect(JSON.stringify(told)).toContain("your key [redacted] is old");
  });

  test("a model that is not found is named", async () => {
    server = await rawServer(() => ({ status: 404, headers: {}, body: [] }));
    const { end } = await ask(connect(wire, server.url), request());
    const model = wire.spec.replace(/^.*?[/#](?=[^/#]*$)/, "");
    expect(end.error?.message).toBe(`Not Found. Is there a model "${model}"?`);
  });
});

test("SEC-06 what the URL or a header of a server says in secret is not told either, however the server quotes it", async () => {
  const pair = Buffer.from("ann:s3cret-w0rd").toString("base64");
  const quoted = `Wrong: s3cret-w0rd, ${pair}, t0ken-of-mine and plain-tok3n`;
  const body = JSON.stringify({ error: { message: quoted, type: "authentication_error" } });
  server = await rawServer(() => ({ status: 401, headers: { "content-type": "application/json" }, body: [body] }));
  const at = `${server.url.replace("//", "//ann:s3cret-w0rd@")}/v1?token=t0ken-of-mine#m`;
  const headers = { "x-auth": "Token plain-tok3n" };
  const { end } = await ask(resolveModel(at, { env: {}, headers }), request());
  expect(end.error?.message).toMatch(/^Wrong: \[redacted\], \[redacted\], \[redacted\] and \[redacted\]/);
});
