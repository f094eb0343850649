import { expect, test } from "vitest";
import { modelV4 } from "../../../test/wires/language-model.ts";
import type { ProviderOptions } from "./provider-options.ts";
import { storing } from "./stored.ts";

const plan = (provider: string, providerOptions?: ProviderOptions) => {
  const { stored, request } = storing(modelV4([], { provider }), {
    messages: [],
    tools: [],
    toolChoice: "auto",
    ...(providerOptions === undefined ? undefined : { providerOptions }),
  });
  return { stored, options: request.providerOptions };
};
const user = { user: "u" };

test.each<[string, ProviderOptions | undefined, boolean, ProviderOptions | undefined]>([
  ["openai.responses", undefined, false, { openai: { store: false } }],
  ["openai.responses", { openai: user }, false, { openai: { ...user, store: false } }],
  ["openai.responses", { openai: { store: true } }, true, { openai: { store: true } }],
  ["openai.responses", { openai: { store: false } }, false, { openai: { store: false } }],
  ["openai.responses", { openai: { previousResponseId: "r" } }, true, { openai: { previousResponseId: "r" } }],
  ["azure.responses", undefined, false, { azure: { store: false } }],
  ["azure.responses", { openai: user }, false, { openai: { ...user, store: false } }],
  ["azure.responses", { openai: user, azure: user }, false, { openai: user, azure: { ...user, store: false } }],
  ["openai.chat", undefined, false, undefined],
  ["anthropic.messages", { openai: user }, false, { openai: user }],
])("%s with %j", (provider, given, stored, options) => {
  expect(plan(provider, given)).toEqual({ stored, options });
});

test("a conversation of the server is refused", () => {
  expect(() => plan("openai.responses", { openai: { conversation: "conv_1" } })).toThrow(/leave it out/);
});
