import { type Tool, tool } from "../menu/tool.ts";

/**
 * Writes a whole text file of the workspace, new or over another; folders on the way are made. All of it is written or
 * nothing. One that is there is written over only if the run has read all of it, in an earlier reply, or written it, and it
 * has not been changed since; it keeps owner, rights and hard links, byte order mark and line ends (content with CRLF in
 * it is taken as it is). Whoever reads it meanwhile sees all of the old or all of the new where that can be had without
 * losing any of those (on Linux: one name, our own file, coreutils at hand); elsewhere it is written over in place. Secret
 * files need `allowSecrets`, files that others execute or trust `allowUnsafePaths`. At most 10 MB.
 */
export const writeFile: Tool = tool({
  name: "write_file",
  description:
    "Writes a whole text file of the workspace: makes a new one, with the folders on the way, or replaces one that you have read before. To change a part of a file use edit_file.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file, relative to the workspace." },
      content: { type: "string", description: "The whole text of the file." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  defer: false,
  async execute(args, ctx) {
    const body = await import("./write-file.body.ts");
    return body.writeFile(args as unknown as Parameters<typeof body.writeFile>[0], ctx);
  },
});
