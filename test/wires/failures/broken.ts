import type { Answer } from "../raw/server.ts";

// biome-ignore lint/suspicious/noThenProperty: what happens behind the body
export const reset: Pick<Answer, "then"> = { then: "reset" };

// biome-ignore lint/suspicious/noThenProperty: what happens behind the body
export const hang: Pick<Answer, "then"> = { then: "hang" };

/** Takes the request and never says a word. */
export const never: Answer = { silent: true, ...hang };
