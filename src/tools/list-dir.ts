import { type Tool, tool } from "../menu/tool.ts";

/**
 * Lists one folder of the workspace: everything in it, also hidden and ignored names, but not what is in its folders.
 * At most 1,000 entries.
 */
export const listDir: Tool = tool({
  name: "list_dir",
  description:
    "Lists the entries of one folder of the workspace, hidden ones included. Folders end with '/', files have their size, symbolic links show where they lead.",
  input: {
    type: "object",
    properties: {
      path: {
        type: "string",
        description: "Path of the folder, relative to the workspace. Default: the workspace itself.",
      },
    },
    additionalProperties: false,
  },
  readOnly: true,
  defer: false,
  async execute(args, ctx) {
    const body = await import("./list-dir.body.ts");
    return body.listDir(args as unknown as Parameters<typeof body.listDir>[0], ctx);
  },
});
