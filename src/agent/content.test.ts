import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RondoError } from "../error.ts";
import type { UserMessage } from "../message/message.ts";
import { scripted } from "../testing/scripted.ts";
import { type Content, type ContentPart, userMessage } from "./content.ts";
import { createRuntime } from "./create-runtime.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const base64 = png.toString("base64");
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]);

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rondo-content-"));
  writeFileSync(at("dot.png"), png);
  writeFileSync(at("photo.png"), jpeg);
  writeFileSync(at("unnamed"), png);
  writeFileSync(at("drawing.svg"), "<svg/>");
  writeFileSync(at("notes.md"), "# Notes");
  writeFileSync(at("blob.xyz"), "any");
  writeFileSync(at("empty.png"), "");
  writeFileSync(at("large.bin"), "");
  truncateSync(at("large.bin"), 50_000_001);
  writeFileSync(at("half.bin"), "");
  truncateSync(at("half.bin"), 25_000_001);
  mkdirSync(at("folder.png"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const partsOf = (...parts: unknown[]) => userMessage(parts as readonly ContentPart[], "The prompt").content;

/** The message of the mistake that these parts are. */
function mistakeIn(...parts: unknown[]): string {
  try {
    partsOf(...parts);
  } catch (error) {
    if (RondoError.isInstance(error) && error.code === "invalid_option") return error.message;
    throw error;
  }
  return "";
}

describe("images", () => {
  const image = { type: "image", data: base64, mediaType: "image/png" };

  test.each<[string, () => unknown]>([
    ["a path", () => ({ type: "image", path: at("dot.png") })],
    ["a relative path", () => ({ type: "image", path: relative(process.cwd(), at("dot.png")) })],
    ["a path without extension", () => ({ type: "image", path: at("unnamed") })],
    ["a Buffer", () => ({ type: "image", data: png })],
    ["the window of a larger buffer", () => ({ type: "image", data: new Uint8Array([7, ...png, 7]).subarray(1, -1) })],
    ["base64", () => ({ type: "image", data: base64, mediaType: "image/png" })],
    [
      "base64 without type or padding, with line breaks",
      () => ({ type: "image", data: `${base64.slice(0, 40)}\n${base64.slice(40).replace(/=+$/, "")}` }),
    ],
    ["a data: URL", () => ({ type: "image", url: `data:image/png;base64,${base64}` })],
    ["a data: URL that names no type, with space around", () => ({ type: "image", url: ` data:;base64,${base64}\n` })],
  ])("%s", (_, part) => {
    expect(partsOf(part())).toStrictEqual([image]);
  });

  test("the bytes say the type before the extension does, and mediaType before both", () => {
    const data = jpeg.toString("base64");
    expect(partsOf({ type: "image", path: at("photo.png") })).toEqual([
      { type: "image", data, mediaType: "image/jpeg" },
    ]);
    expect(partsOf({ type: "image", path: at("photo.png"), mediaType: "image/AVIF" })).toEqual([
      { type: "image", data, mediaType: "image/avif" },
    ]);
    expect(partsOf({ type: "image", data: png, mediaType: "image/jpg" })).toMatchObject([{ mediaType: "image/jpeg" }]);
    expect(partsOf({ type: "image", path: at("drawing.svg") })).toMatchObject([{ mediaType: "image/svg+xml" }]);
  });

  test("bytes are copied: changing them later changes nothing", () => {
    const data = Uint8Array.from(png);
    const parts = partsOf({ type: "image", data });
    data.fill(0);
    expect(parts).toEqual([image]);
  });

  test("a URL stays a URL; its extension says the type where it can", () => {
    expect(
      partsOf(
        { type: "image", url: "https://a.example/b.PNG?c=1" },
        { type: "image", url: "HTTP://a.example" },
        { type: "image", url: "https://a.example/b.pdf", mediaType: "image/gif" },
      ),
    ).toStrictEqual([
      { type: "image", url: "https://a.example/b.PNG?c=1", mediaType: "image/png" },
      { type: "image", url: "http://a.example/" },
      { type: "image", url: "https://a.example/b.pdf", mediaType: "image/gif" },
    ]);
  });

  test.each<[unknown, RegExp]>([
    [{ type: "image" }, /part 0 is of the type "image" and has none of path, url, data\. Write \{ type: "image"/],
    [{ type: "image", path: "a", data: "b" }, /has path and data; it takes one of/],
    [{ type: "image", data: "a.png" }, /the data "a\.png" is no base64/],
    [{ type: "image", data: `data:image/png;base64,${base64}` }, /give a data: URL of an image as url/],
    [{ type: "image", data: "====" }, /is no base64/],
    [{ type: "image", data: "" }, /its data is empty/],
    [{ type: "image", data: new Uint8Array() }, /its data is empty/],
    [{ type: "image", data: [1, 2] }, /must be a Uint8Array or base64 text, not \[1,2\]/],
    [{ type: "image", data: "AAAA" }, /cannot be told from its bytes; add mediaType/],
    [{ type: "image", data: "AAAA", mediaType: "png" }, /mediaType must be such as "image\/png".*not "png"/],
    [{ type: "image", data: "AAAA", mediaType: 5 }, /mediaType must be such as/],
    [{ type: "image", data: "AAAA", mediaType: "application/pdf" }, /"application\/pdf"; what is no image goes into/],
    [{ type: "image", url: "a.png" }, /"a\.png" is no URL; give a file by \{ type: "image", path \}/],
    [{ type: "image", url: "file:///a.png" }, /is not http, https or data; give a file by/],
    [{ type: "image", url: new URL("https://a.example") }, /url must be a string/],
    [{ type: "image", url: "data:image/png;base64,***" }, /the data: URL .* cannot be read/],
    [{ type: "image", url: "data:text/plain,hi" }, /is no image; add mediaType/],
    [{ type: "image", path: "" }, /path must be a string that is not empty/],
    [{ type: "image", path: 5 }, /path must be a string/],
  ])("%j is a mistake", (part, says) => {
    expect(mistakeIn(part)).toMatch(says);
  });

  test("a file that says nothing of its kind asks for mediaType", () => {
    expect(mistakeIn({ type: "image", path: at("blob.xyz") })).toMatch(/blob\.xyz"; add mediaType, such as/);
    expect(mistakeIn({ type: "image", path: at("notes.md") })).toMatch(/notes\.md"; add mediaType/);
  });
});

describe("files", () => {
  test("by path, bytes and base64", () => {
    const data = Buffer.from("# Notes").toString("base64");
    expect(
      partsOf(
        { type: "file", path: at("notes.md") },
        { type: "file", path: at("notes.md"), mediaType: "text/plain", name: "n.txt" },
        { type: "file", path: at("blob.xyz") },
        { type: "file", data: Buffer.from("# Notes"), mediaType: "text/plain; charset=utf-8" },
        { type: "file", data, mediaType: "text/plain", name: "a\ud800" },
      ),
    ).toStrictEqual([
      { type: "file", data, mediaType: "text/markdown", name: "notes.md" },
      { type: "file", data, mediaType: "text/plain", name: "n.txt" },
      { type: "file", data: "YW55", mediaType: "application/octet-stream", name: "blob.xyz" },
      { type: "file", data, mediaType: "text/plain; charset=utf-8" },
      { type: "file", data, mediaType: "text/plain", name: "a\ufffd" },
    ]);
  });

  test.each<[unknown, RegExp]>([
    [{ type: "file" }, /is of the type "file" and has none of path, data/],
    [{ type: "file", data: "AAAA" }, /a file given by data needs mediaType/],
    [{ type: "file", data: "AAAA", mediaType: "text/plain", name: "" }, /name must be a string that is not empty/],
    [{ type: "file", data: "?", mediaType: "text/plain" }, /the data "\?" is no base64; give plain bytes/],
  ])("%j is a mistake", (part, says) => {
    expect(mistakeIn(part)).toMatch(says);
  });
});

describe("paths", () => {
  const text = { type: "text", text: "see" };

  test.each(["image", "file"])(
    "one of an %s that is not there is named, with the part and where it was looked for",
    (type) => {
      const path = relative(process.cwd(), at("gone.png"));
      const said = mistakeIn(text, { type, path });
      expect(said).toContain(
        `The prompt: part 1: the file ${JSON.stringify(path)} is not there (looked for ${at("gone.png")})`,
      );
      expect(mistakeIn({ type, path: at("dot.png/below") })).toMatch(/below" is not there; check the path/);
    },
  );

  test("a long path is named whole", () => {
    const path = at(`${"long-".repeat(40)}.png`);
    expect(mistakeIn({ type: "image", path })).toContain(JSON.stringify(path));
  });

  test("folders, empty files and what is no file are named", () => {
    expect(mistakeIn({ type: "image", path: at("folder.png") })).toMatch(
      /part 0: the file ".*folder\.png" is a folder/,
    );
    expect(mistakeIn({ type: "image", path: at("empty.png") })).toMatch(/part 0: the file ".*empty\.png" is empty/);
    expect(mistakeIn({ type: "file", path: "a\0b" })).toMatch(/"a\\u0000b" cannot be read/);
  });

  test.runIf(process.platform === "linux")("a device is not read", () => {
    expect(mistakeIn({ type: "file", path: "/dev/zero" })).toMatch(/"\/dev\/zero" is no regular file/);
  });

  test.runIf(process.getuid?.() !== 0 && process.platform !== "win32")("a file that may not be read is named", () => {
    writeFileSync(at("closed.png"), png);
    chmodSync(at("closed.png"), 0);
    expect(mistakeIn({ type: "image", path: at("closed.png") })).toMatch(/closed\.png" may not be read/);
  });
});

describe("the bound of 50 MB", () => {
  const says = (part: number, megabytes: string) =>
    `The prompt: part ${part} brings its message to ${megabytes} MB; the parts of a message may hold 50 MB`;

  test("holds for a path, bytes, base64 and a data: URL", () => {
    expect(mistakeIn({ type: "file", path: at("large.bin") })).toContain(says(0, "50.1"));
    expect(mistakeIn({ type: "image", data: new Uint8Array(60_000_000) })).toContain(says(0, "60.0"));
    const long = "A".repeat(80_000_000);
    expect(mistakeIn({ type: "file", data: long, mediaType: "a/b" })).toContain(says(0, "60.0"));
    expect(mistakeIn({ type: "image", url: `data:image/png;base64,${long}` })).toContain(says(0, "60.0"));
  });

  test("holds for all parts together", () => {
    const half = { type: "file", path: at("half.bin") };
    expect(mistakeIn(half)).toBe("");
    expect(mistakeIn(half, { type: "text", text: "and" }, half)).toContain(says(2, "50.1"));
  });
});

describe("what is no part", () => {
  test.each<[unknown, RegExp]>([
    [{ type: "audio", data: "AAAA" }, /^The prompt: part 1 has the type "audio"\. There are .*"text".*"image".*"file"/],
    [{ type: "image_url", image_url: "x" }, /part 1 has the type "image_url"/],
    [{}, /part 1 has the type undefined/],
    ["see", /part 1 must be an object, not "see"\. There are \{ type: "text", text \}/],
    [null, /part 1 must be an object, not null/],
    [{ type: "text" }, /part 1: text must be a string, not undefined/],
    [{ type: "tool_call", id: "a", name: "b", arguments: "" }, /has the type "tool_call"/],
  ])("%j", (part, says) => {
    expect(mistakeIn({ type: "text", text: "a" }, part)).toMatch(says);
  });

  test("a hole and a list of nothing", () => {
    // biome-ignore lint/suspicious/noSparseArray: a hole is the case
    expect(() => userMessage([, { type: "text", text: "a" }] as Content, "It")).toThrow(/It: part 0 must be an object/);
    expect(mistakeIn()).toBe("The prompt is empty.");
    expect(mistakeIn({ type: "text", text: " " })).toBe("The prompt is empty.");
  });

  test("text is made well-formed and keeps the data of its provider", () => {
    const providerData = { anthropic: { cacheControl: { type: "ephemeral" } } };
    expect(partsOf({ type: "text", text: "a\ud800", providerData, extra: 1 })).toEqual([
      { type: "text", text: "a\ufffd", providerData },
    ]);
  });
});

describe("in a run", () => {
  const start = (...replies: Parameters<typeof scripted>[0]) => {
    const model = scripted(replies);
    return { model, runtime: createRuntime({ model }) };
  };

  test("the model gets the bytes of the file, and the history is plain JSON that another run takes", async () => {
    const { model, runtime } = start("A dot.", "Still a dot.");
    const content: Content = [
      { type: "text", text: "What is it?" },
      { type: "image", path: at("dot.png") },
      { type: "image", url: "https://a.example/b.png" },
      { type: "file", path: at("notes.md") },
    ];
    const run = runtime.run(content);
    const { messages, text } = await run.result;
    expect(text).toBe("A dot.");
    const user: UserMessage = {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", data: base64, mediaType: "image/png" },
        { type: "image", url: "https://a.example/b.png", mediaType: "image/png" },
        { type: "file", data: Buffer.from("# Notes").toString("base64"), mediaType: "text/markdown", name: "notes.md" },
      ],
    };
    expect(model.requests[0]?.messages).toEqual([user]);

    const earlier = JSON.parse(JSON.stringify(messages));
    const again = runtime.run("And now?", { messages: earlier });
    const warnings: unknown[] = [];
    for await (const event of again) if (event.type === "warning") warnings.push(event);
    expect(warnings).toEqual([]);
    expect(model.requests[1]?.messages[0]).toEqual(user);
  });

  test("a missing file throws before anything is asked", async () => {
    const { model, runtime } = start();
    const content: Content = [{ type: "image", path: at("gone.png") }];
    expect(() => runtime.run(content)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    await expect(runtime.exec(content)).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("gone.png"),
    });
    expect(model.requests).toEqual([]);
  });

  test("messages that are sent or asked for may hold parts too", async () => {
    const { model, runtime } = start("One.", "Two.");
    let asked = 0;
    const run = runtime.run("Go.", {
      getFollowUpMessages: () =>
        asked++ === 0 ? [{ role: "user", content: [{ type: "image", url: "data:image/gif;base64,R0lGODlh" }] }] : [],
    });
    run.send([{ type: "image", path: at("dot.png") }]);
    expect(() => run.send([{ type: "image", path: at("gone.png") }])).toThrow(/The message: part 0: the file/);
    expect((await run.result).outcome).toBe("stop");
    const contents = model.requests[1]?.messages.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(contents).toEqual([
      "Go.",
      [{ type: "image", data: base64, mediaType: "image/png" }],
      [{ type: "image", data: "R0lGODlh", mediaType: "image/gif" }],
    ]);
  });
});
