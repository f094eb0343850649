import { createRuntime, type ExecOptions } from "../../src/core.ts";
import type { AgentEvent } from "../../src/loop/events.ts";
import type { ToolEntry } from "../../src/menu/tool.ts";
import type { Message } from "../../src/message/message.ts";
import { declaredIn, type Received } from "./declared-tools.ts";
import { grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { rawServer } from "./raw/server.ts";
import { connect, type Wire } from "./wires.ts";

type Body = Record<string, unknown>;

/** What came of a prompt, and what the server got. */
export type Asked = {
  readonly declared: readonly Received[];
  readonly bodies: readonly Body[];
  readonly choice: unknown;
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
};

/**
 * Runs one prompt with these tools. The model first makes `calls`, each with the text of its arguments, of the tools at these
 * places among those that it was sent, then says "Fine.".
 */
export async function asked(
  wire: Wire,
  tools: readonly ToolEntry[],
  calls: readonly (readonly [tool: number, args: string])[] = [],
  options: ExecOptions = {},
): Promise<Asked> {
  const { contentType, events } = grammars[wire.grammar];
  const headers = { "content-type": contentType };
  const server = await rawServer(({ body }, at) => {
    const names = declaredIn(body).map(({ name }) => name);
    const said: Said[] = calls.flatMap(([tool, args], index) =>
      called(index, `call_${index}`, names[tool] ?? "", args),
    );
    const isFirst = at === 0 && calls.length > 0;
    return { headers, body: events(isFirst ? [...said, { end: "tool_calls" }] : [{ text: "Fine." }, { end: "stop" }]) };
  });
  try {
    const model = connect(wire, server.url);
    const run = createRuntime({ model }).run("Go", { ...options, tools });
    const seen: AgentEvent[] = [];
    for await (const event of run) seen.push(event);
    const { messages } = await run.result;
    const bodies = server.requests.map(({ body }) => body);
    const first = bodies[0] ?? {};
    return { declared: declaredIn(first), bodies, choice: wire.read(first).choice, events: seen, messages };
  } finally {
    await server.close();
  }
}

/** The texts of all results, in order. */
export const resultsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "tool" ? [JSON.stringify(message.content)] : []));
