import type {
  LanguageModelV3,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** A language model object of the AI SDK, of specification V4 or V3. */
export type AiSdkModel = LanguageModelV4 | LanguageModelV3;

/** One part of what such a model streams. */
export type AiSdkPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;
