/** One kind of file that is not written on a model's word. `pattern` fits a lower-case path that begins with `/`. */
export type UnsafeKind = { readonly what: string; readonly why: string; readonly pattern: RegExp };

const words = (names: string): string => names.trim().split(/\s+/).join("|");

/** Files and folders of these names, parts of regular expressions, with a dot in front. */
const dotted = (names: string): string => `\\/\\.(?:${words(names)})(?:\\/|$)`;

/** Those without a dot. */
const named = (names: string): string => `\\/(?:${words(names)})(?:\\/|$)`;

/** Those in the folder of settings of a user. */
const settings = (names: string): string => `\\/\\.config\\/(?:${words(names)})(?:\\/|$)`;

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));

/** What people put behind the name of a start file that the other one reads. */
const own = "(?:[._](?:local|private|work|user|custom|extra|pre|post|before|after|linux|mac|macos|darwin|osx|d))?";

/**
 * Files that other programs execute or trust without anybody looking at them first: who writes them can do later what a
 * tool may not do now. Code, build files and tests are not among them (`package.json`, `Makefile`, `eslint.config.js`,
 * `conftest.py`, `flake.nix`): those are what an agent is there to edit, and they are looked at in a diff. A name fits a
 * file and everything in a folder of that name.
 */
export const unsafeKinds: readonly UnsafeKind[] = [
  {
    what: "version control",
    why: "git and its like run hooks and commands that stand there",
    // A folder with a file HEAD may be a repository itself, whatever its name; see also `gitFolders`.
    pattern: any(
      dotted(String.raw`git hg svn jj bzr fossil pijul sl gitattributes gitmodules gitconfig(?:\.[^/]*)? hgrc`),
      settings("git jj hg sapling"),
      String.raw`\/[^/]+\.git\/|\/head$`,
    ),
  },
  {
    what: "git hooks",
    why: "they run at the next commit",
    pattern: any(
      dotted(String.raw`husky huskyrc(?:\.\w+)? cargo-husky githooks git-hooks hooks lefthook(?:-local)? captainhook
        pre-commit-(?:config|hooks)\.ya?ml lintstagedrc(?:\.\w+)? nano-staged(?:\.\w+)? simple-git-hooks(?:\.\w+)?
        rusty-hook\.toml overcommit\.yml yorkie`),
      named(String.raw`husky\.config\.\w+ lint-staged\.config\.\w+ nano-staged\.\w+ simple-git-hooks\.\w+
        captainhook\.json grumphp\.ya?ml(?:\.dist)? prek\.toml hk\.pkl rusty-hook\.toml`),
      String.raw`\/\.?lefthook(?:-local)?\.\w+$`,
    ),
  },
  {
    what: "continuous integration",
    why: "it runs with the rights and secrets of the repository",
    pattern: any(
      dotted(String.raw`github gitlab gitlab-ci gitea forgejo circleci buildkite teamcity semaphore woodpecker azuredevops
        azure-pipelines drone jenkins tekton harness builds zuul\.d codefresh pipelines`),
      dotted(
        String.raw`(?:gitlab-ci[\w.-]*|travis|drone|woodpecker|cirrus|appveyor|build|zuul|evergreen|vsts-ci|mergify)\.ya?ml`,
      ),
      named(
        String.raw`(?:(?:azure|bitbucket)-pipelines|appveyor|cloudbuild|codemagic|buildspec|bitrise|wercker|screwdriver|codefresh)\.ya?ml`,
      ),
      String.raw`\/jenkinsfile[^/]*$|\/\.cirrus\.star$`,
    ),
  },
  {
    what: "editors",
    why: "they run tasks, or load code, when the folder is opened",
    pattern: any(
      dotted(String.raw`vscode[\w-]* (?:cursor|windsurf|zed|kiro)-server idea run ideavimrc vs fleet zed devcontainer(?:\.json)? theia nova
        helix atom gitpod(?:\.ya?ml)? idx replit codesandbox devfile\.ya?ml nanorc kakrc joerc
        exrc [gn]?vimrc${own} n?vim vim\.lua nvim\.lua lvimrc vimspector\.json dir-locals(?:-2)?\.el
        emacs(?:\.el)? emacs\.d doom\.d spacemacs(?:\.d)?`),
      named(String.raw`_[gn]?vimrc vimfiles devfile\.ya?ml replit\.nix`),
      settings(String.raw`code vscodium cursor windsurf zed jetbrains nvim lvim vim emacs doom helix kak micro nano
        sublime-text[\w-]* lapce geany`),
      String.raw`\/\.config\/code - [^/]*\/`,
      String.raw`\/(?:application support|appdata\/roaming)\/(?:code(?: - [^/]*)?|vscodium|cursor|windsurf|zed)\/`,
      String.raw`\/[^/]+\.(?:code-workspace|sublime-project)$`,
    ),
  },
  {
    what: "agents",
    why: "agents take commands, servers and permissions from there",
    pattern: any(
      dotted(String.raw`claude cursor windsurf codex gemini continue opencode roo kiro trae augment amazonq qwen crush
        rondo junie goose copilot cline clinerules kilocode factory warp openhands zencoder tabnine aiassistant pi agents
        agent antigravity amp vibe claude\.json cursorrules windsurfrules roomodes kilocodemodes goosehints
        (?:opencode|crush)\.jsonc?`),
      settings("rondo claude codex goose opencode crush amp pi github-copilot io\\.continue"),
      named(String.raw`\.?mcp\.json mcp_config\.json claude_desktop_config\.json (?:opencode|crush)\.jsonc?`),
      String.raw`\/\.aider[^/]*$|\/\.?rondo(?:rc|\.config)(?:\.[^/]*)?$`,
    ),
  },
  {
    what: "package managers and build tools",
    why: "they decide where code comes from, or load code of their own",
    pattern: any(
      dotted(String.raw`npmrc npm-init\.[cm]?js yarnrc(?:\.ya?ml)? yarn pnpmfile\.[cm]?js pnp\.(?:c?js|loader\.mjs)
        bunfig\.toml pypirc pip pydistutils\.cfg condarc mambarc gemrc bundle bazelrc[\w.-]* bazeliskrc
        buckconfig(?:\.local)? pants\.(?:rc|bootstrap) mvn mavenrc sbt sbtopts jvmopts mill-opts ivy2 opam opamrc cabal
        conan2? hex mix luarocks cpan cpanrc nuget composer nix-defexpr nixpkgs swiftpm terraformrc terraform\.d
        sdkman asdf nvm rvm rbenv pyenv volta jenv`),
      dotted(String.raw`m2\/(?:settings|extensions|toolchains)[^/]*\.xml gradle\/init\.gradle(?:\.kts)? gradle\/init\.d
        gradle\/gradle\.properties cargo\/config(?:\.toml)? cargo\/bin stack\/config\.yaml`),
      named(String.raw`pnpmfile\.[cm]?js bunfig\.toml pip\.(?:conf|ini) nuget\.config terraform\.rc user\.bazelrc`),
      settings("npm pnpm yarn pip uv pypoetry pdm composer nix nixpkgs nuget containers"),
      String.raw`\/gradle\/wrapper\/`,
    ),
  },
  {
    what: "installed packages",
    why: "they run as they are, and no diff shows them",
    pattern: any(
      dotted("venv node_modules node_libraries terraform pixi"),
      named(String.raw`node_modules (?:site|user)customize\.py pyvenv\.cfg bin\/activate(?:[._][^/]*)?`),
      String.raw`\/(?:(?:site|dist)-packages|venv)\/|\/[^/]+\.(?:pth|egg-link)$`,
    ),
  },
  {
    what: "environments of folders",
    why: "they are loaded when somebody enters the folder",
    pattern: any(
      dotted(String.raw`envrc${own} direnvrc direnv mise asdfrc tool-versions prototools rvmrc powrc powenv
        autoenv(?:\.\w+|_leave[\w.]*)? shadowenv\.d ondirrc loadenv localrc vfox\.toml pkgx\.ya?ml flox devbox hermit
        bash_(?:enter|leave)`),
      settings("mise direnv asdf autoenv"),
      String.raw`\/\.?mise(?:\.[\w-]+)*\.toml$`,
    ),
  },
  {
    what: "shell start files",
    why: "they run when a shell starts",
    pattern: any(
      `\\/\\.(?:${words(`bashrc bash_(?:profile|login|logout|aliases|functions|completion|prompt|env) profile zshrc
        zsh_aliases zshenv zprofile zlogin zlogout kshrc mkshrc ashrc shrc shinit yashrc cshrc tcshrc xonshrc login logout
        x(?:initrc|profile|session|sessionrc|serverrc)`)})${own}(?:\\/|$)`,
      dotted(String.raw`inputrc pam_environment aliases functions exports extra lessfilter lessopen blerc
        bash\.d zsh\.d zsh oh-my-zsh oh-my-bash bash_it prezto zprezto zpreztorc zimrc zplug zplugrc zinit antigen
        antigenrc p10k\.zsh fzf\.(?:bash|zsh) elvish cargo\/env[^/]* local\/share\/(?:bash-completion|fish|zsh)
        local\/share\/omf`),
      settings(String.raw`bash zsh fish nushell powershell xonsh elvish oils ksh sheldon starship\.toml readline`),
      String.raw`\/(?:microsoft\.(?:powershell|vscode)_)?profile\.ps1$`,
    ),
  },
  {
    what: "start files of languages",
    why: "they run when its console, debugger or notebook starts",
    pattern: any(
      dotted(String.raw`gdbinit gdbearlyinit lldbinit[\w-]* radare2rc r2rc rprofile(?:\.site)? renviron irbrc pryrc rdbgrc byebugrc
        pdbrc(?:\.py)? pythonrc(?:\.py)? pythonstartup ipython jupyter julia\/config ghci haskeline ocamlinit utoprc
        sbclrc clisprc ccl-init\.lisp guile racketrc iex\.exs erlang perldb phpdbginit user\.ini octaverc maxima gnuplot
        node_repl_history nodemonrc psqlrc sqliterc duckdbrc mysqlrc cqlshrc mongorc\.js mongoshrc\.js`),
      named(String.raw`r(?:profile|environ)\.site jupyter_[\w-]*config(?:\.d)?(?:\.\w+)? ipython_config\.py
        ipython_kernel_config\.py`),
      settings("gdb ipython jupyter python ghc erlang iex racket julia utop lldb irb pry"),
    ),
  },
  {
    what: "start files of programs",
    why: "they run when the program starts",
    pattern: any(
      dotted(String.raw`screenrc tmux tmux\.conf${own} tmuxinator tmuxp byobu zellij wezterm\.lua wezterm hyper\.js
        alacritty\.(?:toml|ya?ml) kitty\.conf curlrc wgetrc ackrc ripgreprc mailcap muttrc mutt procmailrc forward rhosts
        shosts ssh gnupg aws kube docker\/(?:config\.json|cli-plugins) i3 xmonad fluxbox sxhkdrc xbindkeysrc lesskey local\/bin
        local\/share\/(?:applications|systemd|dbus-1|nautilus)`),
      settings(String.raw`autostart systemd environment\.d tmux tmuxinator zellij wezterm kitty alacritty ghostty foot
        terminator gh hub glab-cli i3 sway hypr awesome bspwm sxhkd openbox qtile polybar waybar rofi river niri
        plasma-workspace lxsession ripgrep ack mutt`),
      named("crontab authorized_keys"),
      // A starter runs its command at a click, or at log-in, wherever it lies.
      String.raw`\/library\/launch(?:agents|daemons)\/|\.desktop$`,
    ),
  },
];
