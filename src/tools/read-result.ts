import { pager } from "../menu/pager.ts";
import { type Tool, tool } from "../menu/tool.ts";

/**
 * Pages a result that was cut because it was too long: the marker in it names the id. A page is at most as long as a
 * result may be. What is kept is bounded (32 MB of characters in a root run and all inside it, the oldest go first) and
 * gone when the root run has ended.
 */
export const readResult: Tool = pager(
  tool({
    name: "read_result",
    description:
      "Reads on in a tool result of this run that was cut. The line where the middle was left out names its id, and the offset at which to go on.",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "The id that stands in the cut result, such as result_0123456789." },
        offset: { type: "integer", minimum: 0, description: "First character to read, counted from 0. Default 0." },
        limit: { type: "integer", minimum: 1, description: "How many characters to read. Default: as many as fit." },
      },
      required: ["id"],
      additionalProperties: false,
    },
    readOnly: true,
    // Nothing is wrong with reading the same page twice.
    repeatable: true,
    defer: false,
    async execute(args, ctx) {
      const body = await import("./read-result.body.ts");
      return body.readResult(args as unknown as Parameters<typeof body.readResult>[0], ctx);
    },
  }),
);
