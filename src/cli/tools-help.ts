/** The options of `rondo tools`, as they are spelled, with what they do. */
export const toolsOptionTable: readonly (readonly [spelling: string, description: string])[] = [
  ["--explain", "Every tool there is: offered, deferred, or dropped, by which gate and why"],
  ["-a, --agent <file>", "TypeScript or JavaScript file that exports an agent, methods or tools, to be listed too"],
  ["--tools <a,b>", "Only these tools; an empty list means none. Default: every tool"],
  ["--toolset <name>", "full, none, default, coding, research, safe, or a preset of your configuration"],
  ["--deny <a,b>", 'Never these tools; rules such as "write_file(src/**)" are about calls, and not seen here'],
  ["--source <name>", "As for a request from there: tools that are unsafe in it are dropped"],
  ["--model <name>", "As for this model: its context window decides when tools are deferred"],
  ["--cwd <folder>", "Folder that the tools work in. Default: the current one"],
  ["--json", "One JSON array on standard output"],
];

export const toolsExamples: readonly string[] = [
  "  $ rondo tools",
  "  $ rondo tools --explain --toolset safe",
  "  $ rondo tools -a ./agent.ts --source mail --json",
];

export const toolsNotes: readonly { readonly title: string; readonly body: string }[] = [
  {
    title: "Gates",
    body: [
      "  registration  its availableIf kept it out       source        it is unsafe in the --source",
      "  exposure      it has expose: false              availability  its check, requiresEnv or canUse says no",
      "  preset        --toolset does not name it        policy        --deny, an allow-list, or your disabled tools",
      "  schema        its JSON Schema cannot be used    deferral      it is offered, but found with tool_search",
    ].join("\n"),
  },
];
