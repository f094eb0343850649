import type { LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ImageContent, ProviderData, ToolResultMessage, UserContent, UserMessage } from "../../message/message.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { OutputRules } from "./tool-output.ts";
import { typedImage } from "./typed-image.ts";

type User = Extract<LanguageModelV4Message, { role: "user" }>;
type Part = User["content"][number];

/** What the user said, as a wire takes it. Its provider data is the caller's own, and stays whatever the provider is. */
export function userMessage({ content }: UserMessage, rules: OutputRules): User {
  const given: readonly UserContent[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const said = given.filter((part) => part.type !== "text" || !isBlank(part.text, rules));
  const kept = said.length > 0 ? said : [{ type: "text" as const, text: "(blank text)" }];
  return { role: "user", content: kept.map((part) => userPart(part, rules)) };
}

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
      userPart(image, rules),
    ]),
  );
  return { role: "user", content };
}

function userPart(part: UserContent, { version, takesImages }: OutputRules): Part {
  if (part.type === "text") return { type: "text", text: wellFormed(part.text), ...options(part.providerData) };
  if (part.type === "image" && !takesImages)
    return { type: "text", text: "[image left out: this model sees no images]" };
  // V3 has the bare string or URL where V4 has a tagged one.
  const v3 = version === "v3";
  if ("url" in part) {
    const url = new URL(part.url);
    return { type: "file", data: v3 ? (url as never) : { type: "url", url }, mediaType: part.mediaType ?? "image/*" };
  }
  const { data, mediaType } = part.type === "image" ? typedImage(part) : part;
  const name = part.type === "file" && part.name !== undefined ? { filename: wellFormed(part.name) } : undefined;
  return { type: "file", data: v3 ? (data as never) : { type: "data", data }, mediaType, ...name };
}

export function options(data: ProviderData | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return data === undefined ? {} : { providerOptions: data as SharedV4ProviderOptions };
}
