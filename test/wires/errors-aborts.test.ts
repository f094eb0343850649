import { describe, expect, test } from "vitest";
import { createRuntime, fallback, type Run, tool } from "../../src/core.ts";
import { hang } from "./failures/broken.ts";
import { grammars } from "./raw/grammars.ts";
import { called } from "./raw/said.ts";
import { rawServer } from "./raw/server.ts";
import { says, serving } from "./serving.ts";
import { connect, type Wire, wires } from "./wires.ts";

const serve = serving();

/** Aborts by this signal at the first event of this type; the events that came. */
async function abortAt(run: Run, type: string, abort: () => void) {
  const types: string[] = [];
  for await (const event of run) {
    types.push(event.type);
    if (event.type === type) abort();
  }
  return { types, result: await run.result };
}

const reasons: readonly (readonly [string, unknown])[] = [
  ["a text", "enough"],
  ["an object", { why: "enough" }],
  ["nothing", undefined],
  ["an error that looks like one of the network", Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" })],
];

describe.each(wires)("$name", (wire) => {
  test.each(reasons)(
    "NET-08 an abort in the middle of a stream, with %s as its reason, is neither retried nor handed on",
    async (_, reason) => {
      const body = grammars[wire.grammar].events([{ text: "So far" }]);
      const { url, requests } = await serve(wire, {
        body: body.filter((event) => !String(event).includes("[DONE]")),
        ...hang,
      });
      const control = new AbortController();
      const model = fallback([connect(wire, url), connect(wire, url)]);
      const run = createRuntime({ model }).run("Go.", { signal: control.signal });
      const { types, result } = await abortAt(run, "message_update", () => control.abort(reason));
      expect(result.outcome).toBe("aborted");
      expect(result.text).toBe("So far");
      expect(types).not.toContain("retry");
      expect(requests).toHaveLength(1);
    },
  );

  test("NET-08 an abort while a request waits to be sent again ends the waiting", async () => {
    const { url, requests } = await serve(wire, { status: 429, headers: { "retry-after": "50" }, body: [] });
    const control = new AbortController();
    const model = fallback([connect(wire, url, { retry: {} }), connect(wire, url)]);
    const run = createRuntime({ model }).run("Go.", { signal: control.signal });
    const { types, result } = await abortAt(run, "retry", () => control.abort({ mine: true }));
    expect(result.outcome).toBe("aborted");
    expect(types.filter((type) => type === "retry")).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test("NET-08 an abort of a tool's own is an ordinary failed result", async () => {
    const fetches = tool({
      name: "fetches",
      execute: () => {
        throw new DOMException("The tool's own request was aborted.", "AbortError");
      },
    });
    const pick = says(wire, ...called(0, "call_a", "fetches", "{}"), { end: "tool_calls" });
    const { url, requests } = await serve(wire, pick, says(wire, { text: "Done." }, { end: "stop" }));
    const { outcome, text, messages } = await createRuntime({ model: connect(wire, url), tools: [fetches] }).run("Go.")
      .result;
    expect({ outcome, text }).toEqual({ outcome: "stop", text: "Done." });
    expect(messages[2]).toMatchObject({ role: "tool", isError: true });
    expect(requests).toHaveLength(2);
  });

  test("the next model is asked the same, with the history of the first", async () => {
    const next = wires[(wires.indexOf(wire) + 4) % wires.length] as Wire;
    const ran: string[] = [];
    const charge = tool({ name: "charge", execute: () => `charged ${ran.push("charge")}` });
    const pick = says(wire, ...called(0, "call_a", "charge", "{}"), { end: "tool_calls" });
    const first = await serve(wire, pick, { status: 401, body: [] });
    const second = await rawServer(() => ({
      headers: { "content-type": grammars[next.grammar].contentType },
      ...says(next, { text: "Done." }, { end: "stop" }),
    }));
    const models = [connect(wire, first.url), connect(next, second.url)] as const;
    const run = createRuntime({ model: fallback(models), tools: [charge] }).run("Go.");
    const told = [];
    for await (const event of run) if (event.type === "retry") told.push({ ...event.fallback, kind: event.error.kind });
    const { outcome, text, messages } = await run.result;
    await second.close();
    expect({ outcome, text }).toEqual({ outcome: "stop", text: "Done." });
    expect(told).toEqual([{ from: models[0].id, to: models[1].id, kind: "auth" }]);
    expect(messages.at(-1)).toMatchObject({ model: models[1].id });
    expect(ran).toEqual(["charge"]);
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]?.text).toContain("charged 1");
  });
});
