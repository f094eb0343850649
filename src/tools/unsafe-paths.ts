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
    // A folder with a file HEAD may be a repository itself, whatever its name; see also `gitFolders`.
    pattern: /\/\.(?:git|hg|svn|jj|bzr)(?:\/|$)|\/\.(?:git(?:attributes|modules|config)|hgrc)$|\/[^/]+\.git\/|\/head$/,
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
      /\/\.(?:claude|cursor|windsurf|codex|gemini|continue|opencode|roo|kiro|trae|augment|amazonq|qwen|crush|rondo)(?:\/|$)|\/\.(?:claude\.json|cursorrules|windsurfrules|clinerules)(?:\/|$)|\/\.?mcp\.json$|\/opencode\.jsonc?$|\/\.aider[^/]*$|\/\.?rondo(?:rc|\.config)(?:\.[^/]*)?$/,
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
      /\/node_modules(?:\/|$)|\/(?:site|dist)-packages\/|\/\.venv(?:\/|$)|\/venv\/|\/bin\/activate(?:[._][^/]*)?$|\/pyvenv\.cfg$|\/(?:site|user)customize\.py$|\/[^/]+\.pth$/,
  },
  {
    what: "environments of folders",
    why: "they are loaded when somebody enters the folder",
    pattern:
      /\/\.(?:envrc|direnvrc|direnv|mise|asdfrc|tool-versions)(?:\/|$)|\/\.?mise(?:\.[\w-]+)*\.toml$|\/\.config\/(?:mise|direnv)(?:\/|$)/,
  },
  {
    what: "shell start files",
    why: "they run when a shell starts",
    pattern:
      /\/\.(?:bashrc|bash_(?:profile|login|logout|aliases|functions|completion)|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|logout|inputrc|pam_environment|xinitrc|xprofile|xsession|xsessionrc)$|\/\.(?:bash|zsh)(?:rc)?\.d\/|\/\.(?:zsh|oh-my-zsh)\/|\/\.cargo\/env[^/]*$|\/\.config\/(?:bash|zsh|fish|nushell|powershell)\/|\/(?:microsoft\.(?:powershell|vscode)_)?profile\.ps1$/,
  },
  {
    what: "start files of programs",
    why: "they run when the program starts",
    pattern:
      /\/\.(?:gdbinit|lldbinit|rprofile|irbrc|pryrc|pythonrc(?:\.py)?|pythonstartup|psqlrc|sqliterc|screenrc|tmux\.conf|curlrc|wgetrc|node_repl_history)$|\/\.config\/(?:autostart|systemd|environment\.d|git|gdb|nvim|tmux)\/|\/\.local\/bin\/|\/library\/launch(?:agents|daemons)\/|\/(?:crontab|authorized_keys)$/,
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
  const plain = plainPath(path);
  return unsafeKinds.find(({ pattern }) => pattern.test(plain));
}

const plainPath = (path: string): string =>
  `/${path}`
    .normalize("NFKC")
    .replace(ignorable, "")
    .toLowerCase()
    .replace(/[. ]+(?=\/|$)/g, (end, at: number, all: string) => (all[at - 1] === "/" ? end : ""));

/** What git reads in a repository that has no `.git` folder around it. */
const gitNames = /^\/(?:config(?:\.worktree)?|commondir|hooks|info|modules|objects|refs|worktrees)$/;

/**
 * Folders on the way to this file that would be read as a git repository if they have a file `HEAD`: those in which the
 * path goes on with a name that git knows. Relative as the path is, `""` for the root.
 */
export function gitFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.flatMap((name, at) => (gitNames.test(plainPath(name)) ? [parts.slice(0, at).join("/")] : []));
}
