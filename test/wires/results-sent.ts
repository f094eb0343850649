import { png } from "./results-said.ts";

/** What one wire receives for the results of `results.test.ts`. */
export type Sent = {
  /** One result in a message of its own or in the shared one. */
  result(id: string, content: Shape): unknown;
  /** The results of a batch, and what stands behind them. */
  batch(results: unknown[], behind: unknown[]): unknown[];
  /** A user message with a label and an image. */
  image(label: string): unknown;
  readonly native: boolean;
};

/** Text, failed text, JSON, or text with an image where the wire takes it. */
export type Shape =
  | { readonly text: string }
  | { readonly error: string }
  | { readonly json: unknown }
  | { readonly native: string };

const dataUrl = `data:image/png;base64,${png}`;

const inText = (shape: Shape): unknown => {
  if ("text" in shape) return shape.text;
  if ("error" in shape) return shape.error.startsWith("Error") ? shape.error : `Error: ${shape.error}`;
  return "json" in shape ? JSON.stringify(shape.json) : undefined;
};

const chat: Sent = {
  result: (id, shape) => ({ role: "tool", tool_call_id: id, content: inText(shape) }),
  batch: (results, behind) => [...results, ...behind],
  image: (label) => ({
    role: "user",
    content: [
      { type: "text", text: label },
      { type: "image_url", image_url: { url: dataUrl } },
    ],
  }),
  native: false,
};

const between = { role: "assistant", content: "(The results are in.)" };
const mistral: Sent = {
  ...chat,
  batch: (results, behind) => (behind.length === 0 ? results : [...results, between, ...behind]),
};

const responses: Sent = {
  result: (id, shape) => ({
    type: "function_call_output",
    call_id: id,
    output:
      "native" in shape
        ? [
            { type: "input_text", text: shape.native },
            { type: "input_image", image_url: dataUrl },
          ]
        : inText(shape),
  }),
  batch: (results, behind) => [...results, ...behind],
  image: (label) => ({
    role: "user",
    content: [
      { type: "input_text", text: label },
      { type: "input_image", image_url: dataUrl },
    ],
  }),
  native: true,
};

const anthropicImage = { type: "image", source: { type: "base64", media_type: "image/png", data: png } };
const anthropic: Sent = {
  result: (id, shape) => ({
    type: "tool_result",
    tool_use_id: id,
    ...("error" in shape
      ? { content: shape.error, is_error: true }
      : {
          content: "native" in shape ? [{ type: "text", text: shape.native }, anthropicImage] : inText(shape),
        }),
  }),
  batch: (results, behind) => [
    {
      role: "user",
      content: [...results, ...behind.flatMap((message) => (message as { content: unknown[] }).content)],
    },
  ],
  image: (label) => ({ role: "user", content: [{ type: "text", text: label }, anthropicImage] }),
  native: true,
};

const geminiImage = { inlineData: { mimeType: "image/png", data: png } };
const gemini = (native: boolean): Sent => ({
  result: (id, shape) => {
    const response = { name: "shot", ...("error" in shape ? { error: shape.error } : undefined) };
    if ("native" in shape) {
      const content = { response: { ...response, content: shape.native }, parts: [geminiImage] };
      return { functionResponse: { id, name: "shot", ...content } };
    }
    const content = "text" in shape ? { content: shape.text } : "json" in shape ? { content: shape.json } : {};
    return { functionResponse: { id, name: "shot", response: { ...response, ...content } } };
  },
  batch: (results, behind) => [{ role: "user", parts: results }, ...behind],
  image: (label) => ({ role: "user", parts: [{ text: label }, geminiImage] }),
  native,
});

const bedrockImage = { image: { format: "png", source: { bytes: png } } };
const bedrock: Sent = {
  result: (id, shape) => ({
    toolResult: {
      toolUseId: id,
      content: "native" in shape ? [{ text: shape.native }, bedrockImage] : [{ text: inText(shape) }],
    },
  }),
  batch: anthropic.batch,
  image: (label) => ({ role: "user", content: [{ text: label }, bedrockImage] }),
  native: true,
};

export const sentBy: { readonly [wire: string]: Sent } = {
  "OpenAI chat": chat,
  "Azure chat": chat,
  "OpenAI-compatible": chat,
  Ollama: chat,
  "Mistral on a server": mistral,
  "OpenAI Responses": responses,
  Azure: responses,
  "OpenAI reasoning": responses,
  Anthropic: anthropic,
  Gemini: gemini(false),
  "Gemini 3": gemini(true),
  Bedrock: bedrock,
  "Bedrock Claude": bedrock,
  "Bedrock Llama": { ...bedrock, native: false },
};
