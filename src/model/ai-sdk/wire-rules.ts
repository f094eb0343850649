import type { JsonObject } from "../../message/json.ts";
import type { LanguageModel } from "./language-model.ts";
import { isCompatible } from "./native-output.ts";
import {
  anthropicMedia,
  anyMedia,
  bedrockMedia,
  chatMedia,
  commonImages,
  geminiMedia,
  ollamaMedia,
  responsesMedia,
  serverMedia,
  type UserMedia,
} from "./user-media.ts";
import type { IdRule } from "./wire-ids.ts";

/** What a provider takes of a history that may have been made elsewhere, as its package sends it. */
export type WireRules = {
  /** The names under which its package reads provider data; absent: not known, all of it is handed over. */
  readonly data?: readonly string[];
  /** Whether reasoning that the model itself wrote is given back; `data` is what is kept with it. */
  reasoning(text: string, data: JsonObject): boolean;
  /** It refuses a reply whose last block is reasoning. */
  readonly noReasoningLast?: true;
  /** Its package leaves two replies in a row as they are, and the provider wants turns. */
  readonly joinsReplies?: true;
  /** With thinking on, it refuses a call that stands open and was not thought about first. */
  readonly thinksFirst?: true;
  /** Data for the first call of a reply that has no signature; without any it refuses the request. */
  readonly unsigned?: JsonObject;
  readonly ids: IdRule;
  /** Types of images that it takes inside a result; absent: none, they go into a user message behind the results. */
  readonly imagesInResults?: RegExp;
  /** What it takes in what the user says. */
  readonly media: UserMedia;
  /** Failed results have a flag in every version of its package; elsewhere their text says so. */
  readonly errorFlag?: true;
  /** It refuses text that is nothing but white space. */
  readonly noBlankText?: true;
  /**
   * It refuses a user message directly behind results, which steering, images and a closing notice all are: something that a reply
   * says has to stand between (https://github.com/mistralai/mistral-common/issues/169).
   */
  readonly repliesToResults?: true;
  /** It refuses two documents of one name in a request, and a message of documents without any text. */
  readonly namesDocuments?: true;
};

const strictIds: IdRule = { legal: /^[A-Za-z0-9_-]{1,64}$/, maxLength: 64 };
const freeIds: IdRule = { legal: /^[!-~]{1,64}$/, maxLength: 64 };
/** OpenAI's chat completions have refused longer ones ("maximum length 40"), and many servers hand on to them. */
const shortIds: IdRule = { legal: /^[!-~]{1,40}$/, maxLength: 40 };
const mistralIds: IdRule = { legal: /^[A-Za-z0-9]{9}$/, maxLength: 9 };
const mistral = /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral/i;

/** Whatever serves them: the servers share their maker's library, or templates that are as strict. */
const mistralRules = (modelId: string): Partial<WireRules> =>
  mistral.test(modelId) ? { ids: mistralIds, repliesToResults: true } : {};

const has = (data: JsonObject, ...fields: string[]): boolean =>
  fields.some((field) => typeof data[field] === "string" && data[field] !== "");

const newGemini = /(?:^|\/)gemini-(?:[3-9]|[1-9]\d)/;

/** The value that Google documents for calls whose signature is not at hand, such as those of another model. */
const unsigned = { google: { thoughtSignature: "skip_thought_signature_validator" } };

type Family = (model: LanguageModel, stored: boolean) => WireRules;

/** Claude, wherever it is; models up to 4.5 think by a budget and have to begin a turn with it. */
const claude = ({ modelId }: LanguageModel): Pick<WireRules, "thinksFirst"> =>
  /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?!-[6-9]))/.test(modelId) ? { thinksFirst: true } : {};

const anthropic: Family = (model) => ({
  data: ["anthropic"],
  reasoning: (_, data) => has(data, "signature", "redactedData"),
  noReasoningLast: true,
  ...claude(model),
  ids: strictIds,
  media: anthropicMedia,
  imagesInResults: commonImages,
  errorFlag: true,
  noBlankText: true,
});

const bedrock: Family = (model) => ({
  data: ["amazonBedrock", "bedrock"],
  reasoning: (_, data) => has(data, "signature", "redactedContent", "redactedData"),
  noReasoningLast: true,
  ...claude(model),
  // For Mistral's models its package makes nine letters of each itself.
  ids: strictIds,
  media: bedrockMedia,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html
  ...(/claude|nova/.test(model.modelId) && { imagesInResults: commonImages }),
  noBlankText: true,
  namesDocuments: true,
});

const google: Family = ({ modelId }) => ({
  data: ["google", "googleVertex", "vertex"],
  reasoning: (text, data) => text !== "" || has(data, "thoughtSignature"),
  joinsReplies: true,
  ids: freeIds,
  media: geminiMedia,
  errorFlag: true,
  ...(newGemini.test(modelId) ? { unsigned, imagesInResults: /^image\/(png|jpeg|webp)$/ } : {}),
});

const responses: Family = ({ provider }, stored) => ({
  data: [provider.includes("azure") ? "azure" : "openai"],
  reasoning: (_, data) => has(data, "reasoningEncryptedContent") || (stored && has(data, "itemId")),
  noReasoningLast: true,
  ids: freeIds,
  media: responsesMedia,
  imagesInResults: commonImages,
});

const compatible: Family = (model) => {
  const { modelId } = model;
  const name = String((model as { readonly providerOptionsName?: unknown }).providerOptionsName);
  const camelCase = name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return {
    data: [name, camelCase, "google"],
    reasoning: (text) => text !== "",
    ids: shortIds,
    ...mistralRules(modelId),
    media: name === "ollama" ? ollamaMedia : serverMedia,
    ...(newGemini.test(modelId) ? { unsigned } : {}),
  };
};

const chat: Family = () => ({ data: ["openai", "azure"], reasoning: () => false, ids: shortIds, media: chatMedia });

/** Providers that nobody knows yet get what nearly all of them take. */
const other: Family = ({ modelId }) => ({
  reasoning: () => true,
  ids: strictIds,
  ...mistralRules(modelId),
  media: anyMedia,
  noBlankText: true,
});

/** The rules for a model, by the name of its provider. `stored`: that keeps its replies, so items can be referred to. */
export function wireRules(model: LanguageModel, stored: boolean): WireRules {
  return familyOf(model)(model, stored);
}

function familyOf(model: LanguageModel): Family {
  const { provider } = model;
  if (/anthropic/.test(provider)) return anthropic;
  if (/^amazon-bedrock/.test(provider)) return bedrock;
  if (/^google|vertex/.test(provider)) return google;
  if (/^(openai|azure)\.responses$/.test(provider)) return responses;
  if (isCompatible(model)) return compatible;
  return /^(openai|azure)\b/.test(provider) ? chat : other;
}
