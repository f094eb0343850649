import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../src/message/message.ts";
import { noUsage } from "../../src/message/usage.ts";
import type { ModelRequest } from "../../src/model/model.ts";
import { ask } from "./ask.ts";
import { grammars } from "./raw/grammars.ts";
import { type RawServer, rawServer } from "./raw/server.ts";
import { choices, rows, thinking } from "./tool-choices.ts";
import { connect, type Wire, wires } from "./wires.ts";

const names = ["a", "b", "c"];
const tools = names.map((name) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: {} },
}));

const user: Message = { role: "user", content: "Hi" };
const call = { type: "tool_call", id: "call_1", name: "a", arguments: "{}" } as const;
const after: Message[] = [
  user,
  { role: "assistant", content: [call], model: "m", usage: noUsage, stopReason: "tool_calls" },
  { role: "tool", callId: "call_1", toolName: "a", content: [{ type: "text", text: "done" }], isError: false },
];

let server: RawServer;
let wire: Wire;
beforeAll(async () => {
  server = await rawServer(() => {
    const { contentType, events } = grammars[wire.grammar];
    return { headers: { "content-type": contentType }, body: events([{ text: "ok" }, { end: "stop" }]) };
  });
});
afterAll(() => server.close());

/** What the server received for this request, and the warnings that came with it. */
async function sent(request: Partial<ModelRequest>) {
  const { events, end } = await ask(connect(wire, server.url), {
    messages: [user],
    tools,
    toolChoice: "auto",
    ...request,
  });
  expect(end.error).toBeUndefined();
  const { body, headers } = server.requests.at(-1) as RawServer["requests"][number];
  expect(Object.keys(headers).filter((name) => name.startsWith("x-rondo"))).toEqual([]);
  const warnings = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  return { body, declared: wire.read(body).tools, warnings };
}

/** Models of other makers on Bedrock, which take less of a choice. */
const bedrock = wires.find(({ name }) => name === "Bedrock") as Wire;
const others: Wire[] = [
  { ...bedrock, name: "Bedrock Llama", spec: "bedrock/us.meta.llama3-3-70b-instruct-v1:0" },
  { ...bedrock, name: "Bedrock Mistral", spec: "bedrock/mistral.mistral-large-2407-v1:0" },
];

describe.each([...wires, ...others])("$name", (row) => {
  beforeAll(() => {
    wire = row;
  });
  const expected = rows[row.name] as NonNullable<(typeof rows)[string]>;
  const declared = (of: readonly string[]) => {
    const list = tools.filter(({ name }) => of.includes(name)).map((tool) => row.tool(tool));
    return row.toolList?.(list) ?? list;
  };

  describe.each(["first", "later"] as const)("%s round", (round) => {
    const messages = round === "first" ? [user] : after;

    test.each(choices)("$name", async ({ name, request }) => {
      const { choice, shown = names, warns = [] } = expected(name, round === "later");
      const result = await sent({ messages, ...request });
      expect(choiceIn(result.body)).toEqual(choice);
      expect(result.declared).toEqual(shown.length === 0 ? undefined : declared(shown));
      expect(result.warnings).toEqual(warns.map((said) => expect.stringContaining(said)));
    });
  });

  test("LOOP-09 no tools: neither an empty list nor a choice", async () => {
    for (const toolChoice of ["auto", "none"] as const) {
      const { body } = await sent({ tools: [], toolChoice, parallelToolCalls: false });
      expect(choiceIn(body)).toEqual({});
      expect(wire.read(body).tools).toBeUndefined();
      expect(JSON.stringify(body)).not.toMatch(/tool/i);
    }
  });
});

describe("LOOP-03 a Claude that thinks cannot be forced: it is asked openly, with all tools declared", () => {
  describe.each(wires.filter(({ name }) => name in thinking))("$name", (row) => {
    beforeAll(() => {
      wire = row;
    });

    test.each(thinking[row.name] ?? [])("$name", async ({ request, choice }) => {
      for (const toolChoice of ["required", { type: "function", names: ["b"] }] as const) {
        const { body, declared, warnings } = await sent({ ...request, toolChoice });
        expect(choiceIn(body)).toMatchObject(choice);
        expect(declared).toHaveLength(3);
        expect(warnings).toEqual([expect.stringContaining('was sent as "auto"')]);
      }
    });
  });
});

describe("LOOP-03 models that think whatever they are told cannot be forced either", () => {
  test.each([
    ["Anthropic", "anthropic/claude-opus-5-5"],
    ["Anthropic", "anthropic/claude-fable-5-1"],
    ["Bedrock Claude", "bedrock/anthropic.claude-sonnet-5-5-v1:0"],
  ])("%s: %s", async (name, spec) => {
    wire = { ...(wires.find((one) => one.name === name) as Wire), spec };
    const { body, warnings } = await sent({ toolChoice: "required" });
    expect(JSON.stringify(choiceIn(body))).not.toMatch(/any/);
    expect(warnings).toEqual([expect.stringContaining('was sent as "auto"')]);
  });
});

/** Everything in a body that is about what may be picked, and how many at once. */
function choiceIn(body: Record<string, unknown>) {
  const { tool_choice, parallel_tool_calls, toolConfig, additionalModelRequestFields } = body;
  const { tools: _, ...config } = (toolConfig ?? {}) as Record<string, unknown>;
  const found = { tool_choice, parallel_tool_calls, ...config, additionalModelRequestFields };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
