/** One kind of file that is not written on a model's word. `pattern` fits a lower-case path that begins with `/`. */
type UnsafeKind = { readonly what: string; readonly why: string; readonly pattern: RegExp };

/**
 * Files that other programs execute or trust without anybody looking at them first: who writes them can do later what a
 * tool may not do now. Code, build files and tests are not among them: those are what an agent is there to edit, and
 * they are looked at in a diff. A name at the end of a pattern fits a file and everything in a folder of that name.
 */
export const unsafeKinds: readonly UnsafeKind[] = [
  {
    what: "version control",
    why: "git and its like run hooks and commands that stand there",
    pattern: /\/\.(?:git|hg|svn|jj|bzr)(?:\/|$)|\/\.(?:git(?:attributes|modules|config)|hgrc)$/,
  },
  {
    what: "git hooks",
    why: "they run at the next commit",
    pattern:
      /\/\.(?:husky|githooks|git-hooks)(?:\/|$)|\/\.?lefthook(?:-local)?\.\w+$|\/\.pre-commit-config\.ya?ml$|\/\.(?:lintstagedrc|simple-git-hooks)(?:\.\w+)?$|\/\.overcommit\.yml$/,
  },
  {
    what: "continuous integration",
    why: "it runs with the rights and secrets of the repository",
    pattern:
      /\/\.(?:github|gitlab|gitea|forgejo|circleci|buildkite|teamcity|semaphore|woodpecker|azuredevops|azure-pipelines)(?:\/|$)|\/\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|appveyor)\.ya?ml$|\/(?:azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|codemagic|buildspec)\.ya?ml$|\/jenkinsfile[^/]*$/,
  },
  {
    what: "editors",
    why: "they run tasks, or load code, when the folder is opened",
    pattern:
      /\/\.(?:vscode|idea|vs|fleet|zed|devcontainer)(?:\/|$)|\/\.devcontainer\.json$|\/[^/]+\.code-workspace$|\/\.(?:exrc|[gn]?vimrc|nvim\.lua|lvimrc|dir-locals(?:-2)?\.el|emacs|emacs\.d)(?:\/|$)/,
  },
  {
    what: "agents",
    why: "agents take commands, servers and permissions from there",
    pattern:
      /\/\.(?:claude|cursor|windsurf|codex|gemini|continue|opencode|roo|kiro|amazonq|qwen|crush|rondo)(?:\/|$)|\/\.(?:claude\.json|cursorrules|windsurfrules|clinerules)(?:\/|$)|\/\.?mcp\.json$|\/opencode\.jsonc?$|\/\.aider[^/]*$|\/\.?rondo(?:rc|\.config)(?:\.[^/]*)?$/,
  },
  {
    what: "package managers and build tools",
    why: "they decide where code comes from, or load code of their own",
    pattern:
      /\/\.(?:npmrc|yarnrc(?:\.ya?ml)?|pnpmfile\.c?js|pnp\.(?:c?js|loader\.mjs)|bunfig\.toml|pypirc|condarc|gemrc|bazelrc)$|\/(?:pnpmfile\.c?js|bunfig\.toml|pip\.(?:conf|ini)|nuget\.config)$|\/\.(?:yarn|mvn|bundle)\/|\/\.cargo\/config(?:\.toml)?$|\/gradle\/wrapper\//,
  },
  {
    what: "installed packages",
    why: "they run as they are, and no diff shows them",
    pattern:
      /\/node_modules(?:\/|$)|\/(?:site|dist)-packages\/|\/\.venv(?:\/|$)|\/(?:site|user)customize\.py$|\/[^/]+\.pth$/,
  },
  {
    what: "environments of folders",
    why: "they are loaded when somebody enters the folder",
    pattern: /\/\.(?:envrc|direnvrc|direnv|mise|asdfrc|tool-versions)(?:\/|$)|\/\.?mise(?:\.[\w-]+)*\.toml$/,
  },
  {
    what: "shell start files",
    why: "they run when a shell starts",
    pattern:
      /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases)|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|logout|inputrc|pam_environment|xinitrc|xprofile|xsession|xsessionrc)$|\/\.config\/(?:fish|nushell|powershell)\/|\/(?:microsoft\.(?:powershell|vscode)_)?profile\.ps1$/,
  },
  {
    what: "start files of programs",
    why: "they run when the program starts",
    pattern:
      /\/\.(?:gdbinit|lldbinit|rprofile|irbrc|pryrc|pythonrc(?:\.py)?|pythonstartup|psqlrc|sqliterc|screenrc|tmux\.conf|curlrc|wgetrc|node_repl_history)$|\/\.config\/(?:autostart|systemd|environment\.d|git|gdb|nvim|tmux)\/|\/library\/launch(?:agents|daemons)\/|\/(?:crontab|authorized_keys)$/,
  },
];

/** Characters that some file systems do not count as part of a name. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The kind of file that this is, if it is one that others execute or trust. The path is relative with `/` between its
 * parts. Compared as the most forgiving file system does: without regard to case, Unicode spelling, and spaces or dots
 * at the end of a name.
 */
export function unsafeKind(path: string): UnsafeKind | undefined {
  const plain = `/${path}`
    .normalize("NFKC")
    .replace(ignorable, "")
    .toLowerCase()
    .replace(/[. ]+(?=\/|$)/g, (end, at: number, all: string) => (all[at - 1] === "/" ? end : ""));
  return unsafeKinds.find(({ pattern }) => pattern.test(plain));
}
