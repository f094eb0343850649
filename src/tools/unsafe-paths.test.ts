import { expect, test } from "vitest";
import { unsafeKinds } from "./unsafe-kinds.ts";
import { unsafeKind } from "./unsafe-paths.ts";

/** Paths, with a blank between them, in which `+` stands for one. */
const paths = (all: string): string[] =>
  all
    .trim()
    .split(/\s+/)
    .map((path) => path.replaceAll("+", " "));

const refused: { readonly [what: string]: readonly string[] } = {
  "version control": paths(`.git .git/hooks/pre-commit sub/.git/config .gitattributes .gitmodules .gitconfig .hg/hgrc
    .config/git/config .config/jj/config.toml .jj/repo app.git/hooks/post-receive docs/HEAD`),
  "git hooks": paths(`.husky/pre-push .huskyrc .huskyrc.json husky.config.js .githooks/x .hooks/pre-commit lefthook.yml
    .lefthook-local.toml .lefthook/x.sh .pre-commit-config.yaml .pre-commit-hooks.yaml .lintstagedrc.mjs
    lint-staged.config.js .simple-git-hooks.cjs simple-git-hooks.json .overcommit.yml captainhook.json grumphp.yml
    .cargo-husky/hooks/pre-commit prek.toml hk.pkl .rusty-hook.toml .nano-staged.js`),
  "continuous integration": paths(`.github/workflows/ci.yml .github/CODEOWNERS .gitlab-ci.yml .gitlab-ci.deploy.yml
    .gitlab-ci/build.yml .circleci/config.yml Jenkinsfile .jenkins/x.groovy azure-pipelines.yml bitrise.yml .drone.yml
    .cirrus.star .build.yml .tekton/push.yaml buildspec.yml .zuul.d/x.yaml`),
  editors: paths(`.vscode/tasks.json .vscode-server/data/Machine/settings.json .vscode-insiders/x .idea/x.xml
    .devcontainer/devcontainer.json .devcontainer.json a.code-workspace a.sublime-project .exrc .vimrc .vimrc.local
    .vim/plugin/x.vim .nvim/init.lua _vimrc vimfiles/x.vim .config/nvim/init.lua .config/Code/User/settings.json
    .config/Code+-+OSS/User/tasks.json .config/VSCodium/User/x .config/Cursor/User/x .config/zed/tasks.json
    .config/helix/config.toml .config/JetBrains/x .config/sublime-text-3/x .zed/tasks.json .ideavimrc .nanorc
    .dir-locals.el .emacs .emacs.el .emacs.d/init.el .config/emacs/init.el .doom.d/init.el .spacemacs .atom/init.js
    .gitpod.yml .replit .idx/dev.nix devfile.yaml Library/Application+Support/Code/User/tasks.json
    AppData/Roaming/Code/User/tasks.json .cursor-server/x .kakrc`),
  agents:
    paths(`.claude/settings.json .cursor/mcp.json .mcp.json rondo.config.ts .rondo/config.json .rondorc .trae/rules
    .junie/mcp/mcp.json .goosehints .config/goose/config.yaml .config/opencode/x .copilot/x .roomodes .kilocode/mcp.json
    claude_desktop_config.json mcp_config.json .agents/skills/x .pi/settings.json .aider.conf.yml opencode.json`),
  "package managers and build tools":
    paths(`.npmrc web/.npmrc .npm-init.js .yarnrc.yml .yarnrc .pnpmfile.cjs .pnpmfile.mjs
    pnpmfile.js .pnp.cjs .yarn/releases/y.cjs .config/pnpm/rc .pip/pip.conf .config/pip/pip.conf .config/uv/uv.toml
    .pydistutils.cfg .mambarc .gradle/init.gradle .gradle/init.gradle.kts .gradle/init.d/x.gradle
    gradle/wrapper/gradle-wrapper.properties .m2/settings.xml .mvn/jvm.config .mavenrc .sbt/1.0/global.sbt .bundle/config
    .cargo/config.toml .cargo/bin/rustc .bazelrc .bazelrc.user user.bazelrc .bazeliskrc .buckconfig.local .nuget/x
    .composer/composer.json .config/composer/composer.json .opam/config .cabal/config .conan2/profiles/default .cpanrc
    .luarocks/config.lua .terraformrc terraform.rc .config/nix/nix.conf .pyenv/shims/python .nvm/nvm.sh bunfig.toml`),
  "installed packages": paths(`node_modules/a/index.js node_modules/.bin/tsc .node_modules/a.js .venv/bin/activate
    venv/bin/python env/bin/activate.fish env/pyvenv.cfg sitecustomize.py lib/site-packages/a.py a.pth a.egg-link
    .terraform/providers/x`),
  "environments of folders": paths(`.envrc sub/.envrc .envrc.local .direnvrc .direnv/x mise.toml .mise.local.toml
    .config/mise/config.toml .config/direnv/direnvrc .tool-versions .rvmrc .autoenv.zsh .autoenv_leave.zsh
    .shadowenv.d/x.lisp .prototools .flox/env/manifest.toml .bash_enter .localrc`),
  "shell start files": paths(`.bashrc .bashrc.local .bashrc_local .zshrc.local .zshrc.pre .zshenv .profile
    .profile.d/x.sh .bash_functions .bash_completion .bashrc.d/x .zsh/x .cargo/env .config/zsh/rc.zsh home/.bash_profile
    .config/fish/config.fish profile.ps1 .xonshrc .config/xonsh/rc.py .lessfilter .inputrc .aliases .functions .exports
    .oh-my-zsh/custom/x.zsh .p10k.zsh .zimrc .fzf.bash .elvish/rc.elv .config/starship.toml .xsessionrc .xserverrc
    .config/powershell/profile.ps1 .local/share/bash-completion/completions/ls .bash_it/x .shrc .yashrc`),
  "start files of languages": paths(`.gdbinit .gdbearlyinit .lldbinit .lldbinit-Xcode .Rprofile .Renviron Rprofile.site
    .ipython/profile_default/startup/00.py ipython_config.py .jupyter/jupyter_notebook_config.py
    jupyter_server_config.json .config/jupyter/x .julia/config/startup.jl .irbrc .pryrc .config/irb/irbrc .pdbrc
    .pdbrc.py .pythonrc.py .ghci .ocamlinit .sbclrc .iex.exs .erlang .psqlrc .sqliterc .duckdbrc .mongoshrc.js
    .user.ini .octaverc .racketrc .radare2rc`),
  "start files of programs": paths(`.tmux.conf .tmux.conf.local .tmux/x .config/tmux/tmux.conf .wezterm.lua
    .config/wezterm/wezterm.lua .config/kitty/kitty.conf .alacritty.toml .hyper.js .config/autostart/x.desktop
    .config/systemd/user/x.service .local/share/applications/x.desktop .local/bin/ls .config/hypr/hyprland.conf
    .config/i3/config .xmonad/xmonad.hs .ripgreprc .curlrc .mailcap .procmailrc .forward .ssh/config .ssh/rc
    .gnupg/gpg.conf .aws/config .kube/config .docker/config.json .docker/cli-plugins/docker-x crontab
    Library/LaunchAgents/x.plist a.desktop share/applications/Some+App.Desktop .desktop Desktop/x.desktop`),
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
  ".npmrc::$DATA",
  ".git:x/config",
  ".bashrc.:x",
  "\ufeff.bashrc",
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
  "src/desktop.ts",
  "desktop/index.ts",
  "app.desktop.ts",
  "a.desktop/index.ts",
  // Code, build files and data, which are looked at in a diff.
  "eslint.config.js",
  ".eslintrc.cjs",
  ".prettierrc.js",
  "babel.config.js",
  "conftest.py",
  "setup.py",
  "pyproject.toml",
  "build.gradle.kts",
  "settings.gradle",
  "gradle.properties",
  "pnpm-workspace.yaml",
  "flake.nix",
  "shell.nix",
  "devbox.json",
  "Vagrantfile",
  "docker-compose.yml",
  ".dockerignore",
  ".docker/nginx/Dockerfile",
  ".nvmrc",
  ".node-version",
  ".python-version",
  "ansible.cfg",
  ".htaccess",
  ".config/nextest.toml",
  ".config/dotnet-tools.json",
  ".storybook/main.ts",
  ".changeset/a.md",
  ".gitkeep",
  ".env.d/x",
  ".local/share/app/data.json",
  ".cache/x",
  "etc/cron.d/x",
  "rootfs/etc/profile.d/x.sh",
  "vim/plugin.lua",
  "src/jupyter/config.ts",
  "src/githooks/index.ts",
  "hooks/useThing.ts",
  "src/hooks/index.ts",
  "husky/index.ts",
  "functions/index.ts",
  "src/aliases.ts",
  "exports/x.csv",
  "agents/agent.ts",
  "src/agent/index.ts",
  "aws/task.json",
  "gradle/libs.versions.toml",
  "src/terraform/main.tf",
  "code/User/settings.json",
  "docs/.vitepress/config.ts",
  "a.zshrc.md",
  ".zshrc-notes.md",
  "bashrc.local",
  "src/profile/index.ts",
  "../x",
  ".",
])("%s is written", (path) => {
  expect(unsafeKind(path)).toBeUndefined();
});
