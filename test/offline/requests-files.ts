/** One step over the tools that come with Rondo. */
import { absent, asked, call, type Entry, either, maybe, oneOf } from "./table.ts";

const markdown = oneOf("**/*.md", "*.md", "**/*.{md,mdx}");

export const fileRequests: readonly Entry[] = [
  asked("Show me what's in README.md", call("read_file", { path: "README.md" })),
  asked("could you open src/parser.ts pls", call("read_file", { path: "src/parser.ts" })),
  asked("I'd like to see the first 15 lines of CHANGELOG.md", call("read_file", { path: "CHANGELOG.md", limit: 15 })),
  asked(
    "print lines 20-35 of src/server/http.ts",
    call("read_file", { path: "src/server/http.ts", offset: 20, limit: 16 }),
  ),
  asked("read src/index.ts starting at line 40", call("read_file", { path: "src/index.ts", offset: 40 })),
  asked("What does 'docs/guide/setup.md' say?", call("read_file", { path: "docs/guide/setup.md" })),
  asked("whats inside package.json ?", call("read_file", { path: "package.json" })),
  asked("What's in the docs folder?", call("list_dir", { path: "docs" })),
  asked("ls", call("list_dir")),
  asked(
    "which files are in the scripts directory",
    either(
      call("list_dir", { path: "scripts" }),
      call("glob", { pattern: oneOf("scripts/*", "scripts/**/*", "scripts/**") }),
      call("glob", { pattern: oneOf("*", "**/*", "**"), path: "scripts" }),
    ),
  ),
  asked("show me everything at the top level of the project", call("list_dir")),
  asked("find all markdown files", call("glob", { pattern: markdown })),
  asked(
    "Are there any yaml files under config?",
    either(
      call("glob", { pattern: oneOf("**/*.yaml", "*.yaml", "**/*.{yml,yaml}", "**/*.{yaml,yml}"), path: "config" }),
      call("glob", { pattern: /^config\/(?:\*\*\/)?\*\.(?:yaml|\{y.*\})$/u }),
    ),
  ),
  asked("where is dates.ts located?", call("glob", { pattern: "**/dates.ts" })),
  asked("do we have a file named tsconfig.json somewhere", call("glob", { pattern: "**/tsconfig.json" })),
  asked('serch for "parseDate" in src', call("grep", { pattern: "parseDate", path: "src" })),
  asked("grep TODO", call("grep", { pattern: "TODO" })),
  asked(
    "Which files import express?",
    call("grep", { pattern: oneOf("express", /^\^?import\b.*express/u), output: "files" }),
  ),
  asked("where is handleRequest defined?", call("grep", { pattern: /handleRequest/u })),
  asked("find all occurrences of deprecated in the docs", call("grep", { pattern: "deprecated", path: "docs" })),
  asked(
    "how many times does `await` appear in src/server/http.ts?",
    call("grep", { pattern: oneOf("await", "\\bawait\\b"), path: "src/server/http.ts", output: "count" }),
  ),
  asked(
    "look for lines starting with '## ' in CHANGELOG.md",
    call("grep", { pattern: oneOf("^## ", "^##\\s"), path: "CHANGELOG.md" }),
  ),
  asked(
    "search case-insensitively for licence in all markdown files",
    call("grep", { pattern: "licence", ignore_case: true, glob: markdown }),
  ),
  asked(
    "Search src for the regex /export (const|function)/",
    call("grep", { pattern: "export (const|function)", path: "src" }),
  ),
  asked(
    "show me 3 lines of context around 'throw new' in src/parser.ts",
    call("grep", { pattern: "throw new", path: "src/parser.ts", context: 3 }),
  ),
  asked(
    "Which of the test files mention fetchUser?",
    call("grep", { pattern: "fetchUser", glob: /(?:test|spec)/u, output: "files" }),
  ),
  asked(
    'Is there any mention of "rate limit" in README.md?',
    call("grep", {
      pattern: "rate limit",
      path: "README.md",
      ignore_case: maybe(true),
      output: oneOf("lines", "files", "count", absent),
    }),
  ),
  asked("count the TODOs in src", call("grep", { pattern: oneOf("TODO", "TODOs?"), path: "src", output: "count" })),
  asked(
    "how long is src/parser.ts",
    either(
      call("grep", { pattern: oneOf("^", "", ".*"), path: "src/parser.ts", output: "count" }),
      call("read_file", { path: "src/parser.ts" }),
    ),
  ),
  asked(
    'Create a file called hello.txt with the content "Hello, world"',
    call("write_file", { path: "hello.txt", content: "Hello, world" }),
  ),
  asked('write "done" to status/today.txt', call("write_file", { path: "status/today.txt", content: "done" })),
  asked("Please save the text 'buy milk' as todo.md", call("write_file", { path: "todo.md", content: "buy milk" })),
  asked(
    'In config/app.yaml replace "port: 8080" with "port: 9090"',
    call("edit_file", {
      path: "config/app.yaml",
      edits: [{ old_string: "port: 8080", new_string: "port: 9090" }],
    }),
  ),
  asked(
    "change 'colour' to 'color' in docs/intro.md",
    call("edit_file", { path: "docs/intro.md", edits: [{ old_string: "colour", new_string: "color" }] }),
  ),
  asked(
    "Edit src/index.ts: replace `const debug = true` by `const debug = false`",
    call("edit_file", {
      path: "src/index.ts",
      edits: [{ old_string: "const debug = true", new_string: "const debug = false" }],
    }),
  ),
  asked("run this code: `Math.max(3, 9, 4)`", call("run_code", { code: "Math.max(3, 9, 4)" })),
  asked("what is 17 * 23?", call("run_code", { code: oneOf("17 * 23", "17*23") })),
  asked("evaluate (12.5 + 7) / 3", call("run_code", { code: "(12.5 + 7) / 3" })),
  asked(
    "Execute `[1,2,3].map(n => n * n)` and tell me the result",
    call("run_code", { code: "[1,2,3].map(n => n * n)" }),
  ),
  asked(
    "run\n```js\nconst a = 2;\na + 3\n```",
    call("run_code", { code: oneOf("const a = 2;\na + 3", "const a = 2;\na + 3\n") }),
  ),
  asked("overwrite notes.txt with `nothing left`", call("write_file", { path: "notes.txt", content: "nothing left" })),
];
