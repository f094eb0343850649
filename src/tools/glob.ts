import { type Tool, tool } from "../menu/tool.ts";

/**
 * Finds files of the workspace by a glob pattern, hidden ones included. Left out: what `.gitignore` files ignore, secret
 * files, and `.git` and `node_modules` unless the pattern or the path names them; a folder that is named literally is
 * searched even if it is ignored. At most 1,000 paths, in alphabetical order.
 */
export const glob: Tool = tool({
  name: "glob",
  description:
    "Finds files of the workspace whose path fits a glob pattern such as 'src/**/*.ts' or '**/*.{md,txt}'. Ignored files (.gitignore) are left out. Paths in the result are relative to the workspace.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "Pattern for paths relative to 'path'; '**' stands for any folders." },
      path: {
        type: "string",
        description: "Folder to search in, relative to the workspace. Default: the workspace itself.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  readOnly: true,
  defer: false,
  async execute(args, ctx) {
    const body = await import("./glob.body.ts");
    return body.glob(args as unknown as Parameters<typeof body.glob>[0], ctx);
  },
});
