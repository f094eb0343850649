/**
 * A hundred requests as people write them, and the calls that answer them. They were written before the model was tuned
 * and are halved by chance, once and for all: it may be tuned on one half, and the other half is what it is judged by.
 */
import { fileRequests } from "./requests-files.ts";
import { noneRequests } from "./requests-none.ts";
import { ownRequests } from "./requests-own.ts";
import { stepRequests } from "./requests-steps.ts";
import type { Entry } from "./table.ts";

const all: readonly Entry[] = [...fileRequests, ...ownRequests, ...stepRequests, ...noneRequests];

// Places in the list, shuffled once with a fixed seed; every second one is held out.
const heldOut: ReadonlySet<number> = new Set([
  0, 5, 8, 10, 13, 19, 23, 24, 26, 27, 28, 30, 32, 35, 36, 37, 39, 40, 41, 42, 43, 44, 47, 50, 51, 53, 54, 55, 56, 60,
  62, 64, 65, 68, 69, 71, 72, 75, 78, 80, 83, 84, 86, 90, 91, 94, 95, 97, 98, 99,
]);

export const tuning: readonly Entry[] = all.filter((_, place) => !heldOut.has(place));
export const judging: readonly Entry[] = all.filter((_, place) => heldOut.has(place));
