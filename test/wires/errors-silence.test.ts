import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createRuntime, textOf } from "../../src/core.ts";
import { ask, request } from "./ask.ts";
import { hang, never } from "./failures/broken.ts";
import { type GrammarName, grammars, sse } from "./raw/grammars.ts";
import { type Answer, rawServer } from "./raw/server.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

const emptyChunk = sse(
  JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [] }),
);

/** What keeps a connection open and says nothing; Bedrock has nothing of the kind. */
const pings: { readonly [G in GrammarName]: readonly string[] } = {
  chat: [": keep-alive\n\n", emptyChunk],
  responses: [": keep-alive\n\n"],
  anthropic: [sse('{"type":"ping"}'), ": keep-alive\n\n"],
  gemini: [": keep-alive\n\n"],
  bedrock: [],
};

/** Pings for some ten seconds, which no test waits for. */
function pinging({ grammar }: Wire): (string | number)[] {
  return Array.from({ length: 1_000 }).flatMap(() => [...pings[grammar], 10]);
}

const begun = ({ grammar }: Wire) => {
  const { events } = grammars[grammar];
  return events([{ text: "So far" }]).filter((event) => event !== sse("[DONE]"));
};

const done = (wire: Wire): Answer => says(wire, { text: "Done." }, { end: "stop" });

describe.each(wires)("$name", (wire) => {
  test("NET-06 pings are no beginning: a silent model is asked once more, then given up", async () => {
    const { url } = await serve(wire, { body: pinging(wire), ...hang });
    const model = connect(wire, url, { firstTokenTimeoutMs: 60, retry: { retries: 5, sleep: async () => {} } });
    const { events, end } = await ask(model, request());
    const error = { kind: "timeout", message: "The model did not begin to answer for 60 ms (firstTokenTimeoutMs)." };
    expect(events).toMatchObject([
      { type: "retry", error },
      { type: "end", error },
    ]);
    expect(end.message.stopReason).toBe("error");
  });

  test("NET-06 without headers too; the second request may be answered", async () => {
    const { url } = await serve(wire, never, done(wire));
    // Long enough for the answer that does come, on a busy machine too.
    const { events, end } = await ask(connect(wire, url, { idleTimeoutMs: 800 }), request());
    expect(events[0]).toMatchObject({ type: "retry", error: { kind: "timeout" } });
    expect(textOf(end.message)).toBe("Done.");
  });

  test("NET-06 pings behind content are no content: the reply ends with what came", async () => {
    const { url, requests, left } = await serve(
      wire,
      { body: [...begun(wire), ...pinging(wire)], ...hang },
      done(wire),
    );
    const runtime = createRuntime({ model: connect(wire, url, { idleTimeoutMs: 60, firstTokenTimeoutMs: 60_000 }) });
    const { outcome, text, error } = await runtime.run("Go.").result;
    expect({ outcome, text }).toEqual({ outcome: "error", text: "So far" });
    expect(error?.message).toBe(
      "The model's request failed (timeout): The model went silent for 60 ms (idleTimeoutMs).",
    );
    expect(requests).toHaveLength(1);
    await expect.poll(left).toBe(1);
  });

  test("NET-06 while nobody asks it for more no model is silent", async () => {
    const { url } = await serve(wire, says(wire, { text: "One " }, { text: "two." }, { end: "stop" }));
    const model = connect(wire, url, { idleTimeoutMs: 100, firstTokenTimeoutMs: 60_000 });
    let text = "";
    for await (const event of model.stream(request(), new AbortController().signal)) {
      if (event.type === "text") {
        text += event.delta;
        await pause(250);
      } else if (event.type === "end") expect(event.error).toBe(undefined);
    }
    expect(text).toBe("One two.");
  });

  // Once for each grammar: it takes its time.
  const isFirst = wires.find(({ grammar }) => grammar === wire.grammar) === wire;
  test.runIf(isFirst)("NET-06 a reply that goes on is not ended, however long it takes", async () => {
    const words = Array.from({ length: 8 }, (_, i) => ({ text: `${i} ` }));
    const body = grammars[wire.grammar].events([...words, { end: "stop" }]).flatMap((event) => [event, 100]);
    const { url } = await serve(wire, { body });
    const { end } = await ask(connect(wire, url, { idleTimeoutMs: 700 }), request());
    expect(end.error).toBe(undefined);
    expect(textOf(end.message)).toBe("0 1 2 3 4 5 6 7 ");
  });

  test("timeoutMs ends whatever is waited for", async () => {
    const { contentType } = grammars[wire.grammar];
    const cases: readonly Answer[] = [
      never,
      { body: pinging(wire), ...hang },
      {
        body: begun(wire)
          .flatMap((event) => [event, 10])
          .concat(pinging(wire)),
        ...hang,
      },
      { status: 503, body: [] },
    ];
    const ended = await Promise.all(
      cases.map(async (answer) => {
        const one = await rawServer(() => ({ headers: { "content-type": contentType }, ...answer }));
        const model = connect(wire, one.url, { retry: { baseDelayMs: 100_000, maxDelayMs: 100_000 } });
        const retries: number[] = [];
        const onRetry = ({ delayMs }: { delayMs: number }) => void retries.push(delayMs);
        const { outcome } = await createRuntime({ model }).run("Go.", { timeoutMs: 800, onRetry }).result;
        // The connection is given up too.
        if (answer.status === undefined) await expect.poll(one.left).toBe(1);
        await one.close();
        return { outcome, again: one.requests.length > 1, retries: retries.filter((ms) => ms >= 50_000).length };
      }),
    );
    const cut = { outcome: "timeout", again: false, retries: 0 };
    expect(ended).toEqual([cut, cut, cut, { ...cut, retries: 1 }]);
  });
});

test.each([0, -1, Number.NaN, "5"])("an idle timeout of %s is a mistake, told at once", (idleTimeoutMs) => {
  const options = { apiKey: "x", idleTimeoutMs: idleTimeoutMs as number };
  expect(() => connect(wires[0] as Wire, "http://127.0.0.1:1", options)).toThrow(/"idleTimeoutMs" must be/);
});
