import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { declaredIn, rulesOf } from "./declared-tools.ts";
import { grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import type { Received } from "./raw/server.ts";
import { rawServer } from "./raw/server.ts";
import { problemsOf } from "./schema-rules.ts";
import { connect, type Wire, wires } from "./wires.ts";

type Limits = { readonly tools: number; readonly description: number };

/** What OpenAI says of a request that is beyond its limits, in its own words. */
function problem(body: Received["body"], limits: Limits): string | undefined {
  const list = declaredIn(body);
  const got = (what: string, kind: string, most: number, length: number) =>
    `Invalid '${what}': ${kind} too long. Expected a${kind === "array" ? "n array" : " string"} with maximum length ${most}, but got a${kind === "array" ? "n array" : " string"} with length ${length} instead.`;
  if (list.length > limits.tools) return got("tools", "array", limits.tools, list.length);
  const at = list.findIndex(({ description = "" }) => description.length > limits.description);
  if (at < 0) return undefined;
  const { description = "" } = list[at] ?? {};
  return got(`tools[${at}].function.description`, "string", limits.description, description.length);
}

/** A server with limits that calls the tool at each of these places among those that it is shown, then ends. */
async function limited(wire: Wire, limits: Limits, places: readonly number[]) {
  const { contentType, events } = grammars[wire.grammar];
  const refused: string[] = [];
  let answered = 0;
  const server = await rawServer(({ body }) => {
    const message = problem(body, limits);
    if (message !== undefined) {
      refused.push(message);
      const error = { message, type: "invalid_request_error", code: "string_above_max_length" };
      return {
        status: 400,
        headers: { "content-type": "application/json" },
        body: [JSON.stringify({ message, error })],
      };
    }
    const place = places[answered++];
    const name = place === undefined ? undefined : declaredIn(body).at(place)?.name;
    const said: Said[] = name
      ? [...called(0, `call0000${answered}`, name, "{}"), { end: "tool_calls" }]
      : [{ text: "Done." }, { end: "stop" }];
    return { headers: { "content-type": contentType }, body: events(said) };
  });
  return { ...server, refused };
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

describe.each(wires)("$name", (wire) => {
  test("SCHEMA-05 a description beyond what the provider takes: asked once more with one that fits, and the rest of it told elsewhere", async () => {
    const long = words(400);
    const server = await limited(wire, { tools: 999, description: 1_024 }, [0, 1]);
    const ran: string[] = [];
    const tools = ["a", "b"].map((name) =>
      tool({ name, description: name === "b" ? long : "Short.", execute: () => ran.push(name) && "ok" }),
    );
    const model = connect(wire, server.url);
    const runtime = createRuntime({ model, tools });
    const run = runtime.run("Go.");
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.code);
    expect(await run.result).toMatchObject({ outcome: "stop", rounds: 3 });
    expect({ ran, warnings, refused: server.refused.length }).toEqual({
      ran: ["a", "b"],
      warnings: ["tool_size"],
      refused: 1,
    });
    const [, ...sent] = server.requests.map(({ body }) => declaredIn(body));
    expect(new Set(sent.map((list) => JSON.stringify(list))).size).toBe(1);
    const [short, cut] = sent[0] ?? [];
    expect(short?.description).toBe("Short.");
    expect(cut?.description?.length).toBeLessThanOrEqual(1_024);
    expect(cut?.description).toMatch(/^word0 word1 /);
    expect(problemsOf(cut?.schema, rulesOf(wire.name))).toEqual([]);
    // Nothing of it is lost where a schema may say something of itself.
    const said = `${cut?.description} ${cut?.schema.description ?? ""}`;
    const told = long.split(" ").filter((word) => said.split(/\s/).includes(word)).length;
    if (wire.grammar === "bedrock" && wire.name === "Bedrock") expect(told).toBeGreaterThan(100);
    else if (wire.name === "Ollama") expect(told).toBeGreaterThan(100);
    else expect(told).toBe(400);

    // The next run knows it.
    expect((await runtime.run("Again.").result).outcome).toBe("stop");
    expect(server.refused).toHaveLength(1);
    await server.close();
  });

  test("SCHEMA-05 more tools than the provider takes: asked once more with those that fit, the others said", async () => {
    const server = await limited(wire, { tools: 8, description: 999 }, [0]);
    const tools = Array.from({ length: 12 }, (_, at) =>
      tool({ name: `t.${at}`, description: "T.", execute: () => "ok" }),
    );
    const run = createRuntime({ model: connect(wire, server.url), tools }).run("Go.", { deferAbove: Infinity });
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(`${event.code}: ${event.message}`);
    expect(await run.result).toMatchObject({ outcome: "stop", rounds: 2 });
    expect(warnings).toEqual([
      expect.stringMatching(/^tool_size: /),
      expect.stringMatching(/^tools_left_out: .*at most 8 tools.*5 were left out: t\.7, t\.8, t\.9, t\.10, t\.11\./),
    ]);
    expect(server.requests.map(({ body }) => declaredIn(body).length)).toEqual([12, 7, 7]);
    await server.close();
  });

  test("a refusal that names a size which nothing is beyond stays", async () => {
    const server = await limited(wire, { tools: 0, description: 0 }, []);
    const bare = tool({ name: "a", description: "Does a.", execute: () => "ok" });
    const { outcome } = await createRuntime({ model: connect(wire, server.url), tools: [bare] }).run("Go.").result;
    expect(outcome).toBe("error");
    expect(server.requests.length).toBeLessThan(4);
    await server.close();
  });
});
