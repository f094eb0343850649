import type { JSONValue, LanguageModelV3ToolResultOutput, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { ToolResultContent, ToolResultMessage } from "../../message/message.ts";

type Output<V extends "v3" | "v4"> = V extends "v3" ? LanguageModelV3ToolResultOutput : LanguageModelV4ToolResultOutput;

/**
 * A tool's result as the AI SDK takes it: text as text, one JSON value as JSON, both with the error flag where there is
 * one; anything with an image as a list of parts, which is the only form that carries media.
 */
export function toolOutput(result: ToolResultMessage, version: "v3" | "v4"): Output<"v3"> | Output<"v4"> {
  const { content, isError } = result;
  if (content.some((part) => part.type === "image")) return version === "v3" ? partsV3(content) : partsV4(content);
  const [only] = content;
  if (content.length === 1 && only?.type === "json") {
    return { type: isError ? "error-json" : "json", value: only.value as JSONValue };
  }
  return { type: isError ? "error-text" : "text", value: content.map(plainText).join("") };
}

const plainText = (part: ToolResultContent): string => {
  if (part.type === "text") return part.text;
  return part.type === "json" ? JSON.stringify(part.value) : "";
};

function partsV4(content: readonly ToolResultContent[]): Output<"v4"> {
  return {
    type: "content",
    value: content.map((part) =>
      part.type === "image"
        ? { type: "file" as const, data: { type: "data" as const, data: part.data }, mediaType: part.mediaType }
        : { type: "text" as const, text: plainText(part) },
    ),
  };
}

function partsV3(content: readonly ToolResultContent[]): Output<"v3"> {
  return {
    type: "content",
    value: content.map((part) =>
      part.type === "image"
        ? { type: "image-data" as const, data: part.data, mediaType: part.mediaType }
        : { type: "text" as const, text: plainText(part) },
    ),
  };
}
