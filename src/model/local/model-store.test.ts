import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileServer, fileServer, ggufOf, sha256Of } from "./file-server.fixture.ts";
import { type Addition, addModel, listModels, removeModel } from "./model-store.ts";

const content = ggufOf(300_000);
const sha256 = sha256Of(content);

let folder = "";
let server: FileServer;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "rondo-models-")), "models");
  server = await fileServer(content);
});
afterEach(async () => {
  await server.close();
  await rm(join(folder, ".."), { recursive: true });
});

const add = (wanted: Partial<Addition> = {}) =>
  addModel(folder, {
    from: `${server.url}/small.gguf`,
    sha256,
    unchecked: false,
    force: false,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...wanted,
  });
const refusal = (wanted: Partial<Addition> = {}): Promise<string> =>
  add(wanted).then(
    () => "added",
    (error: Error) => error.message,
  );
/** A download whose connection ends in the middle. */
const cut = async (wanted: Partial<Addition> = {}): Promise<string> => {
  server.stallAfter = 100_000;
  const message = await refusal({ ...wanted, onProgress: (bytes) => void (bytes > 0 && server.drop()) });
  server.stallAfter = undefined;
  return message;
};
const partSize = () => stat(join(folder, "small.gguf.part")).then(({ size }) => size);

test("a URL is downloaded, checked, listed with its kind and removed with its file", async () => {
  const seen: (number | undefined)[][] = [];
  await add({ onProgress: (...told) => void seen.push(told) });
  expect(seen[0]).toEqual([0, content.length]);
  expect(seen.at(-1)).toEqual([content.length, content.length]);
  const path = join(folder, "small.gguf");
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(await listModels(folder)).toEqual([
    {
      name: "small",
      file: "small.gguf",
      size: content.length,
      sha256,
      quantisation: "Q4_K_M",
      source: `${server.url}/small.gguf`,
      path,
      there: true,
    },
  ]);
  expect(await readdir(folder)).toEqual(["index.json", "small.gguf"]);
  expect(await removeModel(folder, "small")).toEqual({ file: true });
  expect(await readdir(folder)).toEqual(["index.json"]);
});

test("what was cut goes on where it ended, if the file is the same", async () => {
  expect(await cut()).toMatch(/ended after \d+ of \d+ bytes.* kept: add it again/);
  const kept = await partSize();
  expect(kept).toBeGreaterThan(0);
  await add();
  expect(server.received.at(-1)?.headers).toMatchObject({ range: `bytes=${kept}-`, "if-range": '"one"' });
  expect(readFileSync(join(folder, "small.gguf")).equals(content)).toBe(true);
});

test("a server that ends its connection while the first part is read anew", async () => {
  await cut();
  const rest = 100_000;
  // So much as Node's own fetch holds back: it throws where nobody can catch it when the connection ends then.
  await writeFile(join(folder, "small.gguf.part"), content.subarray(0, content.length - rest));
  server.connection = "close";
  await add();
  expect(readFileSync(join(folder, "small.gguf")).equals(content)).toBe(true);
});

test("a server that never answers, and one that compresses what was asked for as it is", async () => {
  server.answer = (path, response) => {
    if (path.startsWith("/packed")) response.writeHead(200, { "content-encoding": "gzip" }).end("GGUF");
    return true;
  };
  expect(await refusal({ from: `${server.url}/packed.gguf` })).toContain("sends it compressed (gzip)");
  const signal = AbortSignal.timeout(50);
  const refused = await add({ signal }).catch((error: unknown) => error);
  expect(refused).toBe(signal.reason);
});

test("a server that sends less of the rest than it says: what came is kept, and is not the whole", async () => {
  await cut();
  const kept = await partSize();
  server.answer = (_, response) => {
    const range = `bytes ${kept}-${kept + 999}/${content.length}`;
    response.writeHead(206, { etag: '"one"', "content-range": range, "content-length": 1_000 });
    response.end(content.subarray(kept, kept + 1_000));
    return true;
  };
  for (const wanted of [{}, { sha256: undefined as never, unchecked: true }]) {
    await writeFile(join(folder, "small.gguf.part"), content.subarray(0, kept));
    expect(await refusal(wanted)).toContain(`ended after ${kept + 1_000} of ${content.length} bytes. They are kept`);
  }
  server.answer = undefined;
  await add();
});

test("of another file than before, the whole is taken", async () => {
  await cut();
  const other = ggufOf(200_000);
  Object.assign(server, { content: other, etag: '"two"' });
  await add({ sha256: sha256Of(other) });
  expect(readFileSync(join(folder, "small.gguf")).equals(other)).toBe(true);
});

test("a server that cannot begin in the middle sends it all again", async () => {
  await cut();
  Object.assign(server, { ranges: false });
  await add();
  expect(readFileSync(join(folder, "small.gguf")).equals(content)).toBe(true);
});

test("halves are not joined blindly: without a mark of the server and a checksum it begins anew", async () => {
  server.etag = undefined;
  await cut({ sha256: undefined as never, unchecked: true });
  await add({ sha256: undefined as never, unchecked: true });
  expect(server.received.at(-1)?.headers.range).toBeUndefined();
});

test("a part that is whole already is fetched anew, not taken for granted", async () => {
  await cut();
  await writeFile(join(folder, "small.gguf.part"), content);
  await add();
  expect(readFileSync(join(folder, "small.gguf")).equals(content)).toBe(true);
});

test("a wrong checksum removes what was downloaded and says both", async () => {
  const wrong = "0".repeat(64);
  expect(await refusal({ sha256: wrong })).toContain(`SHA-256 is ${sha256}, not ${wrong}`);
  expect(await readdir(folder)).toEqual([]);
});

test("a replacement that fails leaves the old file and its entry", async () => {
  await add();
  expect(await refusal()).toContain("--force");
  expect(await refusal({ force: true, sha256: "0".repeat(64) })).toContain("another than expected");
  expect(readFileSync(join(folder, "small.gguf")).equals(content)).toBe(true);
  expect(await listModels(folder)).toHaveLength(1);
  await add({ force: true });
});

test.each([
  [{ sha256: undefined as never }, "--sha256 and the digits"],
  [{ sha256: "abc" }, "64 hexadecimal digits"],
  [{ from: "ftp://127.0.0.1/x.gguf" }, "only http and https"],
  [{ name: "../evil" }, "cannot be a name"],
  [{ name: "a/b" }, "cannot be a name"],
  [{ name: "x.gguf" }, "cannot be a name"],
  [{ from: "http://127.0.0.1:1/%20" }, "--name"],
  [{ from: "http://127.0.0.1:1/x.gguf" }, "cannot be reached"],
] as const)("%j is refused", async (wanted, message) => {
  expect(await refusal(wanted)).toContain(message);
  expect(server.received).toEqual([]);
});

test("what is no GGUF file is not kept", async () => {
  server.content = Buffer.from("<!doctype html>".repeat(1000));
  expect(await refusal()).toContain('no GGUF file: it begins with "<!do"');
  server.content = Buffer.from("GG");
  expect(await refusal()).toContain("it is 2 bytes long");
  expect(await readdir(folder)).toEqual([]);
});

test("the server's refusals are told", async () => {
  server.answer = (path, response) => {
    response.writeHead(path.startsWith("/gone") ? 404 : 401).end("secret page");
    return true;
  };
  expect(await refusal({ from: `${server.url}/gone.gguf` })).toContain("answered 404 Not Found");
  expect(await refusal()).toContain("user and password");
});

test("redirects are followed, without credentials to another origin, and not for ever", async () => {
  const other = await fileServer(content);
  try {
    server.answer = (path, response) => {
      response.writeHead(302, { location: path === "/loop.gguf" ? path : `${other.url}/real.gguf` }).end();
      return true;
    };
    await add({ from: server.url.replace("//", "//ann:s3cret-word@").concat("/small.gguf?token=t0ken-value") });
    expect(server.received[0]?.headers.authorization).toMatch(/^Basic /);
    expect(other.received[0]?.headers.authorization).toBeUndefined();
    const index = readFileSync(join(folder, "index.json"), "utf8");
    expect(index).not.toMatch(/s3cret|t0ken|ann/);
    expect(await refusal({ from: `${server.url}/loop.gguf` })).toContain("more than 10 times");
    server.answer = (_, response) => {
      response.writeHead(302, { location: "file:///etc/passwd" }).end();
      return true;
    };
    expect(await refusal({ from: `${server.url}/odd.gguf` })).toContain("no http or https address");
  } finally {
    await other.close();
  }
});

test("no secret of the URL stands in a message or beside the part", async () => {
  const from = `${server.url.replace("//", "//ann:s3cret-word@")}/small.gguf?token=t0ken-value`;
  const message = await cut({ from });
  const kept = readFileSync(join(folder, "small.gguf.part.json"), "utf8");
  for (const text of [message, kept]) expect(text).not.toMatch(/s3cret|t0ken|ann:/);
});

test("an abort keeps what came", async () => {
  server.stallAfter = 100_000;
  const abort = new AbortController();
  const onProgress = (bytes: number) => void (bytes > 0 && abort.abort(new Error("enough")));
  expect(await refusal({ signal: abort.signal, onProgress })).toBe("enough");
  expect(await partSize()).toBeGreaterThan(0);
  server.stallAfter = undefined;
  await add();
});

test("a file is named where it is, and stays there", async () => {
  const path = join(folder, "..", "mine.gguf");
  await writeFile(path, content);
  await add({ from: path, sha256: undefined as never, name: "mine" });
  expect(await listModels(folder)).toMatchObject([{ name: "mine", path, quantisation: "Q4_K_M", there: true }]);
  expect(await refusal({ from: path, sha256: "0".repeat(64), name: "other" })).toContain("not 000");
  expect(await refusal({ from: join(folder, "none.gguf") })).toContain("there is no file");
  expect(await removeModel(folder, "mine")).toEqual({ file: false });
  expect(existsSync(path)).toBe(true);
});

test("a list that cannot be read is not written over", async () => {
  await mkdir(folder);
  await writeFile(join(folder, "index.json"), "{ half");
  expect(await refusal()).toContain("no list of models");
  expect(readFileSync(join(folder, "index.json"), "utf8")).toBe("{ half");
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be written is told of", async () => {
  await mkdir(folder);
  await chmod(folder, 0o500);
  expect(await refusal()).toContain("permission denied");
});

test("a folder that cannot be made is told of", async () => {
  await writeFile(folder, "a file in its place");
  expect(await refusal()).toMatch(/cannot be made|ENOTDIR/);
});
