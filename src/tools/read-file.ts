import { type Tool, tool } from "../menu/tool.ts";

/**
 * Reads a text file of the workspace: plain text without line numbers, because models quote it back to edit. Line ends
 * are shown as LF, a byte order mark is dropped. At most 2,000 lines and 28,000 characters at once; what was cut, and
 * how to go on, stands in brackets at the end. A line of more than 2,000 bytes is cut, unless it is asked for alone.
 */
export const readFile: Tool = tool({
  name: "read_file",
  description:
    "Reads a text file of the workspace, without line numbers. Long files are cut: the note at the end says with which offset to go on.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file, relative to the workspace." },
      offset: { type: "integer", minimum: 1, description: "First line to read, counted from 1. Default 1." },
      limit: { type: "integer", minimum: 1, description: "How many lines to read. Default 2000." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  readOnly: true,
  defer: false,
  async execute(args, ctx) {
    const body = await import("./read-file.body.ts");
    return body.readFile(args as unknown as Parameters<typeof body.readFile>[0], ctx);
  },
});
