import { thrownMessage } from "../message/thrown-text.ts";
import type { Usage } from "../message/usage.ts";
import type { Model } from "../model/model.ts";
import { mistake } from "./check-options.ts";
import { checkPrice } from "./check-runtime.ts";
import type { Price, RuntimeOptions } from "./options.ts";

/** What a reply costs, in the currency of the table; undefined without a price. */
export type CostOf = (usage: Usage, modelId: string) => number | undefined;

/** The cost of replies of this model; absent when no price is known. */
export function priceOf(prices: RuntimeOptions["prices"], { id, models }: Model): CostOf | undefined {
  const known = (name: string) => (typeof prices === "function" ? lookedUp(prices, name) : prices && own(prices, name));
  if (models) {
    // Each of them has a price of its own, or none; looked up once.
    const table = new Map(models.map((name) => [name, known(name)]));
    const of: CostOf = (usage, name) => costAt(table.get(name), usage);
    return [...table.values()].some((price) => price !== undefined) ? of : undefined;
  }
  const price = known(id);
  return price && ((usage) => cost(price, usage));
}

const costAt = (price: Price | undefined, usage: Usage) => price && cost(price, usage);

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

/** A limit on cost means nothing where a reply may have no price. */
export function requirePrice(prices: RuntimeOptions["prices"], { id, models = [id] }: Model): void {
  const modelId = models.find((name) => !(prices && Object.hasOwn(prices, name)));
  if (modelId === undefined) return;
  throw mistake(
    `limits.cost needs the price of "${modelId}": give createRuntime({ prices: { "${modelId}": { input, output } } }) in units per million tokens.`,
  );
}
