import { isJson } from "../../message/json.ts";
import type { ToolCall } from "../../message/message.ts";
import type { JsonSchema } from "../../model/model.ts";
import type { MenuTool } from "../entry.ts";
import { menuTool } from "../entry.ts";
import { isRecord } from "../schema-types.ts";
import { tool } from "../tool.ts";

const parameters = (args: JsonSchema): JsonSchema => ({
  type: "object",
  properties: {
    name: { type: "string", description: "The name of the tool, as tool_search gave it." },
    arguments: args,
  },
  required: ["name", "arguments"],
  additionalProperties: false,
});

const made = menuTool(
  tool({
    name: "call_tool",
    description: "Calls a tool that tool_search has found, by its name.",
    input: parameters({ type: "object", description: "Its arguments, as its parameters say." }),
    defer: false,
    execute: () => {
      throw new Error('Not run: "name" has to be a tool that tool_search finds. No work was done.');
    },
  }),
);

/** The tool through which deferred tools are called. A call of it that can be read is taken for the call inside; see {@link unwrapped}. */
export const callTool: MenuTool = {
  ...made,
  declaration: Object.freeze({
    ...made.declaration,
    nameArgument: "name",
    closedParameters: parameters({
      type: "string",
      description: 'Its arguments, as its parameters say: the JSON text of an object, such as {"city": "Oslo"}.',
    }),
  }),
};

/** The call inside of a call of `call_tool`; any other, and one that cannot be read, as it is. */
export function unwrapped(call: ToolCall): ToolCall {
  if (call.name !== callTool.name || call.partial) return call;
  let given: unknown;
  try {
    given = JSON.parse(call.arguments);
  } catch {
    return call;
  }
  if (!isRecord(given)) return call;
  // Some write the arguments beside the name.
  const { name, arguments: args = beside(given) } = given;
  if (typeof name !== "string" || name.trim() === "" || name === callTool.name) return call;
  // Models write objects inside of objects as text, too; what is no JSON is told with the tool's own name.
  const text = typeof args === "string" && (isJson(args) || args.trim() === "") ? args : JSON.stringify(args);
  return { ...call, name, arguments: text };
}

function beside({ name: _, ...rest }: { readonly [key: string]: unknown }): unknown {
  return rest;
}
