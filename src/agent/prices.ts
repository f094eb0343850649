import { thrownMessage } from "../message/thrown-text.ts";
import type { Usage } from "../message/usage.ts";
import { mistake } from "./check-options.ts";
import { checkPrice } from "./check-runtime.ts";
import type { Price, RuntimeOptions } from "./options.ts";

/** What a reply of this model costs, in the currency of the table; absent without a price. */
export function priceOf(prices: RuntimeOptions["prices"], modelId: string): ((usage: Usage) => number) | undefined {
  const price = typeof prices === "function" ? lookedUp(prices, modelId) : prices && own(prices, modelId);
  return price && ((usage) => cost(price, usage));
}

const own = (prices: { readonly [modelId: string]: Price }, modelId: string): Price | undefined =>
  Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;

function lookedUp(prices: (modelId: string) => Price | undefined, modelId: string): Price | undefined {
  let price: Price | undefined;
  try {
    price = prices(modelId);
  } catch (thrown) {
    throw mistake(`prices(${JSON.stringify(modelId)}) threw: ${thrownMessage(thrown)}`);
  }
  if (price !== undefined) checkPrice(price, `prices(${JSON.stringify(modelId)})`);
  return price;
}

function cost(price: Price, { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return (fresh * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / 1e6;
}

/** A limit on cost means nothing without a price. */
export function requirePrice(modelId: string): never {
  throw mistake(
    `limits.cost needs the price of "${modelId}": give createRuntime({ prices: { "${modelId}": { input, output } } }) in units per million tokens.`,
  );
}
