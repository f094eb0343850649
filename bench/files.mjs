/**
 * How long `glob` and `grep` take on many files, beside ripgrep, `find`, `grep -r` and `git grep` where they are
 * installed. Makes a tree in a temporary folder and removes it.
 *
 *   node bench/files.mjs [--files 50000] [--rounds 5] [--only glob] [--rg /path/to/rg] [--keep]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { glob } from "../src/tools/glob.body.ts";
import { grep } from "../src/tools/grep.body.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "50000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    rg: { type: "string", default: "rg" },
    keep: { type: "boolean", default: false },
  },
});
const [files, rounds] = [Number(values.files), Number(values.rounds)];
const root = mkdtempSync(join(tmpdir(), "rondo-files-"));

/** Source files of one to eight kilobytes, 25 to a folder, four folders deep; one in a hundred has the word. */
function makeTree() {
  let seed = 1;
  const random = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const words = "const let function return value index import export from string number await path name size".split(" ");
  const endings = ["ts", "ts", "ts", "js", "json", "md", "css", "txt"];
  for (let made = 0, folder = 0; made < files; folder++) {
    const at = join(root, `p${folder % 20}`, `m${folder % 7}`, `d${folder % 113}`, `f${folder}`);
    mkdirSync(at, { recursive: true });
    for (let i = 0; i < 25 && made < files; i++, made++) {
      const lines = Array.from({ length: 20 + random(140) }, () =>
        Array.from({ length: 3 + random(8) }, () => words[random(words.length)]).join(" "),
      );
      if (made % 100 === 7) lines.splice(random(lines.length), 0, `// the needle number ${made}`);
      writeFileSync(join(at, `file${i}.${endings[random(endings.length)]}`), `${lines.join("\n")}\n`);
    }
  }
  writeFileSync(join(root, ".gitignore"), "dist/\n*.log\n/build\n");
}

const ctx = { runtime: { workspace: root, allowSecrets: false }, signal: new AbortController().signal };
const program = (command, ...args) => () => spawnSync(command, args, { cwd: root, maxBuffer: 1e9 });
const has = (command) => spawnSync(command, ["--version"]).status === 0;
const rg = (...args) => program(values.rg, "--hidden", "--no-messages", ...args);

const tasks = [
  {
    task: "glob, no path fits",
    ours: () => glob({ pattern: "**/*.nothing" }, ctx),
    rg: rg("--files", "-g", "*.nothing"),
    others: { find: program("find", ".", "-name", "*.nothing"), git: program("git", "ls-files", "-co", "*.nothing") },
  },
  {
    task: "glob, 1,000 paths and more",
    ours: () => glob({ pattern: "**/*.md" }, ctx),
    rg: rg("--files", "-g", "*.md"),
    others: { find: program("find", ".", "-name", "*.md"), git: program("git", "ls-files", "-co", "*.md") },
  },
  search("a word that no file has", "haystack", {}),
  search("a word in 1 % of the files", "needle", { max: 2_000 }),
  search("a pattern", "needle number \\d+7$", { max: 2_000 }),
  search("a word, any case", "NEEDLE", { max: 2_000, ignore_case: true }),
  search("a pattern without a fixed part", "[xyz]{3}\\d", { max: 2_000 }),
  search("a word of every file, counted", "return", { output: "count", max: 2_000 }),
];

function search(what, pattern, options) {
  const flags = [...(options.ignore_case ? ["-i"] : []), ...(options.output === "count" ? ["-c"] : [])];
  return {
    task: `grep, ${what}`,
    ours: () => grep({ pattern, ...options }, ctx),
    rg: rg("-n", ...flags, "-e", pattern, "."),
    others: {
      "grep -r": program("grep", "-rnP", "--exclude-dir=.git", ...flags, pattern, "."),
      git: program("git", "grep", "--untracked", "-nP", ...flags, pattern),
    },
  };
}

async function best(run) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const ms = (value) => (value === undefined ? "-" : value.toFixed(0));

try {
  makeTree();
  const [withRg, withGit] = [has(values.rg), has("git")];
  if (withGit) program("git", "init", "-q")();
  console.log(`${files.toLocaleString("en-US")} files, best of ${rounds}, milliseconds\n`);
  console.log("| task | ours | ripgrep | ours / ripgrep | find, grep -r | git |\n| --- | --- | --- | --- | --- | --- |");
  for (const { task, ours, rg: ripgrep, others } of tasks.filter(({ task: name }) => name.includes(values.only))) {
    const own = await best(ours);
    const theirs = withRg ? await best(ripgrep) : undefined;
    const [plain, git] = [others.find ?? others["grep -r"], others.git];
    const ratio = theirs === undefined ? "-" : (own / theirs).toFixed(1);
    const cells = [task, ms(own), ms(theirs), ratio, ms(await best(plain)), ms(withGit ? await best(git) : undefined)];
    console.log(`| ${cells.join(" | ")} |`);
  }
} finally {
  if (values.keep) console.log(`\n${root}`);
  else rmSync(root, { recursive: true, force: true });
}
