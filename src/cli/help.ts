/** The options of `rondo run`, as they are spelled, with what they do. */
export const optionTable: readonly (readonly [spelling: string, description: string])[] = [
  [
    "-m, --model <name>",
    "Model, such as anthropic/claude-sonnet-5, ollama/qwen3, local/name, http://host/v1#model or offline; again: asked when those before it fail",
  ],
  ["-a, --agent <file>", "TypeScript or JavaScript file that exports an agent, methods or tools, to be picked too"],
  ["--tools <a,b>", "Only these tools; an empty list means none. Default: every tool"],
  ["--toolset <name>", "full (every tool), none, default, coding, research, safe, or a preset of your configuration"],
  ["--deny <a,b>", 'Never these tools; a rule such as "write_file(src/**)": never such calls'],
  ["--tool-choice <choice>", "auto, required, none, or names of tools of which one must be picked"],
  ["--max-iterations <n>", "Rounds at most, or Infinity. Default: 20"],
  ["--at-limit <way>", "close (ask once more for an answer) or stop. Default: close"],
  ["--system <text>", "System prompt"],
  ["--cwd <folder>", "Folder that the tools work in. Default: the current one"],
  ["--timeout <time>", "Give up after this time: 90, 90s, 2m, 500ms. Default: none"],
  ["--yes", "Approve every call that needs approval"],
  ["--read-only", "Deny every call of a tool that may change something"],
  ["--json", "Events on standard output, one JSON object a line, and nothing else there"],
  ["--quiet", "Only the final text, nothing of the way to it"],
  ["--no-color", "No colours"],
];

export const examples: readonly string[] = [
  '  $ rondo run "Which source file is the longest?" --model offline',
  '  $ git log -20 | rondo run "What changed this week?" --toolset none',
  '  $ rondo run -a ./agent.ts "Where is my order 1234?"',
  "  $ rondo run --json --deny grep < question.txt",
  '  $ rondo run -m anthropic/claude-sonnet-5 -m ollama/qwen3 "What does this project do?"',
];

/** Sections below the options. */
export const notes: { readonly title: string; readonly body: string }[] = [
  {
    title: "Prompt",
    body: [
      "  The words of the command line. Without words it is standard input; with words, what is piped or redirected",
      "  into the command follows them as context. A word - reads standard input whatever it is; </dev/null keeps it out.",
    ].join("\n"),
  },
  {
    title: "Output",
    body: [
      "  Standard output gets the final text, once. Progress goes to standard error. Text streams to whichever of the two",
      "  is a terminal.",
    ].join("\n"),
  },
  {
    title: "Approval",
    body: [
      "  Before write_file, edit_file and whatever asks of itself the terminal shows what would be done: y does it, r also",
      "  runs equal calls of this run, a those of this folder from now on (a rule in your configuration), anything else is no.",
      "  Without a terminal they are denied; see --yes.",
    ].join("\n"),
  },
  {
    title: "Agent",
    body: [
      "  The methods of every exported agent (for an exported class one is made, without arguments), exported methods and",
      "  tools are offered beside the built-in ones. The one agent of a file also gives its own defaults (model, system,",
      "  limits …), under the options here. Node strips the types, so no enum and no parameter properties. In the file,",
      '  "rondo" means the copy of this command.',
    ].join("\n"),
  },
  {
    title: "Model",
    body: [
      "  --model, else the agent's own, else RONDO_MODEL, else that of rondo.config.json, else that of your configuration,",
      "  else the first of ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY,",
      "  AWS_BEARER_TOKEN_BEDROCK, else a running Ollama, else offline.",
      "  Several --model are tried in their order: the next is asked where one cannot answer (no connection, overload, limit, key,",
      "  quota, not found), before anything of its reply has come; the rest of the run stays with the one that answered.",
      "  What an agent's methods begin has the agent's own model, else that of the run around.",
    ].join("\n"),
  },
  {
    title: "Configuration",
    body: [
      "  Yours, ~/.config/rondo/config.json (under $XDG_CONFIG_HOME; %APPDATA% on Windows): model, toolset, presets,",
      "  disabledTools, approvals (mode, deny, ask, allow), modules with tools. A project's, rondo.config.json in the folder",
      "  or around it in its checkout, can only take away; modules and addresses in it wait for rondo trust.",
    ].join("\n"),
  },
  {
    title: "Exit code",
    body: [
      "  0  the model answered             2    the command was called wrongly",
      "  1  failure, refusal, no text,     130  interrupted (Ctrl-C; twice kills at once)",
      "     a mistake in the agent's file,       or nobody reads the answer any more",
      "     no room to write the answer",
      "  3  a limit: rounds, time, length, or no progress",
    ].join("\n"),
  },
];
