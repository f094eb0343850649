import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import { aiSdk } from "../../src/model/ai-sdk/ai-sdk.ts";
import { type ChatServer, chatServer } from "./chat-server.ts";

let server: ChatServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const ran: string[] = [];
const waiting = (name: string, description: string, field: string) =>
  tool({
    name,
    description,
    readOnly: true,
    defer: true,
    input: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
    execute: (args) => ran.push(`${name} ${args[field]}`) && `${name}: fine`,
  });

test("a model that writes its calls as text finds and calls what waits; what it was told stays", async () => {
  ran.length = 0;
  const act = (name: string, args: object) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
  const replies = [
    act("tool_search", { query: "get a page" }),
    act("call_tool", { name: "web.fetch/url", arguments: { url: "a" } }),
    act("call_tool", { name: "web.fetch/url", arguments: '{"url":"b"}' }),
    act("web.fetch/url", { url: "c" }),
    "Done.",
  ];
  server = await chatServer((_, at) => ({ pieces: [replies[at] ?? "Nothing more."] }));
  const package_ = createOpenAICompatible({ name: "local", baseURL: server.url });
  const model = aiSdk(package_("gemma"), { supports: { tools: false }, retry: { retries: 0 } });
  const runtime = createRuntime({ model, tools: [waiting("web.fetch/url", "Fetches a page.", "url")] });
  const { outcome, text } = await runtime.run("Get the page.").result;
  expect({ outcome, text, ran }).toEqual({
    outcome: "stop",
    text: "Done.",
    ran: ["web.fetch/url a", "web.fetch/url b", "web.fetch/url c"],
  });
  const said = server.bodies.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
  for (const [at, text] of said.entries()) if (at > 0) expect(text.startsWith(said[at - 1]!)).toBe(true);
  const contents = server.bodies.at(-1)!.messages.map(({ content }) => String(content));
  expect(contents[0]).toContain("## call_tool");
  expect(contents[0]).not.toContain("## web.fetch/url");
  expect(contents[4]).toBe('<tool_call>\n{"name": "web.fetch/url", "arguments": {"url":"a"}}\n</tool_call>');
});

test("offline searches when nothing that is declared fits, calls what it found, and answers as if it had been there", async () => {
  const tools = [
    waiting("get_weather", "Current weather of a city.", "city"),
    waiting("order_status", "Looks up the status of an order.", "order_id"),
  ];
  const asked = async (request: string, defer: boolean) => {
    ran.length = 0;
    const given = tools.map((one) => ({ ...one, defer }));
    const { messages, text } = await createRuntime({ model: "offline", tools: given }).run(request).result;
    const names = messages.flatMap((one) => (one.role === "assistant" ? callsOf(one).map(({ name }) => name) : []));
    return { names, text, ran: [...ran] };
  };
  for (const request of ["What is the weather in Oslo?", "What is the weather in Oslo, and in Rome?"]) {
    const [late, early] = [await asked(request, true), await asked(request, false)];
    expect(early.ran.length).toBeGreaterThan(0);
    expect(late).toEqual({ ...early, names: ["tool_search", ...early.names] });
  }
  const nothing = await asked("Sing me a song about volcanoes.", true);
  expect(nothing).toMatchObject({ names: ["tool_search"], ran: [] });
});
