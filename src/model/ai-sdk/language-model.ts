import type {
  LanguageModelV3,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/**
 * A language model object of the AI SDK, of specification V4 or V3. Told by its shape, so that the types of this package
 * do not need the package that has the whole of them.
 */
export type AiSdkModel = {
  readonly specificationVersion: "v4" | "v3";
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: object }>;
};

/** The same with everything that it has. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3;

/** One part of what such a model streams. */
export type AiSdkPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;
