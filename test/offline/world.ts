/** What the tools of the table answer: a small workspace, and canned answers of the user's tools. */
import { matchesGlob } from "node:path";
import type { JsonObject } from "../../src/message/json.ts";
import type { Answer } from "../../src/model/offline/offline.fixture.ts";

const code = (lines: number, ...first: readonly string[]) =>
  [...first, ...Array.from({ length: lines - first.length }, (_, index) => `// line ${index + first.length + 1}`)].join(
    "\n",
  );

const initial: { readonly [path: string]: string } = {
  "CHANGELOG.md": code(30, "# Changes", "## 2.0"),
  "README.md": code(20, "# Shop", "There is a rate limit."),
  "config/app.yaml": "port: 8080\ndebug: true",
  "docs/guide/setup.md": code(9, "# Setup"),
  "docs/intro.md": code(12, "# Intro", "The colour of deprecated parts is grey."),
  "notes.txt": "something",
  "package.json": code(25, "{"),
  "scripts/build.sh": "set -e\ntsc",
  "scripts/deploy.sh": "set -e",
  "src/index.ts": code(44, "const debug = true;", "// TODO split"),
  "src/parser.test.ts": code(31, 'import { fetchUser } from "./server/routes.ts";'),
  "src/parser.ts": code(90, "export function parse() {", '  throw new Error("no");', "}"),
  "src/server/http.ts": code(60, 'import express from "express";', "export const createServer = () => await 1;"),
  "src/server/routes.ts": code(18, "export function handleRequest() {}", "", "export function fetchUser() {}"),
  "src/utils/dates.ts": code(22, "export const parseDate = 1;"),
  "tsconfig.json": "{}",
};

/** A fresh world; what is written in it is there afterwards. */
export function world(): (call: { readonly name: string; readonly arguments: JsonObject }) => Answer {
  const files = new Map(Object.entries(initial));
  const under = (folder: unknown) =>
    [...files.keys()].sort().filter((path) => !given(folder) || path === folder || path.startsWith(`${folder}/`));

  const answers: { readonly [tool: string]: (args: JsonObject) => Answer } = {
    read_file: ({ path }) => files.get(String(path)) ?? { error: `${path} does not exist.` },
    list_dir: ({ path }) => {
      const start = given(path) ? `${path}/` : "";
      const names = under(path).map((file) => file.slice(start.length));
      const folders = new Set(names.filter((name) => name.includes("/")).map((name) => `${name.split("/")[0]}/`));
      return [...folders, ...names.filter((name) => !name.includes("/")).map((name) => `${name} (1.2 KB)`)].join("\n");
    },
    glob: ({ pattern, path }) => {
      const whole = given(path) ? `${path}/${pattern}` : String(pattern);
      const found = under(undefined).filter((file) => matchesGlob(file, whole));
      return found.join("\n") || "[No file fits.]";
    },
    grep: ({ pattern, path, glob, output }) => {
      const regex = new RegExp(String(pattern), "iu");
      const hits = under(path)
        .filter((file) => glob === undefined || matchesGlob(file, String(glob)) || matchesGlob(file, `**/${glob}`))
        .map((file) => ({ file, lines: matching(files.get(file) ?? "", regex) }))
        .filter(({ lines }) => lines.length > 0);
      if (hits.length === 0) return "[No match.]";
      if (output === "files") return hits.map(({ file }) => file).join("\n");
      if (output === "count") return hits.map(({ file, lines }) => `${file}: ${lines.length}`).join("\n");
      return hits.flatMap(({ file, lines }) => lines.map(([at, line]) => `${file}:${at}:${line}`)).join("\n");
    },
    write_file: ({ path, content }) => {
      files.set(String(path), String(content));
      return `Wrote ${path}.`;
    },
    find_orders: () => ({
      json: [
        { order_id: "ORD-77", status: "open" },
        { order_id: "ORD-12", status: "shipped" },
      ],
    }),
  };
  return ({ name, arguments: args }) => answers[name]?.(args) ?? "ok";
}

function given(path: unknown): boolean {
  return path !== undefined && path !== "." && path !== "";
}

function matching(text: string, regex: RegExp): readonly (readonly [number, string])[] {
  return text.split("\n").flatMap((line, index) => (regex.test(line) ? [[index + 1, line] as const] : []));
}
