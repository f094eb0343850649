import { type Tool, tool } from "../menu/tool.ts";

/**
 * Searches the text files of the workspace line by line for a JavaScript regular expression. Left out: what `.gitignore`
 * files ignore, `.git`, `node_modules`, secret and binary files, symbolic links, and files larger than 5 MB; a note says
 * so where it matters. A pattern that takes too long is an error and harms nobody.
 */
export const grep: Tool = tool({
  name: "grep",
  description:
    "Searches text files of the workspace line by line for a JavaScript regular expression. Ignored (.gitignore), binary and large files are left out. Paths in the result are relative to the workspace.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "JavaScript regular expression, without slashes around it." },
      path: {
        type: "string",
        description: "File or folder to search, relative to the workspace. Default: the workspace itself.",
      },
      glob: {
        type: "string",
        description:
          "Only files that fit this glob pattern, such as '*.ts' (any folder) or 'src/**/*.ts' (relative to 'path').",
      },
      ignore_case: { type: "boolean", description: "Default false." },
      context: { type: "integer", minimum: 0, maximum: 20, description: "Lines to show around each match. Default 0." },
      output: {
        type: "string",
        enum: ["lines", "files", "count"],
        description:
          "Matching lines as 'path:line:text' (default), paths of matching files, or matching lines counted per file.",
      },
      max: {
        type: "integer",
        minimum: 1,
        maximum: 2000,
        description: "Most matching lines, or files, to return. Default 200.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  readOnly: true,
  defer: false,
  async execute(args, ctx) {
    const body = await import("./grep.body.ts");
    return body.grep(args as unknown as Parameters<typeof body.grep>[0], ctx);
  },
});
