import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { grammars } from "./raw/grammars.ts";
import { rawServer } from "./raw/server.ts";
import { calls, result, user } from "./results-said.ts";
import { talker } from "./talk.ts";
import { connect, type Wire } from "./wires.ts";

/** Models that take no tools, on providers whose other models do, and what is said of a request that holds any. */
const models: readonly { readonly wire: Wire; readonly said: object }[] = [
  {
    wire: { ...talker("Bedrock"), name: "DeepSeek on Bedrock", spec: "bedrock/us.deepseek.r1-v1:0" },
    said: { message: "This model doesn't support tool use." },
  },
  {
    wire: { ...talker("Bedrock"), name: "Llama on Bedrock", spec: "bedrock/us.meta.llama3-1-70b-instruct-v1:0" },
    said: { message: "This model doesn't support tool use in streaming mode." },
  },
  {
    wire: { ...talker("Gemini"), name: "Gemma at Google", spec: "google/gemma-3-27b-it" },
    said: {
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "Function calling is not enabled for models/gemma-3-27b-it",
      },
    },
  },
];

const holdsTools = (text: string): boolean => /"toolConfig"|"functionDeclarations"|"toolUse"|"toolResult"/.test(text);

describe.each(models)("$wire.name", ({ wire, said }) => {
  const { contentType, events } = grammars[wire.grammar];
  const serve = (replies: readonly string[]) => {
    const left = [...replies];
    return rawServer(({ text }) => {
      if (holdsTools(text))
        return { status: 400, headers: { "content-type": "application/json" }, body: [JSON.stringify(said)] };
      return {
        headers: { "content-type": contentType },
        body: events([{ text: left.shift() ?? "?" }, { end: "stop" }]),
      };
    });
  };

  test("refuses tools once, then gets them in its prompt, with one warning", async () => {
    const ran: string[] = [];
    const weather = tool({
      name: "weather",
      description: "The weather.",
      input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      execute: ({ city }) => ran.push(String(city)) && "snow",
    });
    const action = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    const server = await serve([action, "Snow.", action, "Snow again."]);
    const runtime = createRuntime({ model: connect(wire, server.url), tools: [weather] });
    const run = runtime.run("Weather in Oslo?");
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.code);
    expect(await run.result).toMatchObject({ outcome: "stop", text: "Snow." });
    expect(await runtime.exec("Again?")).toBe("Snow again.");
    expect({ ran, warnings }).toEqual({ ran: ["Oslo", "Oslo"], warnings: ["text_tools"] });
    expect(server.requests.map(({ text }) => holdsTools(text))).toEqual([true, false, false, false, false]);
    await server.close();
  });

  test("goes on with a history that holds calls, also without tools", async () => {
    const server = await serve(["It is snow."]);
    const messages = [user("Weather?"), calls("call0000a"), result("call0000a", "snow")];
    const { outcome, text } = await createRuntime({ model: connect(wire, server.url) }).run("And?", {
      tools: [],
      messages,
    }).result;
    expect({ outcome, text }).toEqual({ outcome: "stop", text: "It is snow." });
    expect(server.requests.at(-1)?.text).toContain("snow");
    await server.close();
  });
});
