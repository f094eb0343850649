import { type FileHandle, open } from "node:fs/promises";

/** What the first bytes of a file say it is. */
export const ggufMagic = "GGUF";

/** Kinds of weights by their number in `general.file_type`, as llama.cpp names them. */
const fileTypes: { readonly [type: number]: string } = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
};

/** Bytes of a value by its type in the header; strings (8) and lists (9) have a length of their own. */
const sizes: { readonly [type: number]: number } = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** A header is a few megabytes at most: what claims more is none. */
const longestHeader = 256 << 20;

/** Whether the file begins as GGUF files do. */
export async function isGguf(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1", 0, bytesRead) === ggufMagic;
  } finally {
    await handle.close();
  }
}

/** The kind of weights of a GGUF file, such as `Q4_K_M`; undefined if its header does not say, or cannot be read. */
export async function quantisationOf(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const type = await fileType(new Header(handle));
    return type === undefined ? undefined : fileTypes[type];
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

async function fileType(header: Header): Promise<number | undefined> {
  await header.skip(8);
  await header.long();
  const count = await header.long();
  for (let index = 0; index < count; index++) {
    const key = await header.text();
    const type = await header.int();
    if (key === "general.file_type" && type === 4) return header.int();
    await skipValue(header, type);
  }
  return undefined;
}

async function skipValue(header: Header, type: number): Promise<void> {
  if (type === 8) return header.skip(await header.long());
  if (type !== 9) return header.skip(sizeOf(type));
  const inner = await header.int();
  const count = await header.long();
  if (inner === 8 || inner === 9) for (let index = 0; index < count; index++) await skipValue(header, inner);
  else await header.skip(count * sizeOf(inner));
}

function sizeOf(type: number): number {
  const size = sizes[type];
  if (size === undefined) throw new Error("The header is broken.");
  return size;
}

/** Reads on and on, a piece of the file at a time. */
class Header {
  readonly #handle: FileHandle;
  #piece = Buffer.alloc(0);
  #at = 0;
  #next = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async int(): Promise<number> {
    return (await this.#take(4)).readUInt32LE();
  }

  async long(): Promise<number> {
    return Number((await this.#take(8)).readBigUInt64LE());
  }

  async text(): Promise<string> {
    const length = await this.long();
    if (length > 65_536) throw new Error("The header is broken.");
    return (await this.#take(length)).toString("utf8");
  }

  async skip(bytes: number): Promise<void> {
    this.#at += bytes;
    if (this.#next + this.#at > longestHeader) throw new Error("The header is broken.");
  }

  async #take(bytes: number): Promise<Buffer> {
    if (this.#at + bytes > this.#piece.length) {
      const from = this.#next - this.#piece.length + this.#at;
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(Math.max(bytes, 262_144)), { position: from });
      if (bytesRead < bytes) throw new Error("The header is cut.");
      this.#piece = buffer.subarray(0, bytesRead);
      this.#next = from + bytesRead;
      this.#at = 0;
    }
    const taken = this.#piece.subarray(this.#at, this.#at + bytes);
    this.#at += bytes;
    return taken;
  }
}
