import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { grammars } from "./raw/grammars.ts";
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
