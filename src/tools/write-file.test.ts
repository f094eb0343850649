import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
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

  test("one of which it has read only a part is replaced once it has read the rest, in any order", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "1\n2\n3\n4\n5\n" });
    await inRun(root, async (ctx) => {
      const write = () => writeFile({ path: "a.txt", content: "x" }, ctx);
      for (const lines of [{ limit: 1 }, { offset: 4 }, { offset: 4 }, { offset: 3, limit: 1 }]) {
        await readFile({ path: "a.txt", ...lines }, ctx);
        expect(await messageOf(write)).toContain('Only a part of "a.txt" was read in this run, so it is not replaced');
      }
      expect(await messageOf(write)).toBe(
        'Only a part of "a.txt" was read in this run, so it is not replaced: what you have not seen would be lost. Read the rest first (line 2: offset 2), or change a part of it with edit_file.',
      );
      await readFile({ path: "a.txt", offset: 2, limit: 1 }, ctx);
      await write();
    });
    expect(read(at("a.txt"))).toBe("x");
  });

  test("parts that were read before somebody else changed the file do not count", async () => {
    const { root, at } = makeWorkspace({ "a.txt": "1\n2\n" });
    await inRun(root, async (ctx) => {
      await readFile({ path: "a.txt", limit: 1 }, ctx);
      writeFileSync(at("a.txt"), "other\n2\n");
      await readFile({ path: "a.txt", offset: 2 }, ctx);
      expect(await messageOf(() => writeFile({ path: "a.txt", content: "x" }, ctx))).toContain("Only a part of");
    });
    expect(read(at("a.txt"))).toBe("other\n2\n");
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

test("content with a NUL character is refused", async () => {
  const { root } = makeWorkspace();
  expect(await messageOf(() => writeFile({ path: "a/run.sh", content: "echo\n#\0\n" }, contextOf(root)))).toBe(
    "The content has a NUL character, with which the file would be no text. Leave it out.",
  );
  expect(allIn(root)).toEqual([]);
});
