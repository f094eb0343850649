import { expect, test } from "vitest";
import { unsafeKind, unsafeKinds } from "./unsafe-paths.ts";

const refused: { readonly [what: string]: readonly string[] } = {
  "version control": [
    ".git",
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".gitattributes",
    ".gitmodules",
    ".hg/hgrc",
    "app.git/hooks/post-receive",
    "docs/HEAD",
  ],
  "git hooks": [".husky/pre-push", ".githooks/x", "lefthook.yml", ".lefthook-local.toml", ".pre-commit-config.yaml"],
  "continuous integration": [
    ".github/workflows/ci.yml",
    ".github/CODEOWNERS",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
  ],
  editors: [".vscode/tasks.json", ".idea/x.xml", ".devcontainer/devcontainer.json", "a.code-workspace", ".exrc"],
  agents: [
    ".claude/settings.json",
    ".cursor/mcp.json",
    ".mcp.json",
    "rondo.config.ts",
    ".rondo/config.json",
    ".rondorc",
    ".trae/rules",
  ],
  "package managers and build tools": [".npmrc", "web/.npmrc", ".yarnrc.yml", ".pnpmfile.cjs", ".yarn/releases/y.cjs"],
  "installed packages": [
    "node_modules/a/index.js",
    "node_modules/.bin/tsc",
    ".venv/bin/activate",
    "venv/bin/python",
    "env/bin/activate.fish",
    "env/pyvenv.cfg",
    "sitecustomize.py",
  ],
  "environments of folders": [".envrc", "sub/.envrc", "mise.toml", ".mise.local.toml", ".config/mise/config.toml"],
  "shell start files": [
    ".bashrc",
    ".zshenv",
    ".profile",
    ".bash_functions",
    ".bash_completion",
    ".bashrc.d/x",
    ".zsh/x",
    ".cargo/env",
    ".config/zsh/rc.zsh",
    "home/.bash_profile",
    ".config/fish/config.fish",
    "profile.ps1",
  ],
  "start files of programs": [".gdbinit", ".tmux.conf", ".config/autostart/x.desktop", ".local/bin/ls", "crontab"],
};

test.each(Object.entries(refused).flatMap(([what, paths]) => paths.map((path) => [path, what])))(
  "%s is of %s",
  (path, what) => {
    expect(unsafeKind(path)?.what).toBe(what);
  },
);

test("every kind has examples here", () => {
  expect(unsafeKinds.map(({ what }) => what)).toEqual(Object.keys(refused));
});

test.each([
  ".GIT/config",
  ".Git/hooks/x",
  ".git./config",
  ".git /config",
  ".g\u200cit/config",
  "\uff0egit/config",
  ".NPMRC",
  ".npmrc.",
  "RONDO.CONFIG.TS",
])("%j is the same name to some file system", (path) => {
  expect(unsafeKind(path)).toBeDefined();
});

test.each([
  "src/index.ts",
  "package.json",
  "Makefile",
  "Dockerfile",
  "tsconfig.json",
  "vitest.config.ts",
  ".gitignore",
  ".editorconfig",
  "docs/github/x.md",
  "git/hooks.md",
  "a.git.txt",
  "src/head.ts",
  "components/head/x.ts",
  "src/venv.ts",
  "docs/config",
  "bin/activate-user.ts",
  "x.npmrc.md",
  "profile.ts",
  "src/login.ts",
  "AGENTS.md",
  "github/workflows.md",
  ".eslintrc.json",
  "scripts/crontab.md",
  "../x",
  ".",
])("%s is written", (path) => {
  expect(unsafeKind(path)).toBeUndefined();
});
