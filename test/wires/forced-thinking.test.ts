import { afterEach, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { type RawServer, rawServer } from "./raw/server.ts";
import { connect, wires } from "./wires.ts";

let server: RawServer | undefined;
afterEach(() => server?.close());

const replies: Said[][] = [
  [{ text: "I would rather talk." }, { end: "stop" }],
  [...called(0, "toolu_1", "look", "{}"), { end: "tool_calls" }],
  [{ text: "Found." }, { end: "stop" }],
];

test.each(wires.filter(({ name }) => name === "Anthropic" || name === "Bedrock Claude"))(
  "LOOP-03 $name: a forced choice while it thinks is asked for, and once more when the reply is only text",
  async (wire) => {
    const { contentType, events } = grammars[wire.grammar];
    server = await rawServer((_, at) => ({
      headers: { "content-type": contentType },
      body: events(replies[at] as Said[]),
    }));
    let looked = 0;
    const look = tool({
      name: "look",
      description: "Looks.",
      execute: () => {
        looked += 1;
        return "a key";
      },
    });
    const runtime = createRuntime({ model: connect(wire, server.url), tools: [look], effort: "high" });
    const run = runtime.run("Go", { toolChoice: "required" });
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.message);
    expect(await run.result).toMatchObject({ outcome: "stop", text: "Found." });
    expect(looked).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('the choice of "required" was sent as "auto"')]);
    const asked = server.requests.map(({ body }) => wire.read(body));
    expect(asked.map(({ choice }) => choice)).toEqual([wire.auto, wire.auto, wire.auto]);
    expect(JSON.stringify(asked[1]?.messages)).toMatch(/must call|call one of|tool/i);
    expect(JSON.stringify(asked[1]?.tools)).toBe(JSON.stringify(asked[0]?.tools));
  },
);
