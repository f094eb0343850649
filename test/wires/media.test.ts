import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ContentPart, createRuntime } from "../../src/core.ts";
import { type Recorder, recorder } from "./recorder.ts";
import { connect, wires } from "./wires.ts";

const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const dataUrl = `data:image/png;base64,${base64}`;
const link = "https://a.example/b.png";
const pdf = Buffer.from("%PDF-1.7").toString("base64");
const pdfUrl = `data:application/pdf;base64,${pdf}`;

const parts = {
  image: { type: "image", data: Buffer.from(base64, "base64") },
  link: { type: "image", url: link },
  file: { type: "file", data: pdf, mediaType: "application/pdf", name: "a.pdf" },
} as const satisfies { readonly [name: string]: ContentPart };

type Sent = { readonly [part in keyof typeof parts]?: unknown };

const chat: Sent = {
  image: { type: "image_url", image_url: { url: dataUrl } },
  link: { type: "image_url", image_url: { url: link } },
  file: { type: "file", file: { filename: "a.pdf", file_data: pdfUrl } },
};

const responses: Sent = {
  image: { type: "input_image", image_url: dataUrl },
  link: { type: "input_image", image_url: link },
  file: { type: "input_file", filename: "a.pdf", file_data: pdfUrl },
};

const bedrock: Sent = {
  image: { image: { format: "png", source: { bytes: base64 } } },
  file: { document: { format: "pdf", name: "a", source: { bytes: pdf } } },
};

/** What each server gets for each part; absent where it takes none, see `user-parts.test.ts`. */
const sent: { readonly [wire: string]: Sent } = {
  "OpenAI chat": chat,
  "OpenAI-compatible": chat,
  // It fetches nothing.
  Ollama: { image: chat.image, file: chat.file },
  "OpenAI Responses": responses,
  Azure: responses,
  "Azure chat": chat,
  Anthropic: {
    image: { type: "image", source: { type: "base64", media_type: "image/png", data: base64 } },
    link: { type: "image", source: { type: "url", url: link } },
    file: {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: pdf },
      title: "a.pdf",
    },
  },
  Gemini: {
    image: { inlineData: { mimeType: "image/png", data: base64 } },
    link: { fileData: { mimeType: "image/png", fileUri: link } },
    file: { inlineData: { mimeType: "application/pdf", data: pdf } },
  },
  Bedrock: bedrock,
  "Bedrock Claude": bedrock,
};

let mock: LLMock;
let server: Recorder;
beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.addFixture({ match: { userMessage: "What is it?" }, response: { content: "A dot." } });
  await mock.start();
  server = await recorder(mock.url);
});
afterAll(async () => {
  await server.close();
  await mock.stop();
});

describe.each(wires)("$name", (wire) => {
  const runWith = (part: ContentPart) => {
    const model = connect(wire, server.url);
    return createRuntime({ model, system: "Be brief." }).run([{ type: "text", text: "What is it?" }, part]).result;
  };

  const names = (Object.keys(parts) as (keyof typeof parts)[]).filter((name) => sent[wire.name]?.[name] !== undefined);

  test.each(names)("%s", async (name) => {
    const from = server.requests.length;
    const { outcome, text } = await runWith(parts[name]);
    const requests = server.requests.slice(from);
    expect({ outcome, text }).toEqual({ outcome: "stop", text: "A dot." });
    expect(requests).toHaveLength(1);
    const message = (wire.read(requests[0]?.body ?? {}).messages as unknown[]).at(-1);
    const content =
      (message as { content?: unknown; parts?: unknown }).content ?? (message as { parts: unknown }).parts;
    expect((content as unknown[]).at(-1)).toEqual(sent[wire.name]?.[name]);
  });
});
