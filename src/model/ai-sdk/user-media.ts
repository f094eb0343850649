import { isUtf8 } from "node:buffer";
import type { FileContent, ImageContent, LinkedImage } from "../../message/message.ts";
import { wellFormed } from "../../message/well-formed.ts";
import { typedImage } from "./typed-image.ts";

/** What a provider takes beside text in what the user says, as its package sends it. */
export type UserMedia = {
  /** Types of images. */
  readonly images: RegExp;
  /** Links to images: all, or only those whose type is known; absent: none. */
  readonly links?: "all" | "typed";
  /** Types of files that are no images. */
  readonly files: { test(type: string): boolean };
};

export const commonImages = /^image\/(png|jpeg|gif|webp)$/;
const pdf = /^application\/pdf$/;

/** OpenAI and what speaks as it does. */
export const responsesMedia: UserMedia = { images: commonImages, links: "all", files: pdf };
export const chatMedia: UserMedia = {
  images: commonImages,
  links: "all",
  files: /^(application\/pdf|audio\/(wav|mp3|mpeg))$/,
};
export const serverMedia: UserMedia = {
  images: commonImages,
  links: "all",
  files: /^(application\/pdf|audio\/(wav|mp3|mpeg)|video\/.+)$/,
};
/** Ollama fetches nothing (https://docs.ollama.com/api/openai-compatibility). */
export const ollamaMedia: UserMedia = { images: commonImages, files: serverMedia.files };
export const anthropicMedia: UserMedia = {
  images: commonImages,
  links: "all",
  files: /^(application\/pdf|text\/plain)$/,
};
/** https://ai.google.dev/gemini-api/docs/image-understanding and the pages beside it. */
export const geminiMedia: UserMedia = {
  images: /^image\/(png|jpeg|webp|heic|heif)$/,
  links: "typed",
  files: /^(application\/pdf|(audio|video)\/.+)$/,
};
/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
export const bedrockMedia: UserMedia = {
  images: commonImages,
  files:
    /^(application\/(pdf|msword|vnd\.(ms-excel|openxmlformats-officedocument\.(wordprocessingml\.document|spreadsheetml\.sheet)))|text\/(csv|html|plain|markdown)|video\/(x-matroska|quicktime|mp4|webm|x-flv|mpeg|mpg|wmv|x-ms-wmv|3gpp))$/,
};
/** Of providers that nobody knows yet it is not known: what is no text goes to the package as it is. */
export const anyMedia: UserMedia = { images: /^/, links: "all", files: { test: (type) => !isText(type) } };

export type MediaPart = ImageContent | LinkedImage | FileContent;

/** What stands in place of a part that cannot be sent as it is, and what the caller hears of it. */
export type Replaced = { readonly text: string; readonly warning: { readonly code: string; readonly message: string } };

/**
 * The part as it can be sent, or what stands in its place: the text of a file that holds text, else a line that says what is not
 * there. `where` names the part for the warning. The same part gives the same bytes in every round.
 */
export function placed(
  part: MediaPart,
  media: UserMedia,
  takesImages: boolean,
  where: string,
): { readonly part: MediaPart } | Replaced {
  if ("url" in part) {
    const reason = linkProblem(part, media, takesImages);
    return reason === undefined ? { part } : leftOut(`image at ${shown(part.url)}`, reason, where);
  }
  const typed = part.type === "image" || mayBeImage(part) ? typedImage(part) : part;
  const type = bareType(typed.mediaType);
  const isImage = part.type === "image" || type.startsWith("image/");
  if ((!isImage || takesImages) && (isImage ? media.images : media.files).test(type)) {
    return { part: type === typed.mediaType ? typed : { ...typed, mediaType: type } };
  }
  const name = part.type === "file" && part.name !== undefined ? ` ${JSON.stringify(wellFormed(part.name))}` : "";
  if (isText(type) || (type === unknownType && looksLikeText(typed.data)))
    return asText(typed, `file${name} (${type})`, where);
  const what = part.type === "image" ? `${type} image` : `file${name} (${type})`;
  const reason = isImage && !takesImages ? "this model sees no images" : "this model does not take that type";
  return leftOut(what, reason, where);
}

function linkProblem({ mediaType }: LinkedImage, media: UserMedia, takesImages: boolean): string | undefined {
  if (!takesImages) return "this model sees no images";
  if (media.links === undefined) return "this model takes no links, give the image itself";
  const type = mediaType === undefined ? undefined : bareType(mediaType);
  if (type === undefined || type === "image/*")
    return media.links === "all" ? undefined : "this model takes links only with their mediaType";
  return media.images.test(type) ? undefined : "this model does not take that type";
}

function leftOut(what: string, reason: string, where: string): Replaced {
  const text = `[${wellFormed(what)} left out: ${reason}]`;
  return { text, warning: { code: "part_left_out", message: `${where} was left out (${what}): ${reason}.` } };
}

function asText({ data, mediaType }: ImageContent | FileContent, what: string, where: string): Replaced {
  const message = `${where} was sent as text (${what}): this model does not take that type as a file.`;
  return { text: `[${what}]\n${decoded(data, mediaType)}`, warning: { code: "part_as_text", message } };
}

/** Types whose bytes are text, whatever it is about. */
const isText = (type: string): boolean =>
  /^text\/|[/+.-](json|jsonl|ndjson|json5|xml|ya?ml|csv|toml|sql|javascript|typescript|graphql)$|^application\/(x-sh|x-subrip)$/.test(
    type,
  );

/** What a file is called whose name says nothing. */
const unknownType = "application/octet-stream";

const mayBeImage = ({ mediaType }: FileContent): boolean =>
  /^image\//i.test(mediaType) || bareType(mediaType) === unknownType;

function looksLikeText(data: string): boolean {
  const bytes = Buffer.from(data, "base64");
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Without parameters, and in small letters. */
const bareType = (type: string): string => (type.split(";", 1)[0] as string).trim().toLowerCase();

/** By its byte order mark, else by its `charset`, else UTF-8. */
function decoded(data: string, mediaType: string): string {
  const bytes = Buffer.from(data, "base64");
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
  const label = marked ?? (bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined) ?? charsetOf(mediaType);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // Nobody knows that charset.
    return new TextDecoder().decode(bytes);
  }
}

const charsetOf = (type: string): string | undefined => /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1];

/** A link without what may be secret in it. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  const text = origin + pathname;
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
