import type { JSONValue, LanguageModelV3ToolResultOutput, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { ImageContent, ToolResultContent, ToolResultMessage } from "../../message/message.ts";
import { wellFormedJson } from "../../message/plain-json.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { DocumentNames } from "./document-names.ts";
import { typedImage } from "./typed-image.ts";
import type { WireRules } from "./wire-rules.ts";

type Output<V extends "v3" | "v4"> = V extends "v3" ? LanguageModelV3ToolResultOutput : LanguageModelV4ToolResultOutput;

/** A result as a wire takes it: what stands in the result itself, and the images that have to follow behind the batch. */
export type WireResult = {
  readonly output: Output<"v3"> | Output<"v4">;
  readonly behind: readonly ImageContent[];
};

/** How the results for one model have to look. `takesImages` is false for a model that sees none at all. */
export type OutputRules = Pick<WireRules, "imagesInResults" | "errorFlag" | "noBlankText" | "media"> & {
  readonly version: "v3" | "v4";
  readonly takesImages: boolean;
  /** For wires on which documents have names of their own. */
  readonly documentName?: DocumentNames;
};

/** A line of ours between what the tool gave. */
type Line = { readonly type: "line"; readonly text: string };
type Part = ToolResultContent | Line;

/**
 * A tool's result as the AI SDK takes it: text as text, one JSON value as JSON, both with the error flag where the package
 * passes it on, else with a word in front. Images stay in the result, as parts, where the provider takes them there;
 * failed results never hold any, since parts have no flag and Anthropic wants nothing but text in them. Elsewhere a line
 * in their place says where they are. An image that the model cannot see becomes a line too.
 */
export function toolOutput({ content, isError }: ToolResultMessage, rules: OutputRules): WireResult {
  const [only] = content;
  if (content.length === 1 && only?.type === "json") {
    if (!isError || rules.errorFlag) return { output: json(only.value as JSONValue, isError), behind: [] };
  }
  if (!content.some((part) => part.type === "image")) return { output: text(content, isError, rules), behind: [] };
  const parts = content.map((part) => (part.type === "image" ? usable(part, rules) : part));
  const images = parts.filter((part) => part.type === "image");
  if (images.length > 0 && rules.imagesInResults !== undefined && !isError) {
    return { output: inParts(parts, rules), behind: [] };
  }
  let number = 0;
  const lines = parts.map((part) => (part.type === "image" ? line(`image ${++number}: behind the results`) : part));
  return { output: text(lines, isError, rules), behind: images };
}

const line = (said: string): Line => ({ type: "line", text: `[${wellFormed(said)}]` });

/** The image, or a line that says why it is not there. */
function usable(image: ImageContent, rules: OutputRules): ImageContent | Line {
  const typed = typedImage(image);
  if (!rules.takesImages) return line(`${typed.mediaType} image left out: this model sees no images`);
  const inside = rules.imagesInResults ?? anyImage;
  if (inside.test(typed.mediaType) && rules.media.images.test(typed.mediaType)) return typed;
  return line(`${typed.mediaType} image left out: this model does not take that type`);
}

const anyImage = /^image\/(png|jpeg|gif|webp)$/;

const json = (value: JSONValue, isError: boolean): WireResult["output"] => ({
  type: isError ? "error-json" : "json",
  value: wellFormedJson(value as never),
});

function text(parts: readonly Part[], isError: boolean, rules: OutputRules): WireResult["output"] {
  const joined = wellFormed(join(parts));
  const said = rules.noBlankText && joined.trim() === "" ? "(blank text)" : joined;
  if (!isError) return { type: "text", value: said };
  return rules.errorFlag ? { type: "error-text", value: said } : { type: "text", value: asError(said) };
}

/** For wires without a flag: the text has to say itself that the call failed. */
const asError = (said: string): string => (/^\W*error\b/i.test(said) ? said : `Error: ${said}`);

function join(parts: readonly Part[]): string {
  let all = "";
  let afterLine = false;
  for (const part of parts) {
    const said = plainText(part);
    if (all !== "" && !all.endsWith("\n") && (part.type === "line" || afterLine)) all += "\n";
    all += said;
    afterLine = part.type === "line";
  }
  return all;
}

const plainText = (part: Part): string =>
  part.type === "json" ? JSON.stringify(part.value) : part.type === "image" ? "" : part.text;

function inParts(parts: readonly Part[], rules: OutputRules): WireResult["output"] {
  const value = parts.flatMap((part) => {
    if (part.type === "image") {
      const { data, mediaType } = part;
      return rules.version === "v3"
        ? { type: "image-data" as const, data, mediaType }
        : { type: "file" as const, data: { type: "data" as const, data }, mediaType };
    }
    const said = wellFormed(plainText(part));
    return rules.noBlankText && said.trim() === "" ? [] : { type: "text" as const, text: said };
  });
  return { type: "content", value } as WireResult["output"];
}
