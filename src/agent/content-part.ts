import { basename } from "node:path";
import { isUint8Array } from "node:util/types";
import { readBase64 } from "../message/base64.ts";
import { isDataUrl, readDataUrl } from "../message/data-url.ts";
import type { JsonObject } from "../message/json.ts";
import { imageTypeOf, typeOfName } from "../message/media-type.ts";
import type { UserContent } from "../message/message.ts";
import { plainJson } from "../message/plain-json.ts";
import { wellFormed } from "../message/well-formed.ts";
import { mistake, shown } from "./check-options.ts";
import { checkSize, readPath } from "./read-path.ts";

/** What a part is read to, and how many bytes of a file it holds. */
export type ReadPart = { readonly part: UserContent; readonly bytes: number };

type Fields = { readonly [key: string]: unknown };

/** What a path or data comes to. */
type Media = { readonly bytes: Uint8Array; readonly base64: string; readonly path?: string };

const forms = {
  text: '{ type: "text", text }',
  image: '{ type: "image", path | url | data, mediaType? }',
  file: '{ type: "file", path, mediaType?, name? } or { type: "file", data, mediaType, name? }',
};

/**
 * Reads one part of a prompt or message. `where` names it in errors; `before` is what the parts before it hold, in bytes.
 */
export function readContentPart(given: unknown, where: string, before: number): ReadPart {
  if (typeof given !== "object" || given === null) {
    throw mistake(`${where} must be an object, not ${shown(given)}. There are ${Object.values(forms).join(", ")}.`);
  }
  const fields = given as Fields;
  switch (fields.type) {
    case "text":
      return { part: textPart(fields, where), bytes: 0 };
    case "image":
      return imagePart(fields, where, before);
    case "file":
      return filePart(fields, where, before);
    default:
      throw mistake(`${where} has the type ${shown(fields.type)}. There are ${Object.values(forms).join(", ")}.`);
  }
}

function textPart({ text, providerData }: Fields, where: string): UserContent {
  if (typeof text !== "string") throw mistake(`${where}: text must be a string, not ${shown(text)}.`);
  const isData = typeof providerData === "object" && providerData !== null && !Array.isArray(providerData);
  return {
    type: "text",
    text: wellFormed(text),
    ...(isData && { providerData: plainJson(providerData) as JsonObject }),
  };
}

function imagePart(fields: Fields, where: string, before: number): ReadPart {
  const source = sourceOf(fields, ["path", "url", "data"], where, forms.image);
  const given = givenType(fields.mediaType, where);
  if (given !== undefined && !given.startsWith("image/")) {
    throw mistake(`${where} is an image of the mediaType "${given}"; what is no image goes into ${forms.file}.`);
  }
  if (source === "url") return linkedImage(fields.url, given, where, before);
  const { bytes, base64, path } = readMedia(fields, where, before);
  const mediaType = given ?? imageTypeOf(bytes) ?? imageType(path === undefined ? undefined : typeOfName(path));
  if (mediaType === undefined) {
    const from = path === undefined ? "its bytes" : `the bytes or the name of ${JSON.stringify(path)}`;
    throw mistake(
      `${where}: what kind of image it is cannot be told from ${from}; add mediaType, such as "image/png".`,
    );
  }
  return { part: { type: "image", data: base64, mediaType }, bytes: bytes.length };
}

function linkedImage(link: unknown, mediaType: string | undefined, where: string, before: number): ReadPart {
  if (typeof link !== "string") throw mistake(`${where}: url must be a string, not ${shown(link)}.`);
  const given = link.trim();
  if (isDataUrl(given)) {
    const read = readDataUrl(given);
    if (!read || read.bytes.length === 0) {
      throw mistake(
        `${where}: the data: URL ${shown(given)} cannot be read; it is "data:image/png;base64," and base64.`,
      );
    }
    const type = mediaType ?? imageTypeOf(read.bytes) ?? imageType(read.mediaType);
    if (type === undefined)
      throw mistake(`${where}: the data: URL ${shown(given)} is no image; add mediaType if it is.`);
    checkSize(before + read.bytes.length, where);
    return { part: { type: "image", data: read.base64, mediaType: type }, bytes: read.bytes.length };
  }
  const url = URL.parse(given);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    const problem = url ? "is not http, https or data" : "is no URL";
    throw mistake(`${where}: ${shown(given)} ${problem}; give a file by { type: "image", path }.`);
  }
  const type = mediaType ?? imageType(typeOfName(url.pathname));
  return { part: { type: "image", url: url.href, ...(type !== undefined && { mediaType: type }) }, bytes: 0 };
}

function filePart(fields: Fields, where: string, before: number): ReadPart {
  sourceOf(fields, ["path", "data"], where, forms.file);
  const given = givenType(fields.mediaType, where);
  if (fields.name !== undefined && (typeof fields.name !== "string" || fields.name === "")) {
    throw mistake(`${where}: name must be a string that is not empty, not ${shown(fields.name)}.`);
  }
  if (fields.path === undefined && given === undefined) {
    throw mistake(`${where}: a file given by data needs mediaType, such as "application/pdf".`);
  }
  const { bytes, base64, path } = readMedia(fields, where, before);
  const mediaType = given ?? (path === undefined ? undefined : typeOfName(path)) ?? "application/octet-stream";
  const name = fields.name ?? (path === undefined ? undefined : basename(path));
  return {
    part: { type: "file", data: base64, mediaType, ...(name !== undefined && { name: wellFormed(name) }) },
    bytes: bytes.length,
  };
}

/** Which one of these fields is there. */
function sourceOf(fields: Fields, names: readonly string[], where: string, form: string): string {
  const [one, ...more] = names.filter((name) => fields[name] !== undefined);
  if (one !== undefined && more.length === 0) return one;
  const found = one === undefined ? "has none of" : `has ${one} and ${more.join(" and ")}; it takes one of`;
  throw mistake(`${where} is of the type ${shown(fields.type)} and ${found} ${names.join(", ")}. Write ${form}.`);
}

function readMedia({ path, data }: Fields, where: string, before: number): Media {
  if (path !== undefined) {
    if (typeof path !== "string" || path === "") {
      throw mistake(`${where}: path must be a string that is not empty, not ${shown(path)}.`);
    }
    const bytes = readPath(path, where, before);
    return { bytes, base64: bytes.toString("base64"), path };
  }
  if (typeof data !== "string" && !isUint8Array(data)) {
    throw mistake(`${where}: data must be a Uint8Array or base64 text, not ${shown(data)}.`);
  }
  if (data.length === 0) throw mistake(`${where}: its data is empty.`);
  if (typeof data !== "string") {
    checkSize(before + data.length, where);
    const { buffer, byteOffset, byteLength } = data;
    return { bytes: data, base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
  }
  const read = readBase64(data);
  if (!read || read.bytes.length === 0) {
    const advice = isDataUrl(data) ? "give a data: URL of an image as url" : "give plain bytes as a Uint8Array";
    throw mistake(`${where}: the data ${shown(data)} is no base64; ${advice}.`);
  }
  checkSize(before + read.bytes.length, where);
  return read;
}

function givenType(value: unknown, where: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !/^[\w.+-]+\/[\w.+-]+ *(;.*)?$/.test(value)) {
    throw mistake(`${where}: mediaType must be such as "image/png" or "application/pdf", not ${shown(value)}.`);
  }
  const type = wellFormed(value.toLowerCase());
  return type === "image/jpg" ? "image/jpeg" : type;
}

const imageType = (type: string | undefined): string | undefined => (type?.startsWith("image/") ? type : undefined);
