import { type Tool, tool } from "../menu/tool.ts";

// The names that models have met most: `old_string`, `new_string` and `replace_all` are those of several widely used
// agents, flat for one edit; the list adds several edits at once without another vocabulary.
const edit = {
  old_string: {
    type: "string",
    description: "The text to replace, exactly as in the file and with enough around it to be there only once.",
  },
  new_string: { type: "string", description: "The text to put in its place." },
  replace_all: { type: "boolean", description: "Replace every place where old_string is. Default false." },
} as const;

/**
 * Changes parts of a text file of the workspace: each edit replaces a text that must be there exactly once, or with
 * `replace_all` at least once. Several edits are applied in order; all of them or none. Texts are compared with LF and
 * without a byte order mark, as `read_file` shows them; the file keeps its own, so a CR that an edit would put before a
 * line end is left out. A file that somebody else has changed since the run read it is not edited; one that the run has
 * not read may be. Files that are not UTF-8 text are refused, and so are those that `write_file` refuses. The result shows
 * what changed.
 */
export const editFile: Tool = tool({
  name: "edit_file",
  description:
    "Replaces text in a file of the workspace: old_string, which must be there exactly once, by new_string. Give one edit, or several as a list, which are applied in order, all or none.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file, relative to the workspace." },
      ...edit,
      edits: {
        type: "array",
        description: "Several edits, instead of old_string and new_string.",
        items: {
          type: "object",
          properties: edit,
          required: ["old_string", "new_string"],
          additionalProperties: false,
        },
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  defer: false,
  async execute(args, ctx) {
    const body = await import("./edit-file.body.ts");
    return body.editFile(args as unknown as Parameters<typeof body.editFile>[0], ctx);
  },
});
