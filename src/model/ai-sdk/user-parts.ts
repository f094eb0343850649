import type { LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ImageContent, ProviderData, ToolResultMessage, UserContent, UserMessage } from "../../message/message.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { OutputRules } from "./tool-output.ts";
import { type MediaPart, placed } from "./user-media.ts";

type User = Extract<LanguageModelV4Message, { role: "user" }>;
type Part = User["content"][number];

/** Told of each part that could not be sent as it is. */
export type Tell = (code: string, message: string) => void;

/**
 * What the user said, as a wire takes it. Its provider data is the caller's own, and stays whatever the provider is. `where` names
 * the message in warnings.
 */
export function userMessage({ content }: UserMessage, rules: OutputRules, where: string, tell: Tell): User {
  const given: readonly UserContent[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const parts = given.flatMap((part, at): Part[] => {
    if (part.type !== "text") return [mediaPart(part, rules, `${where}.content[${at}]`, tell)];
    if (isBlank(part.text, rules)) return [];
    return [{ type: "text", text: wellFormed(part.text), ...options(part.providerData) }];
  });
  const unsaid = parts.length === 0 || (rules.documentName !== undefined && isFilesOnly(parts));
  return { role: "user", content: unsaid ? [...parts, { type: "text", text: "(blank text)" }] : parts };
}

const isFilesOnly = (parts: readonly Part[]): boolean =>
  parts.some(isDocument) && parts.every(({ type }) => type === "file");

const isDocument = (part: Part): boolean => part.type === "file" && !/^(image|video)\//.test(part.mediaType);

const isBlank = (text: string, { noBlankText }: OutputRules): boolean => (noBlankText ? text.trim() : text) === "";

/** Images of results that their wire does not take inside: a message behind the results, each with its call's name. */
export function imagesMessage(
  images: readonly { readonly result: ToolResultMessage; readonly images: readonly ImageContent[] }[],
  label: (result: ToolResultMessage) => string,
  rules: OutputRules,
): User {
  const content = images.flatMap(({ result, images }) =>
    images.flatMap((image, at): Part[] => [
      { type: "text", text: `[image ${at + 1} of the result of ${label(result)}]` },
      filePart(image, rules),
    ]),
  );
  return { role: "user", content };
}

function mediaPart(part: MediaPart, rules: OutputRules, where: string, tell: Tell): Part {
  const found = placed(part, rules.media, rules.takesImages, where);
  if ("part" in found) return filePart(found.part, rules);
  tell(found.warning.code, found.warning.message);
  return { type: "text", text: wellFormed(found.text) };
}

function filePart(part: MediaPart, { version, documentName }: OutputRules): Part {
  // V3 has the bare string or URL where V4 has a tagged one.
  const v3 = version === "v3";
  if ("url" in part) {
    const url = new URL(part.url);
    return { type: "file", data: v3 ? (url as never) : { type: "url", url }, mediaType: part.mediaType ?? "image/*" };
  }
  const { data, mediaType } = part;
  const file: Part = { type: "file", data: v3 ? (data as never) : { type: "data", data }, mediaType };
  const given = part.type === "file" && part.name !== undefined ? wellFormed(part.name) : undefined;
  const filename = documentName !== undefined && isDocument(file) ? documentName(given) : given;
  return filename === undefined ? file : { ...file, filename };
}

export function options(data: ProviderData | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return data === undefined ? {} : { providerOptions: data as SharedV4ProviderOptions };
}
