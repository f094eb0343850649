import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { grammars, sse } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { type RawServer, rawServer } from "./raw/server.ts";
import { connect, wires } from "./wires.ts";

let server: RawServer | undefined;
afterEach(() => server?.close());

const cities = ["Genoa", "Oslo"];
const said: Said[] = [
  { text: "Let me look." },
  ...cities.flatMap((city, at) => called(at, `call_${at}`, "weather", JSON.stringify({ city }))),
];
const answer: Said[] = [{ text: "Fine." }, { end: "stop" }];

describe.each(wires)("$name", ({ grammar, ...wire }) => {
  test("a reader begins while the reply still streams, and its events come in their turn", async () => {
    const { contentType, events } = grammars[grammar];
    const headers = { "content-type": contentType };
    const began = Promise.withResolvers<string>();
    // The server does not end the reply before the first tool has begun, or that has taken too long.
    const until = Promise.race([began.promise, pause(2_000, "never", { ref: false })]);
    const whole = events([...said, { end: "tool_calls" }]);
    const first = events(said).length;
    server = await rawServer((_, at) =>
      at === 0
        ? { headers, body: [...whole.slice(0, first), until, ...whole.slice(first)] }
        : { headers, body: events(answer) },
    );
    const weather = tool({
      name: "weather",
      description: "Weather of a city.",
      readOnly: true,
      input: { type: "object", properties: { city: { type: "string" } } },
      execute: ({ city }) => {
        began.resolve(String(city));
        return `${city}: sunny`;
      },
    });
    const runtime = createRuntime({ model: connect(wire, server.url), tools: [weather] });
    const run = runtime.run("Weather?", { toolExecution: "overlap" });
    const told: string[] = [];
    for await (const event of run) if (/^(tool_|message_end)/.test(event.type)) told.push(event.type);
    expect(await until).toBe("Genoa");
    expect(await run.result).toMatchObject({ outcome: "stop", text: "Fine." });
    expect(told.slice(1)).toEqual(["message_end", "tool_start", "tool_start", "tool_end", "tool_end", "message_end"]);
  });
});

const begin: Said[] = [{ call: 0, id: "call_0", name: "weather" }];
const pieces: Said[] = ['{"city":"Ge', "no", 'a"}'].map((args) => ({ call: 0, args }));
const ends: Said[] = [{ ended: 0 }, { end: "tool_calls" }];

describe.each(wires.filter(({ grammar }) => grammar !== "gemini"))("$name", (wire) => {
  const { contentType, events } = grammars[wire.grammar];
  const whole = events([...begin, ...pieces, ...ends]);
  const at = whole.findIndex((event) => Buffer.from(event as Uint8Array).includes('no"'));
  const half = String(whole[at]).slice(0, -20);
  const broken = [...whole.slice(0, at), `${half}\n\n`, ...whole.slice(at + 1)];

  // Servers that end a stream behind their last event have told its end by then.
  const cut = events(begin).filter((event) => event !== sse("[DONE]"));
  const bodies: readonly (readonly [string, readonly (string | Uint8Array)[]])[] = [
    ["a piece cannot be read", broken],
    ["it ends before any piece", cut],
  ];

  // A broken frame of Bedrock's breaks its stream.
  test.each(wire.grammar === "bedrock" ? bodies.slice(1) : bodies)(
    "half a call never runs, not even early: %s",
    async (_, body) => {
      const headers = { "content-type": contentType };
      server = await rawServer((_, round) => ({ headers, body: round === 0 ? body : events(answer) }));
      const ran: unknown[] = [];
      const weather = tool({
        name: "weather",
        description: "Weather.",
        readOnly: true,
        execute: (args) => ran.push(args),
      });
      const runtime = createRuntime({ model: connect(wire, server.url), tools: [weather] });
      const { outcome } = await runtime.run("Weather?", { toolExecution: "overlap" }).result;
      expect({ ran, outcome }).toEqual({ ran: [], outcome: "stop" });
    },
  );
});
