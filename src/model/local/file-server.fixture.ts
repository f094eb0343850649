import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A GGUF file without tensors whose header says Q4_K_M, followed by this many bytes. */
export function ggufOf(bytes: number): Buffer {
  const head = Buffer.alloc(4 + 4 + 8 + 8);
  head.write("GGUF", 0, "latin1");
  head.writeUInt32LE(3, 4);
  head.writeBigUInt64LE(2n, 16);
  const entry = (key: string, type: number, value: Buffer) => {
    const start = Buffer.alloc(8 + key.length + 4);
    start.writeBigUInt64LE(BigInt(key.length), 0);
    start.write(key, 8, "latin1");
    start.writeUInt32LE(type, 8 + key.length);
    return Buffer.concat([start, value]);
  };
  // A list of strings stands before the kind: it has to be stepped over.
  const list = Buffer.alloc(4 + 8 + 8 + 3);
  list.writeUInt32LE(8, 0);
  list.writeBigUInt64LE(1n, 4);
  list.writeBigUInt64LE(3n, 12);
  const type = Buffer.alloc(4);
  type.writeUInt32LE(15);
  const body = Buffer.alloc(bytes, "weights ");
  return Buffer.concat([head, entry("tokenizer.ggml.tokens", 9, list), entry("general.file_type", 4, type), body]);
}

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** What a server of one file was asked, and how it answers. */
export type FileServer = {
  readonly url: string;
  readonly received: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** What it serves from now on. */
  content: Buffer;
  etag: string | undefined;
  /** Whether it can begin in the middle. */
  ranges: boolean;
  /** Ends the connection behind each answer. */
  connection: "close" | undefined;
  /** Sends the first so many bytes, and then nothing. */
  stallAfter: number | undefined;
  /** Answers this path by itself. */
  answer: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** Ends all connections in the middle. */
  drop(): void;
  close(): Promise<void>;
};

export async function fileServer(content: Buffer): Promise<FileServer> {
  const received: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    received.push({ path: request.url ?? "", headers: request.headers });
    if (file.answer?.(request.url ?? "", response) === true) return;
    serve(file, request.headers, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const file: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    content,
    etag: '"one"',
    ranges: true,
    connection: undefined,
    stallAfter: undefined,
    answer: undefined,
    drop: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return file;
}

function serve(file: FileServer, asked: IncomingHttpHeaders, response: ServerResponse): void {
  const { content, etag, ranges, stallAfter } = file;
  const from = Number(/^bytes=(\d+)-$/.exec(asked.range ?? "")?.[1] ?? 0);
  const same = asked["if-range"] === undefined || asked["if-range"] === etag;
  const begin = ranges && same ? from : 0;
  if (file.connection !== undefined) response.setHeader("connection", file.connection);
  if (etag !== undefined) response.setHeader("etag", etag);
  if (begin > 0 && begin >= content.length) {
    response.writeHead(416, { "content-range": `bytes */${content.length}` }).end();
    return;
  }
  const body = content.subarray(begin);
  const range = begin > 0 ? { "content-range": `bytes ${begin}-${content.length - 1}/${content.length}` } : {};
  response.writeHead(begin > 0 ? 206 : 200, { "content-length": body.length, ...range });
  if (stallAfter === undefined) response.end(body);
  else response.write(body.subarray(0, stallAfter));
}
