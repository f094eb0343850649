import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { allIn, contextOf, makeWorkspace } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

const version = spawnSync("cp", ["--version"], { encoding: "utf8" }).stdout ?? "";
const real = spawnSync("sh", ["-c", "command -v cp"], { encoding: "utf8" }).stdout?.trim();

/** Puts a program named `cp` in the place of the real one, which is "$real" in it. */
function withCp(outside: string, script: string): void {
  const bin = join(outside, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "cp"), `#!/bin/sh\nreal=${real}\nPATH=${process.env.PATH}\n${script}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", bin);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Runs this code in a process of its own. */
const nodeArgs = (code: string) => [
  "--disable-warning=ExperimentalWarning",
  "--input-type=module-typescript",
  "-e",
  code,
];

describe.runIf(process.platform === "linux" && version.includes("GNU coreutils"))("of a file that is there", () => {
  test("whoever reads it while it is written sees all of the old or all of the new", { timeout: 120_000 }, async () => {
    const letters = ["a", "b", "c"].map((letter) => letter.repeat(300_000));
    const { root, outside, at } = makeWorkspace({ "a.txt": letters[0]! });
    const code = `
      import { existsSync, readFileSync } from "node:fs";
      const seen = { whole: 0, parts: 0 };
      do {
        const text = readFileSync(${JSON.stringify(at("a.txt"))}, "latin1");
        seen[text.length === 300_000 && text === text[0].repeat(text.length) ? "whole" : "parts"]++;
        if (seen.whole === 1) process.stdout.write("\\n");
      } while (!existsSync(${JSON.stringify(join(outside, "end"))}));
      process.stdout.write(JSON.stringify(seen));`;
    const reader = spawn(process.execPath, nodeArgs(code), { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void reader.kill("SIGKILL"));
    const told: Buffer[] = [];
    reader.stdout.on("data", (chunk: Buffer) => void told.push(chunk));
    const ended = once(reader, "close");
    await once(reader.stdout, "data");
    for (let n = 0; n < 200; n++) await writeFile({ path: "a.txt", content: letters[n % 3]! }, contextOf(root));
    writeFileSync(join(outside, "end"), "");
    await ended;
    const seen = JSON.parse(Buffer.concat(told).toString());
    expect(seen.parts).toBe(0);
    expect(seen.whole).toBeGreaterThan(1);
  });

  test.each([
    ["while what is to take its place is written", "writeFile"],
    ["before that is on the disk", "fsync"],
    ["right before it gets its name", "renameSync"],
  ])("killed %s, the old content is whole", (_, moment) => {
    const { root, at } = makeWorkspace({ "a.txt": "old".repeat(100_000) });
    const code = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const { writeSync } = fs;
      fs.${moment} = (first, bytes) => {
        if (${JSON.stringify(moment)} === "writeFile") writeSync(first, bytes.subarray(0, 1_000));
        process.kill(process.pid, "SIGKILL");
      };
      syncBuiltinESMExports();
      const { writeFile } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "write-file.body.ts")))});
      const ctx = { runtime: { workspace: ${JSON.stringify(root)} }, signal: new AbortController().signal };
      await writeFile({ path: "a.txt", content: "new".repeat(200_000) }, ctx);`;
    expect(spawnSync(process.execPath, nodeArgs(code)).signal).toBe("SIGKILL");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old".repeat(100_000));
  });

  test("what is to take its place is nowhere that others could open it while it is given the rights", async () => {
    const { root, outside, at } = makeWorkspace({ "a.txt": "old" });
    const log = join(outside, "log");
    const look = 'f=$(readlink /proc/$$/fd/4); stat -c "%a %s" "$(dirname "$f")" "$f" | cut -d" " -f1';
    withCp(outside, `[ "$1" = --version ] || { ${look}; readlink /proc/$$/fd/3; env; } >> ${log}\nexec $real "$@"`);
    vi.stubEnv("ANY_API_KEY", "not-for-others");
    await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
    const [folder, file, from, ...env] = readFileSync(log, "utf8").split("\n");
    expect([folder, file, from]).toEqual(["700", "600", at("a.txt")]);
    expect(env.join("\n")).not.toContain("not-for-others");
    expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["new", ["a.txt"]]);
  });

  test.each([
    ["cannot do all of it", 'if [ "$1" = --version ]; then exec $real "$@"; fi\n$real "$@"\nexit 1'],
    ["does nothing", 'if [ "$1" = --version ]; then exec $real "$@"; fi'],
    ["is another program", '[ "$1" = --version ] && echo "cp (another) 1.0" && exit\nexec $real "$@"'],
    ["is killed", 'if [ "$1" = --version ]; then exec $real "$@"; fi\nkill -9 $$'],
  ])("it is written over where cp %s", async (_, script) => {
    const { root, outside, at } = makeWorkspace({ "a.txt": "old" });
    chmodSync(at("a.txt"), 0o640);
    const { ino } = statSync(at("a.txt"));
    withCp(outside, script);
    await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
    expect(statSync(at("a.txt"))).toMatchObject({ ino, mode: 0o100640 });
    expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["new", ["a.txt"]]);
  });

  test.each([
    ["its rights change", (path: string) => `chmod 600 ${path}`],
    ["it gets another name", (path: string) => `ln ${path} ${path}.also`],
  ])("it is written over where %s in the middle", async (_, change) => {
    const { root, outside, at } = makeWorkspace({ "a.txt": "old" });
    const { ino } = statSync(at("a.txt"));
    withCp(outside, `$real "$@" || exit\n[ "$1" = --version ] || ${change(at("a.txt"))}`);
    await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
    expect(statSync(at("a.txt")).ino).toBe(ino);
    expect(allIn(root).filter((name) => name.startsWith(".rondo-"))).toEqual([]);
    for (const name of allIn(root)) expect(readFileSync(at(name), "utf8")).toBe("new");
  });

  test("other names (hard links) are of the same file afterwards", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "old" });
    linkSync(at("a.txt"), at("b.txt"));
    await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
    expect(readFileSync(at("b.txt"), "utf8")).toBe("new");
    expect(allIn(root)).toEqual(["a.txt", "b.txt"]);
  });

  test.each(["new", ""])("its time is that of the write of %j", async (content) => {
    const { root, at } = makeWorkspace({ "a.txt": "old" });
    utimesSync(at("a.txt"), 1_000_000_000, 1_000_000_000);
    const began = Math.floor(Date.now() / 1_000);
    await writeFile({ path: "a.txt", content }, contextOf(root));
    expect(statSync(at("a.txt")).mtimeMs / 1_000).toBeGreaterThanOrEqual(began - 1);
  });
});
