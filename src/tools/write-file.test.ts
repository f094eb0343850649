import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFile } from "./read-file.body.ts";
import { allIn, contextOf, inRun, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

const read = (path: string) => readFileSync(path, "utf8");

test("a new file, with the folders on the way", async () => {
  const { root, at } = makeWorkspace();
  const answer = await writeFile({ path: "a/b/c.txt", content: "one\ntwo" }, contextOf(root));
  expect(answer).toBe('Created "a/b/c.txt" (2 lines, 7 bytes).');
  expect(read(at("a/b/c.txt"))).toBe("one\ntwo");
  expect(allIn(root)).toEqual(["a", "a/b", "a/b/c.txt"]);
});

test("an absolute path inside, a path with dots, an empty file", async () => {
  const { root, at } = makeWorkspace({ "a/x": "" });
  await writeFile({ path: at("one.txt"), content: "1" }, contextOf(root));
  await writeFile({ path: "a/../two.txt", content: "" }, contextOf(root));
  expect([read(at("one.txt")), read(at("two.txt"))]).toEqual(["1", ""]);
});

test("a file that was read is replaced and keeps its mode bits", async () => {
  const { root, at } = makeWorkspace({ "run.sh": "old\n" });
  chmodSync(at("run.sh"), 0o751);
  const answer = await inRun(root, async (ctx) => {
    await readFile({ path: "run.sh" }, ctx);
    return writeFile({ path: "run.sh", content: "new\nlines\n" }, ctx);
  });
  expect(answer).toBe('Replaced "run.sh" (2 lines, 10 bytes; before: 1 line, 4 bytes).');
  expect(read(at("run.sh"))).toBe("new\nlines\n");
  expect(statSync(at("run.sh")).mode & 0o777).toBe(0o751);
  expect(allIn(root)).toEqual(["run.sh"]);
});

describe("line ends and byte order mark", () => {
  const rewritten = async (old: string, content: string) => {
    const { root, at } = makeWorkspace({ "a.txt": old });
    const answer = await writeFile({ path: "a.txt", content }, contextOf(root));
    return { now: read(at("a.txt")), answer };
  };
  test("CRLF and the mark are kept", async () => {
    const { now, answer } = await rewritten("\uFEFFa\r\nb\r\n", "x\ny\n");
    expect(now).toBe("\uFEFFx\r\ny\r\n");
    expect(answer).toContain("Lines end with CRLF, as before.");
  });
  test("content that says line ends itself is taken as it is", async () => {
    expect((await rewritten("a\nb\n", "x\r\ny\n")).now).toBe("x\r\ny\n");
    expect((await rewritten("a\r\nb\r\n", "x\r\ny\n")).now).toBe("x\r\ny\n");
    expect((await rewritten("\uFEFFa", "\uFEFFb")).now).toBe("\uFEFFb");
  });
  test("the same content again is not written", async () => {
    const { now, answer } = await rewritten("\uFEFFa\r\n", "a\n");
    expect([now, answer]).toEqual(["\uFEFFa\r\n", '"a.txt" has this content already; nothing was written.']);
  });
});

describe("what the run knows of the file", () => {
  test("one that it has not read is not replaced, an empty one is", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "words", "empty.txt": "" });
    await inRun(root, async (ctx) => {
      expect(await messageOf(() => writeFile({ path: "a.txt", content: "x" }, ctx))).toBe(
        '"a.txt" is there already and was not read in this run, so it is not replaced. Read it first, or change a part of it with edit_file.',
      );
      await writeFile({ path: "empty.txt", content: "x" }, ctx);
    });
    expect([read(at("a.txt")), read(at("empty.txt"))]).toEqual(["words", "x"]);
  });

  test("one that it wrote itself is replaced again", async () => {
    const { root, at } = makeWorkspace();
    await inRun(root, async (ctx) => {
      await writeFile({ path: "a.txt", content: "1" }, ctx);
      await writeFile({ path: "a.txt", content: "2" }, ctx);
    });
    expect(read(at("a.txt"))).toBe("2");
  });

  test("one that somebody else has changed since is not replaced until it is read again", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "words" });
    await inRun(root, async (ctx) => {
      await readFile({ path: "a.txt" }, ctx);
      writeFileSync(at("a.txt"), "other");
      const again = () => writeFile({ path: "a.txt", content: "x" }, ctx);
      expect(await messageOf(again)).toContain('"a.txt" was changed by somebody else since you read it');
      expect(read(at("a.txt"))).toBe("other");
      await readFile({ path: "a.txt" }, ctx);
      await again();
      writeFileSync(at("a.txt"), "after my own write");
      expect(await messageOf(() => writeFile({ path: "a.txt", content: "y" }, ctx))).toContain("was changed");
    });
    expect(read(at("a.txt"))).toBe("after my own write");
  });

  test("touched, or written anew with the same content, it counts as unchanged", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "words" });
    await inRun(root, async (ctx) => {
      await readFile({ path: "a.txt" }, ctx);
      utimesSync(at("a.txt"), 1, 1);
      rmSync(at("a.txt"));
      writeFileSync(at("a.txt"), "words");
      await writeFile({ path: "a.txt", content: "x" }, ctx);
    });
    expect(read(at("a.txt"))).toBe("x");
  });

  test("one that was deleted since is made again only when asked again", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "words" });
    await inRun(root, async (ctx) => {
      await readFile({ path: "a.txt" }, ctx);
      rmSync(at("a.txt"));
      const write = () => writeFile({ path: "a.txt", content: "x" }, ctx);
      expect(await messageOf(write)).toContain('"a.txt" was deleted by somebody else since you read it');
      expect(await write()).toContain("Created");
    });
  });

  test("a nested run knows what the run around it has read", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "words" });
    await inRun(root, async (ctx) => {
      await readFile({ path: "a.txt" }, ctx);
      const { scripted } = await import("../testing/index.ts");
      const { writeFile: tool } = await import("./write-file.ts");
      const call = { name: "write_file", arguments: { path: "a.txt", content: "inner" } };
      await ctx.runtime.exec("go", { model: scripted([{ calls: [call] }, "ok"]), tools: [tool] });
    });
    expect(read(at("a.txt"))).toBe("inner");
  });
});

describe("symbolic links", () => {
  test("a link to a file inside stays, the file is written", async () => {
    const { root, at } = makeWorkspace({ "real/a.txt": "old" });
    symlinkSync("real/a.txt", at("link"));
    await writeFile({ path: "link", content: "new" }, contextOf(root));
    expect([read(at("real/a.txt")), readlinkSync(at("link"))]).toEqual(["new", "real/a.txt"]);
  });

  test("a link to a folder inside is followed", async () => {
    const { root, at } = makeWorkspace({ "real/a.txt": "old" });
    symlinkSync("real", at("link"));
    await writeFile({ path: "link/b/c.txt", content: "new" }, contextOf(root));
    expect(read(at("real/b/c.txt"))).toBe("new");
  });

  test.each([
    ["../outside/new.txt"],
    ["/etc/rondo-test"],
    ["folder/../../outside/new.txt"],
    ["out/new.txt"],
    ["out/new/deep.txt"],
    ["out/private.txt"],
    ["file"],
    ["dangling"],
    ["dangling/new.txt"],
    ["dangling-inside"],
    ["loop"],
    ["loop/new.txt"],
  ])("%s leads outside, or to nothing, and is refused", async (path) => {
    const { root, outside, at } = makeWorkspace({ "folder/x": "" });
    symlinkSync(outside, at("out"));
    symlinkSync(join(outside, "private.txt"), at("file"));
    symlinkSync(join(outside, "new.txt"), at("dangling"));
    symlinkSync("not-there.txt", at("dangling-inside"));
    symlinkSync("loop", at("loop"));
    const before = allIn(root);
    const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)));
    expect(message).toMatch(/outside of the workspace|symbolic link/);
    expect(message).not.toContain(root);
    expect([allIn(root), allIn(outside)]).toEqual([before, ["private.txt"]]);
    expect(read(join(outside, "private.txt"))).toBe("private words\n");
  });

  test("a file that has another name outside is replaced here only", async () => {
    const { root, outside, at } = makeWorkspace();
    linkSync(join(outside, "private.txt"), at("a.txt"));
    await writeFile({ path: "a.txt", content: "x" }, contextOf(root));
    expect([read(at("a.txt")), read(join(outside, "private.txt"))]).toEqual(["x", "private words\n"]);
  });
});

describe("files that are not for a tool to write", () => {
  test.each([
    [".git/hooks/pre-commit", "version control"],
    ["a/.git/config", "secrets"],
    [".GitHub/workflows/x.yml", "continuous integration"],
    [".npmrc", "secrets"],
    [".vscode/tasks.json", "editors"],
    [".bashrc", "shell start files"],
    ["rondo.config.ts", "agents"],
    [".env", "secrets"],
    ["deploy.key", "secrets"],
  ])("%s", async (path, why) => {
    const { root } = makeWorkspace();
    const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)));
    expect(message).toMatch(/is not written: .* Tell the user what to (?:change|put) there instead\.$/);
    expect(message).toContain(why);
    expect(allIn(root)).toEqual([]);
  });

  test("under the name of a link to or from them", async () => {
    const { root, at } = makeWorkspace({ ".github/x.yml": "", "plain/x.yml": "" });
    symlinkSync(".github", at("docs"));
    symlinkSync("plain", at(".vscode"));
    for (const path of ["docs/x.yml", "docs/new.yml", ".vscode/x.yml", ".vscode/new.yml"])
      expect(await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)))).toContain("is not written");
  });

  test("each is written where its option allows it, and no other", async () => {
    const { root, at } = makeWorkspace();
    const unsafe = contextOf(root, undefined, { allowUnsafePaths: true });
    await writeFile({ path: ".github/x.yml", content: "x" }, unsafe);
    expect(await messageOf(() => writeFile({ path: ".env", content: "x" }, unsafe))).toContain("secrets");
    const secrets = contextOf(root, undefined, { allowSecrets: true });
    await writeFile({ path: ".env", content: "x" }, secrets);
    expect(await messageOf(() => writeFile({ path: ".github/x.yml", content: "y" }, secrets))).toContain("integration");
    expect([read(at(".github/x.yml")), read(at(".env"))]).toEqual(["x", "x"]);
  });
});

test("an aborted call writes nothing", async () => {
  const { root } = makeWorkspace();
  const stopped = contextOf(root, AbortSignal.abort(new Error("stop")));
  expect(await messageOf(() => writeFile({ path: "a/b.txt", content: "x" }, stopped))).toBe("stop");
  const later = new AbortController();
  const writing = writeFile({ path: "a/b.txt", content: "x" }, contextOf(root, later.signal));
  later.abort(new Error("stopped later"));
  expect(await messageOf(() => writing)).toBe("stopped later");
  expect(allIn(root)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a folder that is swapped for a link while it is written stays the same folder",
  async () => {
    const { root, outside, at } = makeWorkspace({ "folder/x": "" });
    // Everything up to the first wait is done at once; the swap comes behind it.
    const writing = writeFile({ path: "folder/private.txt", content: "new" }, contextOf(root));
    renameSync(at("folder"), at("moved"));
    symlinkSync(outside, at("folder"));
    await writing.catch(() => {});
    expect(read(join(outside, "private.txt"))).toBe("private words\n");
    expect(allIn(outside)).toEqual(["private.txt"]);
    expect(read(at("moved/private.txt"))).toBe("new");
  },
);

test.runIf(process.platform === "linux")(
  "a folder that is moved to where nothing may be written is left alone",
  async () => {
    const { root, outside, at } = makeWorkspace({ "folder/x": "", "other/x": "" });
    const away = writeFile({ path: "folder/a.txt", content: "new" }, contextOf(root));
    renameSync(at("folder"), join(outside, "folder"));
    expect(await messageOf(() => away)).toContain("outside of the workspace");
    const unsafe = writeFile({ path: "other/a.txt", content: "new" }, contextOf(root));
    renameSync(at("other"), at(".husky"));
    expect(await messageOf(() => unsafe)).toContain("git hooks");
    expect([allIn(outside), allIn(root)]).toEqual([
      ["folder", "folder/x", "private.txt"],
      [".husky", ".husky/x"],
    ]);
  },
);

test("a file that changes or becomes something else while it is written is left as it is", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "old", "b.txt": "old" });
  const first = writeFile({ path: "a.txt", content: "new" }, contextOf(root));
  writeFileSync(at("a.txt"), "newer");
  expect(await messageOf(() => first)).toContain("at this very moment");
  const second = writeFile({ path: "b.txt", content: "new" }, contextOf(root));
  rmSync(at("b.txt"));
  mkdirSync(at("b.txt"));
  expect(await messageOf(() => second)).toContain("at this very moment");
  const third = writeFile({ path: "c.txt", content: "new" }, contextOf(root));
  writeFileSync(at("c.txt"), "somebody else's");
  expect(await messageOf(() => third)).toContain("at this very moment");
  expect([read(at("a.txt")), read(at("c.txt")), lstatSync(at("b.txt")).isDirectory()]).toEqual([
    "newer",
    "somebody else's",
    true,
  ]);
  expect(allIn(root)).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("two runs that edit one file at the same time: one of them is told", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  const all = await Promise.allSettled(
    ["1", "2", "3"].map((content) => writeFile({ path: "a.txt", content }, contextOf(root))),
  );
  const done = all.findIndex(({ status }) => status === "fulfilled");
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(read(at("a.txt"))).toBe(["1", "2", "3"][done]);
});
